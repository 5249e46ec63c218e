/* Decides from the first two lines of a table what parts its fields, and whether the first line names the columns. */
#include "table_head.h"

#include <stdio.h>
#include <strings.h>
#include <unistd.h>

bool cli_line_skipped(const cli_table_form *form, const char *at, const char *end) {
    while (at < end && cli_field_blank(*at, '\n')) at++;
    return at == end || *at == '\n' || (form->comment != '\0' && *at == form->comment);
}

bool cli_take_sep(cli_text *text, const char *at, const char *end) {
    static const char word[] = "sep=";
    const char given = text->form->delimiter;
    while (end > at && end[-1] == '\r') end--;
    if (end - at == 7 && at[0] == '"' && end[-1] == '"') {
        at++;
        end--;
    }
    if (text->most != 0 || text->place.lines != text->skipped || end - at != 5 || strncasecmp(at, word, 4) != 0)
        return false;
    text->separator = given != '\0' ? given : at[4];
    return true;
}

/* Reads the field at *at, and moves *at past it; false: the line has no more fields. */
static bool next_field(const char **at, const char *end, char separator, cli_field *field) {
    bool open = false;
    if (*at == NULL) return false;
    const char *stop = cli_field_find(*at, end, separator, field, &open);
    *at = stop < end && *stop != '\n' ? stop + 1 : NULL;
    return true;
}

uint64_t cli_count_names(const char *at, const char *end, char separator) {
    cli_field field;
    uint64_t count = 0;
    while (next_field(&at, end, separator, &field))
        count += separator != ' ' || field.quoted || field.begin < field.end;
    return count;
}

/* The first of comma, semicolon and tab that the line has outside quotes, else white space. */
static char separator_of_line(const cli_table_form *form, const char *at, const char *end) {
    bool has[128] = {false}, quoted = false;
    for (; at < end && (quoted || *at != '\n'); at++) {
        quoted ^= *at == '"';
        if (!quoted && (unsigned char)*at < 128) has[(unsigned char)*at] = true;
    }
    if (has[','] && !form->decimal_comma) return ',';
    return has[';'] ? ';' : has['\t'] ? '\t' : ' ';
}

/* "tab", or a character in quotes. */
static const char *name_separator(char separator, char text[4]) {
    if (separator == '\t') return "tab";
    snprintf(text, 4, "'%c'", separator);
    return text;
}

const char *cli_delimiter_advice(const cli_table_form *form, const char *at, const char *end,
                                 char advice[CLI_HINT_BYTES]) {
    const char given = form->delimiter, there = separator_of_line(form, at, end);
    char given_text[4], there_text[4];
    advice[0] = '\0';
    if (given == '\0' && there == ' ' && memchr(at, '|', (size_t)(cli_line_end(at, end) - at)) != NULL)
        snprintf(advice, CLI_HINT_BYTES, "; if '|' stands between columns, give --delimiter '|'");
    if (given == '\0' || there == ' ' || memchr(at, given, (size_t)(cli_line_end(at, end) - at)) != NULL) return advice;
    snprintf(advice, CLI_HINT_BYTES, "; the line has no %s, which --delimiter names, but it has %s: give that, or none",
             name_separator(given, given_text), name_separator(there, there_text));
    return advice;
}

const char *cli_key_file_advice(const char *name, char advice[CLI_HINT_BYTES]) {
    advice[0] = '\0';
    if (access(name, F_OK) == 0)
        snprintf(advice, CLI_HINT_BYTES, " (the file of that name is './%s')", name);
    else if (strpbrk(name, "./") != NULL)
        snprintf(advice, CLI_HINT_BYTES, " (nor is there a file of that name)");
    return advice;
}

const char *cli_range_advice(const cli_column_name *name) {
    const bool range = memchr(name->name, '-', name->length) != NULL;
    for (size_t i = 0; i < name->length; i++)
        if (name->name[i] != '-' && !cli_is_digit(name->name[i])) return "";
    return range ? "; columns count from 1, and a list of them has commas: 2,3" : "";
}

/* The first line at or after `at` that is not skipped. False: it is not complete yet. */
static bool find_second(const cli_table_form *form, const char *at, const char *end, bool last, cli_lines_pair *lines) {
    lines->second = lines->second_end = end;
    while (at < end) {
        const char *newline = cli_line_end(at, end);
        if (newline == end && !last && end - at <= CLI_LINE_BYTES) return false;
        if (!cli_line_skipped(form, at, newline)) {
            lines->second = at;
            lines->second_end = newline;
            return true;
        }
        at = newline + (newline < end);
    }
    return last;
}

