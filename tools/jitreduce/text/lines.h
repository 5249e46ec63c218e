/* What the two text readers share: characters, lines, and the place of a fault. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <stdint.h>
#include <string.h>

#include "base/cli_error.h"

/* Longest line of a CSV, its quoted line breaks included. */
enum { CLI_LINE_BYTES = 16 << 20 };

enum { CLI_PLAIN = 0, CLI_BLANK = 1, CLI_COMMENT = 2 };

/* White space and the comma are blank; '#' begins a comment; all else is plain. */
extern const unsigned char cli_kinds[256];

static inline int cli_kind(char c) {
    return cli_kinds[(unsigned char)c];
}

/* The newline that ends the line at `at`, or end. */
static inline const char *cli_line_end(const char *at, const char *end) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

/* Where a block of a text begins. */
typedef struct cli_place {
    const char *name;  /* of the file */
    const char *block; /* what has been read and not taken */
    uint64_t lines;    /* newlines before it */
    uint64_t bytes;    /* from the last of them up to it */
} cli_place;

/* Moves a place past the part of its block that was read. */
void cli_place_move(cli_place *place, const char *to);

/* Writes "name:line:column: ..." for the place of `at`, in the block, as the reason; lines and columns (bytes) count
 * from 1. */
__attribute__((format(printf, 4, 5))) void cli_error_set_line(const cli_place *place, const char *at, cli_error *error,
                                                              const char *format, ...);

/* Fails so. A macro for the reason that cli_fail is one. */
#define cli_fail_line(place, at, error, ...) (cli_error_set_line(place, at, error, __VA_ARGS__), CLI_FAILURE)

#endif
