/* Reads text: every number between white space and commas. '#' begins a comment. A comma may end a line; two of them
 * without a number in between, or one that begins a line, leave a field empty, which is no number. */
#include "lines.h"
#include "readers.h"

/* Where the reader stands. */
typedef struct place {
    const char *at, *end;
    bool empty; /* no number since the last comma or the begin of the line */
} place;

/* Takes blanks; false on a comma behind an empty field, which it leaves there. */
static bool take_blanks(place *in) {
    for (; in->at < in->end && cli_kind(*in->at) == CLI_BLANK; in->at++) {
        if (*in->at == ',' && in->empty) return false;
        in->empty |= *in->at == ',' || *in->at == '\n';
    }
    return true;
}

cli_exit cli_read_text(const cli_bytes *bytes, cli_vector *vector, cli_number_status *reason, cli_error *error) {
    const char *begin = cli_text_begin(bytes);
    place in = {.at = begin, .end = bytes->data + bytes->size, .empty = true};
    *reason = CLI_NUMBER_OK;
    for (;;) {
        if (!take_blanks(&in)) {
            cli_error_set_line(bytes, in.at, error, "an empty field before the comma");
            return CLI_FAILURE;
        }
        if (in.at == in.end) return CLI_OK;
        if (cli_kind(*in.at) == CLI_COMMENT) {
            in.at = cli_line_end(in.at, in.end);
            continue;
        }
        const char *limit = in.end - in.at > CLI_TOKEN_BYTES ? in.at + CLI_TOKEN_BYTES + 1 : in.end;
        begin = in.at;
        while (in.at < limit && cli_kind(*in.at) == CLI_PLAIN) in.at++;
        in.empty = false;
        if (in.at - begin > CLI_TOKEN_BYTES)
            *reason = CLI_NUMBER_TOO_LONG;
        else
            *reason = cli_vector_grow(vector)
                          ? cli_number_parse(vector->type, begin, in.at, vector->bytes + vector->used)
                          : CLI_NUMBER_NO_MEMORY;
        if (*reason != CLI_NUMBER_OK)
            return cli_fail_token(bytes, (const char *[]){begin, in.at}, vector->type, *reason, error);
        vector->used += vector->size;
    }
}
