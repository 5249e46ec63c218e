/* The wisdom file: where it lies, whole reads, and writes that keep what others wrote. */
#ifndef JR_WISDOM_WISDOM_FILE_H
#define JR_WISDOM_WISDOM_FILE_H

#include "base/place.h"
#include "wisdom.h"

/* Chooses the file, touching nothing. wish: of the caller; NULL: the setting, else the user's folders; "": none. */
void jr_wisdom_place_of(const char *wish, jr_place *place);

/* Reads a file, which must be ours (jr_file_read_ours). One that is not there is a success with *missing set.
 * wisdom: written on success only. Errors: JR_ERROR_WISDOM, JR_ERROR_FILE, JR_ERROR_OUT_OF_MEMORY; the message names
 * the path. */
jr_status jr_wisdom_read(const char *path, jr_wisdom *wisdom, bool *missing);

/* Adds to a file, or makes it and the folders above it: what is whole in it stays; a damaged one is replaced. Other
 * processes that do the same wait, for a while; without a lock one of them may lose what it added.
 * Errors: JR_ERROR_FILE (also when it is not ours, not wisdom or of another format: it is then left alone),
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_wisdom_write(const char *path, const jr_wisdom *added);

#endif
