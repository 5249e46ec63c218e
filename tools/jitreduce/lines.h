/* What the two text readers share: characters, lines, and the place of a fault. */
#ifndef CLI_LINES_H
#define CLI_LINES_H

#include <string.h>

#include "bytes.h"
#include "number.h"

/* Longest line of a CSV. */
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

/* Where the text begins: behind UTF-8's byte order mark, which spreadsheets write. */
static inline const char *cli_text_begin(const cli_bytes *bytes) {
    return bytes->size >= 3 && memcmp(bytes->data, "\xef\xbb\xbf", 3) == 0 ? bytes->data + 3 : bytes->data;
}

/* Writes "name:line:column: ..." for the place of `at` as the reason; lines and columns (bytes) count from 1. */
__attribute__((format(printf, 4, 5))) void cli_error_set_line(const cli_bytes *bytes, const char *at, cli_error *error,
                                                              const char *format, ...);

/* Fails for a token that is no element of the type: "data.txt:3:7: 'abc' is not a number". */
cli_exit cli_fail_token(const cli_bytes *bytes, const char *const token[2], jr_type type, cli_number_status reason,
                        cli_error *error);

#endif
