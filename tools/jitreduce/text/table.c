/* Reads columns of a table: CSV by RFC 4180, TSV, or columns between white space. The first line decides what parts the
 * fields; it names the columns, or may do so: then its fields need not be numbers. Every field is read before the line
 * is taken, so that a line that is cut by the end of a block is taken whole or not at all. */
#include <stdio.h>

#include "base/suggest.h"
#include "blank_lines.h"
#include "table_names.h"
#include "table_note.h"
#include "text_code.h"

/* Finds the wanted fields of a line; fails where it has too few, or more than there are names. */
static cli_exit find_fields(cli_text *text, const char *at, const char *end, cli_error *error) {
    const char *line = at;
    bool open = false;
    int next = 0;
    for (uint64_t number = 1;; number++, at++) {
        cli_field field;
        at = cli_field_find(at, end, text->separator, &field, &open);
        const bool none = text->separator == ' ' && !field.quoted && field.begin == field.end && at == end;
        while (next < text->field_count && text->numbers[text->order[next]] == number)
            text->fields[text->order[next++]] = field;
        if (number == text->most && !none)
            return text->names > 0 ? cli_check_rest(text, line, at, end, number, error) : CLI_OK;
        if (at < end) continue;
        number -= none;
        char advice[CLI_HINT_BYTES], named[CLI_HINT_BYTES];
        return cli_fail_line(&text->place, line, error, "the line has %llu field%s, but column %llu is wanted%s%s%s",
                             (unsigned long long)number, number == 1 ? "" : "s", (unsigned long long)text->most,
                             cli_name_advice(text, line, end, named), cli_comment_advice(text),
                             cli_delimiter_advice(text->form, line, end, advice));
    }
}

/* A first line whose columns are given by numbers names them where a field that is wanted is no number. */
static bool has_words(const cli_text *text) {
    jr_value value;
    for (int i = 0; i < text->column_count; i++) {
        const cli_field *field = &text->fields[i];
        const cli_column *column = &text->columns[i];
        const jr_type type = column->open ? JR_F64 : column->vector.type;
        const char *begin = field->begin;
        char room[CLI_TOKEN_BYTES];
        if (cli_table_column(text->form, i)->texts != NULL) continue;
        if (begin == field->end || cli_text_misses(text->form, begin, field->end)) continue;
        if (field->end - begin > CLI_TOKEN_BYTES) continue;
        const char *end = cli_text_number(text->form, &begin, field->end, room);
        if (end == NULL || cli_number_parse(type, begin, end, &value.as) == CLI_NUMBER_NONE) return true;
    }
    return false;
}

/* Whether a line whose wanted fields are all empty names other columns: it holds a word. */
static bool names_others(const cli_text *text, const char *at, const char *end) {
    bool open = false, words = false;
    for (int i = 0; i < text->column_count; i++)
        if (text->fields[i].begin != text->fields[i].end || cli_text_misses(text->form, end, end)) return false;
    while (at < end && *at != '\n' && !words) {
        cli_field field;
        double number;
        at = cli_field_find(at, end, text->separator, &field, &open);
        at += at < end && *at != '\n';
        words = field.begin < field.end && cli_number_parse(JR_F64, field.begin, field.end, &number) == CLI_NUMBER_NONE;
    }
    return words;
}

static bool take_key(cli_text *text) {
    cli_key_part parts[CLI_KEYS_MAX];
    const int count = text->form->key_count;
    for (int i = 0; i < count; i++) {
        const cli_field *key = &text->fields[text->column_count + i];
        const bool raw = text->form->raw_keys;
        parts[i] = (cli_key_part){raw ? key->raw_begin : key->begin, raw ? key->raw_end : key->end, key->doubled};
    }
    if (count > 1) return cli_key_parts_append(text->keys, parts, count);
    return cli_key_column_append(text->keys, parts[0].begin, parts[0].end, parts[0].doubled);
}

