/* How a buffer of a captured launch differs from what it was. */
#ifndef CLI_REPLAY_TELL_H
#define CLI_REPLAY_TELL_H

#include <jitreduce.h>
#include <stdbool.h>

/* Prints ": 20 bytes, 1 differ; ..." and ends the line. now: as many bytes as the buffer has. type: what they are
 * compared as; JR_TYPE_NONE: bytes. True: some differ. */
bool cli_replay_tell(const jr_replay_buffer *buffer, const unsigned char *now, jr_type type);

#endif
