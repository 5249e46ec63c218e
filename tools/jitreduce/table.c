/* Reads columns of a table: CSV by RFC 4180, TSV, or columns between white space. The first line decides what parts the
 * fields; it names the columns, or may do so: then its fields need not be numbers. Every field is read before the line
 * is taken, so that a line that is cut by the end of a block is taken whole or not at all. */
#include <stdio.h>

#include "suggest.h"
#include "text.h"

static bool is_blank(char c, char separator) {
    return c != separator && c != '\n' && c != ',' && cli_kind(c) == CLI_BLANK;
}

static bool is_separator(char c, char separator) {
    return separator == ' ' ? is_blank(c, '\n') : c == separator;
}

/* Finds the quote that closes a field: behind the first one stands `at`. NULL: there is none before the end. */
static const char *closing_quote(const char *at, const char *end, bool *doubled) {
    while ((at = memchr(at, '"', (size_t)(end - at))) != NULL) {
        if (at + 1 == end || at[1] != '"') return at;
        *doubled = true;
        at += 2;
    }
    return NULL;
}

/* Finds the field at `at`, and returns its end: a separator, a newline, or the end of what there is, as it is also of a
 * quoted field that does not end there: *open. */
static const char *find_field(const char *at, const char *end, char separator, cli_field *field, bool *open) {
    *field = (cli_field){.doubled = false};
    while (at < end && is_blank(*at, separator == ' ' ? '\n' : separator)) at++;
    const char *begin = at, *close = NULL;
    if (at < end && *at == '"') {
        close = closing_quote(at + 1, end, &field->doubled);
        *open = close == NULL;
        at = *open ? end : close + 1;
    }
    while (at < end && *at != '\n' && !is_separator(*at, separator)) at++;
    const char *stop = at;
    while (stop > begin && is_blank(stop[-1], separator == ' ' ? '\n' : separator)) stop--;
    const bool quoted = close != NULL && stop == close + 1; /* what follows the quote makes it no quoted field */
    field->begin = quoted ? begin + 1 : begin;
    field->end = quoted ? close : stop;
    return at;
}

/* The end of the line whose fields begin at `at`; NULL: it is not here, for a quoted field or the line does not end. */
static const char *line_end(const char *at, const char *end, char separator) {
    cli_field field;
    bool open = false;
    const char *newline = cli_line_end(at, end);
    if (memchr(at, '"', (size_t)(newline - at)) == NULL) return newline;
    while (at < end && *at != '\n') {
        at = find_field(at, end, separator, &field, &open);
        if (open) return NULL;
        at += at < end && *at != '\n';
    }
    return at;
}

/* The first of comma, semicolon and tab that the line has outside quotes, else white space (' '). */
static char find_separator(const cli_table_form *form, const char *at, const char *end) {
    bool has[128] = {false}, quoted = false;
    if (form->delimiter != '\0') return form->delimiter;
    for (; at < end && (quoted || *at != '\n'); at++) {
        quoted ^= *at == '"';
        if (!quoted && (unsigned char)*at < 128) has[(unsigned char)*at] = true;
    }
    if (has[','] && !form->decimal_comma) return ',';
    return has[';'] ? ';' : has['\t'] ? '\t' : ' ';
}

/* Does a field, with its doubled quotes made single, read as a name? */
static bool is_named(const cli_field *field, const cli_column_name *name) {
    size_t at = 0;
    for (const char *c = field->begin; c < field->end; c++) {
        if (field->doubled && *c == '"') c++;
        if (at == name->length || name->name[at++] != *c) return false;
    }
    return at == name->length;
}

static cli_exit fail_name(const cli_text *text, const char *at, const char *end, const cli_column_name *name,
                          cli_error *error) {
    char typed[CLI_SUGGEST_BYTES], hint[CLI_HINT_BYTES], there[256] = "";
    cli_nearest nearest = {.typed = typed};
    bool open = false;
    snprintf(typed, sizeof typed, "%.*s", (int)name->length, name->name);
    for (size_t used = 0; at < end && *at != '\n'; used = strlen(there)) {
        cli_field field;
        char quoted[64];
        at = find_field(at, end, text->separator, &field, &open);
        at += at < end && *at != '\n';
        snprintf(there + used, sizeof there - used, " '%s'", cli_quote(field.begin, field.end, quoted));
        cli_nearest_offer(&nearest, field.begin, (size_t)(field.end - field.begin));
    }
    const char *near = cli_nearest_hint(&nearest, "", hint);
    return cli_fail_line(&text->place, text->place.block, error, "no column is named '%s': there are%s%s", typed, there,
                         nearest.word[0] != '\0' ? near : "");
}

/* Finds the number of each column that has a name, in the first line. */
static cli_exit find_names(cli_text *text, const char *line, const char *end, cli_error *error) {
    for (int i = 0; i < text->field_count; i++) {
        const cli_column_name *name = &text->form->columns[i];
        uint64_t number = 1;
        bool open = false;
        for (const char *at = line; name->number == 0 && at < end && *at != '\n'; number++) {
            cli_field field;
            at = find_field(at, end, text->separator, &field, &open);
            at += at < end && *at != '\n';
            if (!is_named(&field, name)) continue;
            if (text->numbers[i] != 0)
                return cli_fail_line(&text->place, field.begin, error,
                                     "a second column is named '%.*s': give its number", (int)name->length, name->name);
            text->numbers[i] = number;
        }
        if (name->number != 0) text->numbers[i] = name->number;
        if (text->numbers[i] == 0) return fail_name(text, line, end, name, error);
        if (text->most < text->numbers[i]) text->most = text->numbers[i];
    }
    return CLI_OK;
}

