/* The dictionary at the head of an .npy file: its words, taken one after the other, and the fields of a structured
 * type. */
#ifndef CLI_NPY_FIELDS_H
#define CLI_NPY_FIELDS_H

#include "io/bytes.h"
#include "npy_type.h"

/* Invariant: it never passes the end of the header, whatever the header says of itself. */
typedef struct cli_npy_cursor {
    const cli_bytes *bytes;
    const char *at, *end;
    int keys; /* those seen */
    uint64_t dimensions_above_1;
    bool any_zero;
    bool overflow;
    bool latin1; /* the encoding of format 1 and 2; format 3 is UTF-8 */
    cli_npy_header header;
    cli_error *error;
} cli_npy_cursor;

/* Writes "name: npy header, byte N: ..." as the reason. */
__attribute__((format(printf, 3, 4))) void cli_npy_set_error(const cli_npy_cursor *in, const char *at,
                                                             const char *format, ...);

#define cli_npy_fail(in, at, ...) (cli_npy_set_error(in, at, __VA_ARGS__), CLI_FAILURE)

void cli_npy_skip_space(cli_npy_cursor *in);

/* Takes one character, white space before it allowed; false, and nothing taken, when another one stands there. */
bool cli_npy_take(cli_npy_cursor *in, char c);

/* Takes one character, or fails. */
cli_exit cli_npy_expect(cli_npy_cursor *in, char c);

/* Takes a quoted string without escapes. */
cli_exit cli_npy_take_string(cli_npy_cursor *in, const char **begin, const char **end);

/* Takes the fields of a structured type, from '[' on: of the one that in->bytes->field names, type and place go into
 * the header. */
cli_exit cli_npy_take_fields(cli_npy_cursor *in);

#endif
