/* Reads text: every number between white space and commas. '#' begins a comment. */
#include "lines.h"
#include "readers.h"

cli_exit cli_read_text(const cli_bytes *bytes, cli_vector *vector, cli_number_status *reason, cli_error *error) {
    const char *at = cli_text_begin(bytes), *end = at + (bytes->size - (size_t)(at - bytes->data));
    cli_number_parser parse = cli_number_parser_get(vector->type);
    *reason = CLI_NUMBER_OK;
    for (;;) {
        while (at < end && cli_kind(*at) == CLI_BLANK) at++;
        if (at == end) return CLI_OK;
        if (cli_kind(*at) == CLI_COMMENT) {
            at = cli_line_end(at, end);
            continue;
        }
        const char *begin = at, *limit = end - at > CLI_TOKEN_BYTES ? at + CLI_TOKEN_BYTES + 1 : end;
        while (at < limit && cli_kind(*at) == CLI_PLAIN) at++;
        if (at - begin > CLI_TOKEN_BYTES)
            *reason = CLI_NUMBER_TOO_LONG;
        else
            *reason = cli_vector_grow(vector) ? parse(begin, at, vector->bytes + vector->used) : CLI_NUMBER_NO_MEMORY;
        if (*reason != CLI_NUMBER_OK)
            return cli_fail_token(bytes, (const char *[]){begin, at}, vector->type, *reason, error);
        vector->used += vector->size;
    }
}