/* Finds the wanted fields of a line; fails where it has too few. */
static cli_exit find_fields(cli_text *text, const char *at, const char *end, cli_error *error) {
    const char *line = at;
    bool open = false;
    for (uint64_t number = 1;; number++, at++) {
        cli_field field;
        at = find_field(at, end, text->separator, &field, &open);
        const bool none = text->separator == ' ' && field.begin == field.end && at == end;
        for (int i = 0; i < text->field_count; i++)
            if (text->numbers[i] == number) text->fields[i] = field;
        if (number == text->most && !none) return CLI_OK;
        if (at < end) continue;
        number -= none;
        return cli_fail_line(&text->place, line, error, "the line has %llu field%s, but column %llu is wanted",
                             (unsigned long long)number, number == 1 ? "" : "s", (unsigned long long)text->most);
    }
}

/* A first line whose columns are given by numbers names them where a field is no number. */
static bool is_header(const cli_text *text) {
    jr_value value;
    for (int i = 0; i < text->column_count; i++) {
        const cli_field *field = &text->fields[i];
        const cli_column *column = &text->columns[i];
        const jr_type type = column->open ? JR_F64 : column->vector.type;
        if (field->begin == field->end || cli_text_misses(text->form, field->begin, field->end)) continue;
        if (text->form->decimal_comma && memchr(field->begin, ',', (size_t)(field->end - field->begin))) continue;
        if (field->end - field->begin > CLI_TOKEN_BYTES) continue;
        if (cli_number_parse(type, field->begin, field->end, &value.as) == CLI_NUMBER_NONE) return true;
    }
    return false;
}

/* "column 3: " or "column 'price': ", for a message. */
static const char *column_text(const cli_column_name *name, char text[CLI_HINT_BYTES]) {
    char quoted[64];
    if (name->number != 0)
        snprintf(text, CLI_HINT_BYTES, "column %llu: ", (unsigned long long)name->number);
    else
        snprintf(text, CLI_HINT_BYTES, "column '%s': ", cli_quote(name->name, name->name + name->length, quoted));
    return text;
}

static cli_exit append_key(cli_text *text, cli_error *error) {
    const cli_field *key = &text->fields[text->column_count];
    if (!text->form->keyed || cli_key_column_append(text->keys, key->begin, key->end, key->doubled)) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "%s: out of memory for the keys of --group-by", text->place.name);
}

/* A line whose key is missing is left out whatever becomes of other missing values: it belongs to no group. */
static cli_exit append_fields(cli_text *text, cli_error *error) {
    const cli_table_form *form = text->form;
    for (int i = form->skips_missing ? 0 : text->column_count; i < text->field_count; i++)
        if (cli_text_misses(form, text->fields[i].begin, text->fields[i].end)) return CLI_OK;
    for (int i = 0; i < text->column_count; i++) {
        const cli_field *field = &text->fields[i];
        char what[CLI_HINT_BYTES];
        const cli_number_status reason = cli_text_append(text, &text->columns[i], field->begin, field->end);
        if (reason != CLI_NUMBER_OK)
            return cli_fail_word(text, column_text(&form->columns[i], what), (const char *[]){field->begin, field->end},
                                 text->columns[i].vector.type, reason, error);
    }
    return append_key(text, error);
}

/* The fields of one line that is whole. */
static cli_exit take_line(cli_text *text, const char *at, const char *end, cli_error *error) {
    const bool first = text->most == 0;
    bool named = false;
    cli_exit code = CLI_OK;
    for (int i = 0; i < text->field_count; i++) named |= text->form->columns[i].number == 0;
    if (first) code = find_names(text, at, end, error);
    if (code != CLI_OK || (first && named)) return code;
    code = find_fields(text, at, end, error);
    if (code != CLI_OK || (first && is_header(text))) return code;
    return append_fields(text, error);
}

static bool is_skipped(const char *line, const char *end) {
    while (line < end && is_blank(*line, '\n')) line++;
    return line == end || *line == '\n' || *line == '#';
}

cli_exit cli_take_lines(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error) {
    const char *at = text->place.block;
    while (at < end) {
        const char *newline = cli_line_end(at, end), *stop = newline;
        if (newline == end && !last && end - at <= CLI_LINE_BYTES) break;
        const bool skipped = is_skipped(at, newline);
        if (!skipped) {
            if (text->separator == '\0') text->separator = find_separator(text->form, at, end);
            stop = line_end(at, end, text->separator);
        }
        if ((stop == NULL || stop == end) && !last && end - at <= CLI_LINE_BYTES) break;
        if ((stop != NULL ? stop : end) - at > CLI_LINE_BYTES)
            return cli_fail_line(&text->place, at, error, "the line is longer than %d bytes", CLI_LINE_BYTES);
        if (stop == NULL) return cli_fail_line(&text->place, at, error, "a quoted field of this line does not end");
        if (!skipped) {
            const cli_exit code = take_line(text, at, stop, error);
            if (code != CLI_OK) return code;
        }
        at = stop + (stop < end);
        if (stop == newline && stop < end)
            text->place = (cli_place){.name = text->place.name, .block = at, .lines = text->place.lines + 1};
        else
            cli_place_move(&text->place, at);
    }
    *stopped = at;
    return CLI_OK;
}
