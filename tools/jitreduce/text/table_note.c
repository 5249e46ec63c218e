/* Writes notes on the first lines of a table, which are printed when all of it has been read. */
#include "table_note.h"

#include <stdio.h>

static void note(cli_text *text, const char *at, const char *what) {
    cli_error noted;
    if (text->beyond == NULL) return;
    cli_error_set_line(&text->place, at, &noted, "%s", what);
    snprintf(text->beyond->doubt, sizeof text->beyond->doubt, "%.*s", (int)sizeof text->beyond->doubt - 1,
             noted.message);
}

void cli_note_index(cli_text *text, const char *line) {
    note(text, line,
         "i is the index of the element in expressions, not the column i, which --column makes x, y, z or w");
}

static bool has(const char *at, const char *end, char c) {
    return memchr(at, c, (size_t)(end - at)) != NULL;
}

void cli_note_separator(cli_text *text, const cli_lines_pair *lines) {
    const bool second = lines->second < lines->second_end;
    if (text->separator != ',' || text->form->delimiter != '\0') return;
    if (!has(lines->first, lines->first_end, ';') || (second && !has(lines->second, lines->second_end, ';'))) return;
    note(text, lines->first,
         "the line has ',' and ';': ',' is taken for the delimiter; --decimal , or --delimiter ';' reads it otherwise, "
         "--delimiter , confirms it");
}
