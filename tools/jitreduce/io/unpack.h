/* Packed streams, gzip, zstd and the deflated members of zip archives, unpacked while they are read. */
#ifndef CLI_UNPACK_H
#define CLI_UNPACK_H

#include "base/cli_error.h"

typedef enum cli_packing { CLI_PACKING_NONE = 0, CLI_PACKING_GZIP, CLI_PACKING_ZSTD, CLI_PACKING_DEFLATE } cli_packing;

/* Reads up to `bytes` packed bytes; *got is 0 at their end alone. */
typedef cli_exit (*cli_read_packed)(void *user, char *to, size_t bytes, size_t *got, cli_error *error);

/* Where packed bytes come from: first those that were read already, then what `read` gives. */
typedef struct cli_packed {
    const char *name; /* for messages; borrowed */
    const char *first;
    size_t first_bytes; /* at most CLI_PACKED_BYTES */
    cli_read_packed read;
} cli_packed;

enum { CLI_PACKED_BYTES = 1 << 16 };

typedef struct cli_unpack cli_unpack;

/* How the bytes at the begin of a file say that it is packed. */
cli_packing cli_packing_of(const char *bytes, size_t count);

/* Begins to unpack. packed is copied, its first bytes, too. Writes *unpack on success only; the caller closes it. */
cli_exit cli_unpack_open(cli_packing packing, const cli_packed *packed, cli_unpack **unpack, cli_error *error);

/* Reads up to `bytes` unpacked bytes; *got is 0 at the end alone. Several streams one after the other are one, except
 * of CLI_PACKING_DEFLATE, which has no mark at its start: what follows it is not read. user: for packed.read. */
cli_exit cli_unpack_read(cli_unpack *unpack, void *user, char *to, size_t bytes, size_t *got, cli_error *error);

/* Closes it; NULL is fine. */
void cli_unpack_close(cli_unpack *unpack);

#endif