static cli_exit append_key(cli_text *text, cli_error *error) {
    if (text->form->key_count == 0 || take_key(text)) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "%s: out of memory for the keys of --group-by", text->place.name);
}

/* A number may have blanks inside its quotes: " 6 ". */
static cli_field without_blanks(const cli_field *field) {
    cli_field inner = *field;
    while (inner.begin < inner.end && cli_field_blank(*inner.begin, '\n')) inner.begin++;
    while (inner.begin < inner.end && cli_field_blank(inner.end[-1], '\n')) inner.end--;
    return inner;
}

/* Appends the number that stands for a text; a missing one compares as NaN does: it is unequal to all. */
static cli_number_status append_code(cli_text *text, int column) {
    const cli_field *field = &text->fields[column];
    const bool whole_line = cli_table_column(text->form, column)->whole_line;
    if (!whole_line && text->form->missing != NULL && cli_text_misses(text->form, field->begin, field->end))
        return cli_column_append_nan(&text->columns[column]);
    return cli_column_append_code(&text->columns[column],
                                  cli_text_code(cli_table_column(text->form, column)->texts, field));
}

/* A line whose key is missing is skipped, whatever happens to other missing values: it belongs to no group. */
static cli_exit append_fields(cli_text *text, cli_error *error) {
    const cli_table_form *form = text->form;
    for (int i = form->skips_missing ? 0 : text->column_count; i < text->field_count; i++) {
        if (cli_table_column(form, i)->whole_line) continue;
        if (!cli_text_misses(form, text->fields[i].begin, text->fields[i].end)) continue;
        if (text->beyond != NULL && i >= text->column_count) text->beyond->keyless++;
        if (text->beyond != NULL && i < text->column_count) text->beyond->left_out++;
        return CLI_OK;
    }
    for (int i = 0; i < text->column_count; i++) {
        const cli_field field = without_blanks(&text->fields[i]);
        char what[CLI_HINT_BYTES];
        const cli_number_status reason = cli_table_column(form, i)->texts != NULL
                                             ? append_code(text, i)
                                             : cli_text_append(text, &text->columns[i], field.begin, field.end);
        if (reason != CLI_NUMBER_OK)
            return cli_fail_word(text, cli_column_text(cli_table_column(form, i), what),
                                 (const char *[]){field.begin, field.end}, text->columns[i].vector.type, reason, error);
    }
    return append_key(text, error);
}

/* The fields of one line that is whole. */
static cli_exit take_line(cli_text *text, const char *at, const char *end, cli_error *error) {
    const bool first = text->most == 0;
    bool named = false;
    for (int i = 0; i < text->field_count; i++) named |= cli_table_column(text->form, i)->number == 0;
    cli_exit code = first ? cli_find_names(text, at, end, error) : CLI_OK;
    if (first && named && text->form->uses_index && cli_has_column(text, at, end, "i")) cli_note_index(text, at);
    const bool sure = first && (named || text->form->header == CLI_HEADER_YES);
    if (code == CLI_OK && !sure) code = find_fields(text, at, end, error);
    if (code != CLI_OK) return code;
    if (first) text->single = text->field_count == 1 && cli_count_names(at, end, text->separator) == 1;
    const bool open = first && !sure && text->form->header == CLI_HEADER_AUTO, words = open && has_words(text);
    const bool names = words || (open && (text->looks_named || names_others(text, at, end)));
    if (!sure && !names) return append_fields(text, error);
    text->names = cli_count_names(at, end, text->separator);
    if (names) cli_note_names(text, words);
    return CLI_OK;
}

/* Whether every column that is wanted by name has it in this line. */
static bool has_names(const cli_text *text, const char *at, const char *end) {
    bool named = false;
    for (int i = 0; i < text->field_count; i++) {
        const char *again;
        const cli_column_name *name = cli_table_column(text->form, i);
        if (name->number != 0) continue;
        named = true;
        if (cli_find_name(text, at, end, name, &again) == 0) return false;
    }
    return named;
}

