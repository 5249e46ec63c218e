/* Writes notes on the first lines of a table, which are printed when all of it has been read. */
#include "table_note.h"

#include <math.h>
#include <stdio.h>

#include "base/suggest.h"

static void note(cli_text *text, const char *at, const char *what) {
    cli_error noted;
    if (text->beyond == NULL) return;
    cli_error_set_line(&text->place, at, &noted, "%s", what);
    snprintf(text->beyond->doubt, sizeof text->beyond->doubt, "%.*s", (int)sizeof text->beyond->doubt - 1,
             noted.message);
}

void cli_note_index(cli_text *text, const char *line) {
    note(text, line, "i is the index of the element in expressions, not the column i, which is written `i`");
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

/* A year, or the number of a column. */
static bool may_be_name(double number) {
    return number == 0 || (number == (double)(int)number && number >= 1500 && number < 2500);
}

void cli_note_names(cli_text *text) {
    const cli_field *field = &text->fields[0];
    char quoted[64], what[192];
    double number;
    if (field->quoted || field->begin == field->end ||
        cli_number_parse(JR_F64, field->begin, field->end, &number) != CLI_NUMBER_OK || !(fabs(number) < 1e9) ||
        may_be_name(number))
        return;
    snprintf(what, sizeof what, "the first line is taken for names, though '%s' is a number: --header no reads it",
             cli_quote(field->begin, field->end, quoted));
    note(text, field->begin, what);
}

const char *cli_column_text(const cli_column_name *name, char text[CLI_HINT_BYTES]) {
    char quoted[64];
    if (name->number != 0)
        snprintf(text, CLI_HINT_BYTES, "column %llu: ", (unsigned long long)name->number);
    else
        snprintf(text, CLI_HINT_BYTES, "column '%s'%s%s: ", cli_quote(name->name, name->name + name->length, quoted),
                 name->option != NULL ? ", a number in --" : "", name->option != NULL ? name->option : "");
    return text;
}
