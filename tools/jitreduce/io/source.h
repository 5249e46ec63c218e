/* A file, or a member of an archive, as a stream of bytes: as it lies there, or unpacked while it is read. */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdbool.h>

#include "base/cli_error.h"
#include "unpack.h"

enum { CLI_AHEAD_BYTES = 1 << 16 };

/* What a packed file may unpack to when all of it is kept in memory, unless the caller says: so much, or so many times
 * the packed bytes that it took, whichever is more. A few KB cannot take the machine's memory. */
enum { CLI_UNPACKED_MAX = 256 << 20, CLI_UNPACKED_TIMES = 32 };

/* A deflated member of a zip archive, and what the archive says of it. */
typedef struct cli_packed_member {
    const char *name, *packed; /* borrowed */
    uint64_t packed_bytes, bytes;
    unsigned crc;
} cli_packed_member;

typedef struct cli_source {
    const char *name; /* for messages: the path, or "standard input"; borrowed */
    int file;
    bool standard, ended;
    bool whole;               /* a regular file, not packed, that is read from its start: it can be mapped */
    bool reopens;             /* a file that can be opened again, and then has the same bytes */
    bool keeps;               /* what is read is kept in memory: there is a limit of what a packed file may take */
    uint64_t file_bytes;      /* 0: not known */
    uint64_t read_bytes;      /* of the file so far */
    cli_unpack *unpack;       /* NULL: not packed */
    uint64_t unpacked_bytes;  /* so far */
    cli_packed_member member; /* packed NULL: a file */
    unsigned long crc;        /* of what the member has given so far */
    char *ahead;              /* the first bytes, which were looked at and are still to be read */
    size_t ahead_bytes, ahead_used, ahead_room;
} cli_source;

/* Opens a file ("-": standard input) and looks at its first bytes: all of them where there are fewer than
 * CLI_AHEAD_BYTES, 16 at least. Writes *source on success only; the caller closes it. */
cli_exit cli_source_open(const char *path, cli_source *source, cli_error *error);

/* Opens a member of an archive, whose bytes must live as long. Its end is checked: the size and the checksum must be
 * those that the archive says. Writes *source on success only; the caller closes it. */
cli_exit cli_source_open_member(const cli_packed_member *member, cli_source *source, cli_error *error);

/* Looks at more of a source of which nothing has been read: at `bytes` bytes at least, or at all there are. */
cli_exit cli_source_look(cli_source *source, size_t bytes, cli_error *error);

/* Reads up to `bytes` bytes; *got is 0 at the end alone. */
cli_exit cli_source_read(cli_source *source, char *to, size_t bytes, size_t *got, cli_error *error);

/* Closes it; a source that was closed, or is all zero, is fine. */
void cli_source_close(cli_source *source);

#endif
