/* Writes notes on the first lines of a table, which are printed when all of it has been read. */
#include "table_note.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include "base/suggest.h"
#include "grouped_lines.h"

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

/* Whether a field between commas is several numbers: 10 2,5 has two columns of which the second one is 2.5, or so it
 * seems. */
static bool has_numbers(const char *at, const char *end) {
    cli_field field, part;
    bool open = false;
    for (bool more = true; more; at++) {
        at = cli_field_find(at, end, ',', &field, &open);
        more = at < end;
        uint64_t count = 0;
        for (const char *in = field.begin; !field.quoted && in < field.end; count++) {
            double number;
            in = cli_field_find(in, field.end, ' ', &part, &open);
            if (cli_number_parse(JR_F64, part.begin, part.end, &number) == CLI_NUMBER_NONE) break;
            if (in == field.end && count > 0) return true;
        }
    }
    return false;
}

void cli_note_separator(cli_text *text, const cli_lines_pair *lines) {
    const bool second = lines->second < lines->second_end;
    if (text->form->thousands == ',' && text->separator == ',' &&
        cli_find_grouped(lines->first, lines->second_end) != NULL)
        note(text, lines->first,
             "',' is taken for the delimiter, not for --thousands: without --column each line is one number, "
             "--delimiter "
             "';' says that no ',' parts columns");
    if (text->separator != ',' || text->form->delimiter != '\0') return;
    if (has(lines->first, lines->first_end, ';') && (!second || has(lines->second, lines->second_end, ';')))
        note(text, lines->first,
             "the line has ',' and ';': ',' is taken for the delimiter; --decimal , or --delimiter ';' reads it "
             "otherwise, --delimiter , confirms it");
    else if (has_numbers(lines->first, lines->first_end) && (!second || has_numbers(lines->second, lines->second_end)))
        note(text, lines->first,
             "the line has ',' and numbers between blanks: ',' is taken for the delimiter; --decimal , or "
             "--delimiter space reads it otherwise, --delimiter , confirms it");
}

/* A year, or the number of a column. */
static bool may_be_name(double number) {
    return number == 0 || (number == (double)(int)number && number >= 1500 && number < 2500);
}

/* Are these digits, with such characters between them? */
static bool has_digits_and(const cli_field *field, const char *others) {
    bool digits = false;
    for (const char *at = field->begin; at < field->end; at++) {
        if (strchr(others, *at) == NULL && !cli_is_digit(*at)) return false;
        digits |= cli_is_digit(*at);
    }
    return digits;
}

/* 0x1F */
static bool is_hexadecimal(const cli_field *field) {
    const char *at = field->begin;
    if (field->end - at < 3 || at[0] != '0' || (at[1] | 0x20) != 'x') return false;
    for (at += 2; at < field->end; at++)
        if (!isxdigit((unsigned char)*at)) return false;
    return true;
}

/* What to do about names that look like numbers: another form of numbers may read these; those with a currency, a unit
 * or colons are numbers of no form. NULL: they do not look so. */
static const char *find_way(const cli_field *field) {
    if (has_digits_and(field, "+-.,' ")) return "--header no, with --decimal or --thousands, reads it";
    if (has_digits_and(field, "+-.,' $%()_:/") || is_hexadecimal(field)) return "--header no takes it for a value";
    return NULL;
}

static void note_number_like(cli_text *text) {
    for (int i = 0; i < text->column_count; i++) {
        const cli_field *field = &text->fields[i];
        char quoted[64], what[256];
        const char *way = field->quoted ? NULL : find_way(field);
        if (way == NULL) continue;
        snprintf(what, sizeof what, "the first line is taken for names, though '%s' looks like a number: %s",
                 cli_quote(field->begin, field->end, quoted), way);
        note(text, field->begin, what);
        return;
    }
}

void cli_note_names(cli_text *text, bool words) {
    const cli_field *field = &text->fields[0];
    char quoted[64], what[192];
    double number;
    if (words) note_number_like(text);
    if (words || !text->looks_named || field->begin == field->end ||
        cli_number_parse(JR_F64, field->begin, field->end, &number) != CLI_NUMBER_OK)
        return;
    if (field->quoted ? number >= 0 && number < 10000 && number == (int)number
                      : !(fabs(number) < 1e9) || may_be_name(number))
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