/* The names may be in a comment before the first line, after its sign ("# x y") or with it ("#id,price"). Returns where
 * they begin; NULL: the comment has no requested name. */
static const char *names_in_comment(cli_text *text, const char *at, const char *end) {
    const char *behind = at;
    if (text->most != 0) return NULL;
    while (behind < end && cli_field_blank(*behind, '\n')) behind++;
    at = behind;
    if (behind == end || *behind != '#') return NULL;
    behind++;
    const char before = text->separator;
    const cli_lines_pair alone = {.first = at, .first_end = end};
    if (before == '\0') text->separator = cli_separator_find(text->form, &alone);
    if (has_names(text, behind, end)) return behind;
    if (has_names(text, at, end)) return at;
    text->separator = before;
    return NULL;
}

/* Compares the first line with the second: finds the separator of fields, and whether the first line looks like names.
 * False: the second line has not been read yet. */
static bool begin_table(cli_text *text, const char *line, const char *end, bool last) {
    cli_lines_pair lines;
    if (!cli_first_lines(text->form, line, end, last, &lines)) return false;
    if (text->separator == '\0' && cli_is_only_name(text, line, lines.first_end)) text->separator = ',';
    if (text->separator == '\0') {
        text->separator = cli_separator_find(text->form, &lines);
        cli_note_separator(text, &lines);
    }
    text->looks_named = cli_is_header(text->form, &lines, text->separator);
    return true;
}

/* A text without a line has no columns of any name. */
static cli_exit check_named(const cli_text *text, cli_error *error) {
    for (int i = 0; i < text->field_count; i++) {
        const cli_column_name *name = cli_table_column(text->form, i);
        if (name->number == 0)
            return cli_fail(error, CLI_FAILURE, "%s: has no line of names, so that column '%.*s' cannot be found",
                            text->place.name, (int)name->length, name->name);
    }
    return CLI_OK;
}

cli_exit cli_take_lines(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error) {
    const char *at = text->place.block;
    while (at < end) {
        const char *newline = cli_line_end(at, end), *stop = newline;
        if (newline == end && !last && end - at <= CLI_LINE_BYTES) break;
        const char *names = names_in_comment(text, at, newline);
        const bool skipped =
            names == NULL && (cli_line_skipped(text->form, at, newline) || cli_take_sep(text, at, newline));
        const char *line = names != NULL ? names : at;
        if (!skipped && text->most == 0 && !begin_table(text, line, end, last)) break;
        if (!skipped) stop = cli_fields_end(line, end, text->separator);
        if ((stop == NULL || stop == end) && !last && end - at <= CLI_LINE_BYTES) break;
        if ((stop != NULL ? stop : end) - at > CLI_LINE_BYTES)
            return cli_fail_line(&text->place, at, error, "the line is longer than %d bytes", CLI_LINE_BYTES);
        if (stop == NULL) return cli_fail_line(&text->place, at, error, "a quoted field of this line does not end");
        const char *lone = skipped || text->most != 0 ? NULL : cli_lone_return(line, stop);
        if (lone != NULL)
            return cli_fail_line(&text->place, lone, error,
                                 "lines that end in a carriage return alone are not read: tr '\\r' '\\n' makes lines");
        if (skipped && text->single) cli_blank_count(text, at, newline);
        if (!skipped) {
            cli_exit code = text->blanks > 0 ? cli_blank_take(text, error) : CLI_OK;
            if (code == CLI_OK && text->columns->vector.used < text->most_used)
                code = take_line(text, line, stop, error);
            if (code != CLI_OK) return code;
        }
        if (text->columns[0].vector.used >= text->most_used) break;
        at = stop + (stop < end);
        if (stop == newline && stop < end)
            text->place = (cli_place){.name = text->place.name, .block = at, .lines = text->place.lines + 1};
        else
            cli_place_move(&text->place, at);
    }
    *stopped = at;
    return last && text->most == 0 ? check_named(text, error) : CLI_OK;
}
