/* Arrays and raw files read part by part. */
#ifndef CLI_BINARY_INPUT_H
#define CLI_BINARY_INPUT_H

#include "parts.h"
#include "progress.h"

/* Where elements go: behind those of the vector, whose type is theirs. after(user) is called each time that some have
 * come, and may take them. */
typedef struct cli_binary_reading {
    cli_vector *vector;
    cli_progress *progress; /* NULL: none is shown */
    cli_exit (*after)(void *user, cli_error *error);
    void *user;
} cli_binary_reading;

/* Reads all elements of a part that streams, or that was mapped. Fails as cli_read_npy and cli_read_raw do. */
cli_exit cli_binary_read(cli_part *part, const cli_binary_reading *reading, cli_error *error);

#endif
