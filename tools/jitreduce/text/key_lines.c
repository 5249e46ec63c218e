/* Reads the lines of a text as keys, without the blanks around them. */
#include "cli_text.h"
#include "table_fields.h"

cli_exit cli_take_key_lines(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error) {
    const char *at = text->place.block;
    while (at < end && !cli_text_full(text)) {
        const char *newline = cli_line_end(at, end), *begin = at, *stop = newline;
        if (newline == end && !last && end - at <= CLI_TOKEN_BYTES) break;
        while (begin < stop && cli_field_blank(*begin, '\n')) begin++;
        while (stop > begin && cli_field_blank(stop[-1], '\n')) stop--;
        const bool taken = begin < stop || text->form->empty_lines;
        const cli_number_status reason = taken ? cli_text_append_key(text, begin, stop) : CLI_NUMBER_OK;
        if (reason != CLI_NUMBER_OK)
            return cli_fail_word(text, "", (const char *[]){begin, stop}, JR_TYPE_NONE, reason, error);
        at = newline + (newline < end);
    }
    *stopped = at;
    return CLI_OK;
}
