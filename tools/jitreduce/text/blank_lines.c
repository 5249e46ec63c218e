/* Reads blank lines as missing values where --na has an empty word. */
#include "blank_lines.h"

#include "table_note.h"

void cli_blank_count(cli_text *text, const char *at, const char *end) {
    while (at < end && cli_field_blank(*at, '\n')) at++;
    text->blanks += at == end;
}

cli_exit cli_blank_take(cli_text *text, cli_error *error) {
    const char *at = text->place.block;
    const bool missing = text->form->missing != NULL && cli_text_misses(text->form, at, at);
    cli_column *column = &text->columns[0];
    char what[CLI_HINT_BYTES];
    if (!missing && text->beyond != NULL) text->beyond->blank += text->blanks;
    for (; missing && text->blanks > 0 && column->vector.used < text->most_used; text->blanks--) {
        const cli_number_status reason = cli_text_append(text, column, at, at);
        if (reason != CLI_NUMBER_OK)
            return cli_fail_word(text, cli_column_text(&text->form->columns[0], what), (const char *[]){at, at},
                                 column->vector.type, reason, error);
    }
    text->blanks = 0;
    return CLI_OK;
}