bool cli_first_lines(const cli_table_form *form, const char *at, const char *end, bool last, cli_lines_pair *lines) {
    const char separator = form->delimiter != '\0' ? form->delimiter : separator_of_line(form, at, end);
    const char *stop = cli_fields_end(at, end, separator);
    if ((stop == NULL || stop == end) && !last && end - at <= CLI_LINE_BYTES) return false;
    *lines = (cli_lines_pair){.first = at, .first_end = stop != NULL ? stop : end};
    if (stop == NULL || end - at > 2 * CLI_LINE_BYTES) last = true; /* the first line is too long, or the second one */
    if (lines->first_end == end) last = true;
    return find_second(form, lines->first_end + (lines->first_end < end), end, last, lines);
}

/* With a decimal comma the comma parts fields only where a number with one is quoted. */
static bool may_part(const cli_table_form *form, const cli_lines_pair *lines, char separator) {
    const char *at = lines->second;
    cli_field field;
    if (separator != ',' || !form->decimal_comma) return true;
    while (next_field(&at, lines->second_end, ',', &field))
        if (field.quoted && memchr(field.begin, ',', (size_t)(field.end - field.begin)) != NULL) return true;
    return false;
}

static bool both_have(const cli_table_form *form, const cli_lines_pair *lines, char separator) {
    const uint64_t count = cli_count_names(lines->first, lines->first_end, separator);
    return count > 1 && count == cli_count_names(lines->second, lines->second_end, separator) &&
           may_part(form, lines, separator);
}

/* Whether a field between commas or semicolons has a tab inside, so that these stand in the fields of tabs. */
static bool holds_tab(const char *at, const char *end, char separator) {
    cli_field field;
    while (next_field(&at, end, separator, &field))
        if (!field.quoted && memchr(field.begin, '\t', (size_t)(field.end - field.begin)) != NULL) return true;
    return false;
}

static bool are_between_tabs(const cli_table_form *form, const cli_lines_pair *lines, char separator) {
    if (!holds_tab(lines->first, lines->first_end, separator)) return false;
    return lines->second == lines->second_end ||
           (holds_tab(lines->second, lines->second_end, separator) && both_have(form, lines, '\t'));
}

char cli_separator_find(const cli_table_form *form, const cli_lines_pair *lines) {
    static const char separators[] = {',', ';', '\t', ' '};
    if (form->delimiter != '\0') return form->delimiter;
    const char first = separator_of_line(form, lines->first, lines->first_end);
    if ((first == ',' || first == ';') && are_between_tabs(form, lines, first)) return '\t';
    if (form->decimal_comma && both_have(form, lines, ',')) return ',';
    if (lines->second == lines->second_end || both_have(form, lines, first)) return first;
    for (size_t i = 0; i < sizeof separators; i++)
        if (both_have(form, lines, separators[i])) return separators[i];
    return first;
}

bool cli_is_only_name(const cli_text *text, const char *at, const char *end) {
    const cli_column_name *name = &text->form->columns[0];
    while (at < end && cli_field_blank(*at, '\n')) at++;
    while (end > at && cli_field_blank(end[-1], '\n')) end--;
    return text->field_count == 1 && name->number == 0 && (size_t)(end - at) == name->length &&
           memchr(name->name, ' ', name->length) != NULL && memcmp(at, name->name, name->length) == 0;
}

/* What a field of the first two lines can be. */
typedef enum field_kind { FIELD_EMPTY, FIELD_NUMBER, FIELD_WORD } field_kind;

static field_kind kind_of(const cli_table_form *form, const cli_field *field) {
    char room[CLI_TOKEN_BYTES];
    const char *begin = field->begin, *end = field->end;
    double number;
    if (cli_text_misses(form, begin, end) || cli_looks_missing(begin, end) || end - begin > CLI_TOKEN_BYTES)
        return FIELD_EMPTY;
    end = cli_text_number(form, &begin, end, room);
    if (end == NULL || cli_number_parse(JR_F64, begin, end, &number) == CLI_NUMBER_NONE) return FIELD_WORD;
    return FIELD_NUMBER;
}

bool cli_field_is_word(const cli_table_form *form, const cli_field *field) {
    return kind_of(form, field) == FIELD_WORD;
}

/* The numbers of a line as they would be as names: whole, each one more than the one before it. */
typedef struct line_numbers {
    uint64_t count, words, empty;
    bool consecutive, years; /* years: all of them may be one, and they ascend */
    bool begins_empty;
    double first, last;
} line_numbers;

