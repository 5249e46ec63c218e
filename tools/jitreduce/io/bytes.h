/* The bytes of one input: a file mapped where that is possible, else read to its end. */
#ifndef CLI_BYTES_H
#define CLI_BYTES_H

#include <stdbool.h>

#include "base/cli_error.h"
#include "source.h"

typedef struct cli_bytes {
    const char *name; /* for messages: the path, or "standard input"; borrowed from the source's */
    const char *data; /* size bytes, not terminated; aligned to 16 or more; never NULL */
    size_t size;
    const char *field; /* of an .npy file of a structured type, the one that is read; NULL: none; borrowed */
    uint64_t wanted;   /* elements of an array or a raw file that are looked at; 0: all, to the last byte */
    bool borrowed;     /* data lies in other bytes */
    void *mapping;     /* what cli_bytes_free unmaps, or NULL: then data is from malloc */
} cli_bytes;

/* Looks at what has been read so far, CLI_AHEAD_BYTES and each time twice as much, before more is read. Another code
 * than CLI_OK ends the reading. */
typedef cli_exit (*cli_check)(const void *user, const cli_bytes *read, cli_error *error);

/* Reads all of a source of which nothing has been read. What is not mapped is shown to check(user) as it comes;
 * check NULL: to nobody. Writes *bytes on success only; the caller frees it. */
cli_exit cli_bytes_read(cli_source *source, cli_check check, const void *user, cli_bytes *bytes, cli_error *error);

/* Frees the bytes; a zeroed struct is fine. */
void cli_bytes_free(cli_bytes *bytes);

#endif