static void add_number(line_numbers *numbers, double number) {
    const bool whole = number >= 0 && number < 1e9 && number == (double)(uint64_t)number;
    numbers->consecutive &= whole && (numbers->count == 0 || number == numbers->last + 1);
    numbers->years &= whole && number >= 1500 && number < 2500 && (numbers->count == 0 || number > numbers->last);
    if (numbers->count == 0) numbers->first = number;
    numbers->last = number;
    numbers->count++;
}

static line_numbers numbers_of(const cli_table_form *form, const char *at, const char *end, char separator) {
    line_numbers numbers = {.consecutive = true, .years = true};
    cli_field field;
    for (uint64_t i = 0; next_field(&at, end, separator, &field); i++) {
        double number = 0;
        const field_kind kind = kind_of(form, &field);
        numbers.words += kind == FIELD_WORD;
        numbers.empty += kind == FIELD_EMPTY;
        if (i == 0) numbers.begins_empty = field.begin == field.end;
        if (kind != FIELD_NUMBER) continue;
        if (cli_number_parse(JR_F64, field.begin, field.end, &number) != CLI_NUMBER_OK) number = -1;
        add_number(&numbers, number);
    }
    return numbers;
}

/* True if the first line's numbers are names: years after a word (country,2020,2021), or pandas' numbers for columns
 * without a name (,0,1,2), while the line below has other numbers. */
static bool are_numbered_names(const cli_table_form *form, const cli_lines_pair *lines, char separator) {
    const line_numbers first = numbers_of(form, lines->first, lines->first_end, separator);
    const line_numbers second = numbers_of(form, lines->second, lines->second_end, separator);
    if (first.count == 0 || first.words + first.empty > 1) return false;
    if (first.begins_empty && first.consecutive && first.first == 0) return !second.begins_empty;
    const bool one_corner = first.words + first.empty == 1 && first.count > 1;
    return one_corner && ((first.years && !second.years) || (first.consecutive && !second.consecutive));
}

/* A name above a number: a word, or a number in quotes where the one below it has none. */
static bool stands_above(const cli_table_form *form, const cli_field *name, const cli_field *below) {
    if (kind_of(form, below) != FIELD_NUMBER) return false;
    const field_kind kind = kind_of(form, name);
    return kind == FIELD_WORD || (kind == FIELD_NUMBER && name->quoted && !below->quoted);
}

bool cli_is_header(const cli_table_form *form, const cli_lines_pair *lines, char separator) {
    const char *at = lines->first, *below = lines->second;
    cli_field name, value;
    if (lines->second == lines->second_end) return false;
    while (next_field(&at, lines->first_end, separator, &name) &&
           next_field(&below, lines->second_end, separator, &value))
        if (stands_above(form, &name, &value)) return true;
    return are_numbered_names(form, lines, separator);
}

bool cli_name_columns(const cli_table_form *form, const char *at, const char *end, char *names, size_t room) {
    cli_lines_pair lines;
    cli_field field;
    size_t used = 0;
    if (!cli_first_lines(form, at, end, true, &lines)) return false;
    const char separator = cli_separator_find(form, &lines);
    if (!cli_is_header(form, &lines, separator)) return false;
    for (const char *next = lines.first; next_field(&next, lines.first_end, separator, &field);) {
        const int length = (int)(field.end - field.begin);
        if (used + (size_t)length + sizeof ", ..." > room) {
            snprintf(names + used, room - used, "%s...", used > 0 ? ", " : "");
            break;
        }
        used += (size_t)snprintf(names + used, room - used, "%s%.*s", used > 0 ? ", " : "", length, field.begin);
    }
    return used > 0;
}

cli_exit cli_check_rest(const cli_text *text, const char *line, const char *at, const char *end, uint64_t number,
                        cli_error *error) {
    uint64_t last = number;
    bool open = false;
    for (cli_field field; at < end && *at != '\n';) {
        at = cli_field_find(at + 1, end, text->separator, &field, &open);
        number++;
        if (field.begin < field.end) last = number;
    }
    if (last <= text->names) return CLI_OK;
    return cli_fail_line(
        &text->place, line, error,
        "the line has %llu fields, but the first line has %llu name%s: a number like 1,234 needs quotes "
        "or another --delimiter, and a column of row names needs a name",
        (unsigned long long)last, (unsigned long long)text->names, text->names == 1 ? "" : "s");
}
