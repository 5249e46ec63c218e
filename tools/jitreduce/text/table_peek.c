/* Looks at the names and the first values of a table before it is read. */
#include "table_peek.h"

#include <stdlib.h>
#include <string.h>

#include "table_head.h"

/* The first line that is one of the table. */
static const char *skip_lines(cli_text *text, const char *at, const char *end) {
    uint64_t skipped = 0;
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0) at += 3;
    while (at < end) {
        const char *newline = cli_line_end(at, end);
        const bool asked = skipped < text->form->skip_lines;
        if (!asked && !cli_line_skipped(text->form, at, newline) && !cli_take_sep(text, at, newline)) break;
        skipped += asked;
        at = newline + (newline < end);
    }
    return at;
}

/* A copy of a field, its doubled quotes made single. */
static char *copy_field(const cli_field *field) {
    char *copy = malloc((size_t)(field->end - field->begin) + 1), *to = copy;
    for (const char *c = field->begin; copy != NULL && c < field->end; c++) {
        *to++ = *c;
        c += field->doubled && *c == '"' && c + 1 < field->end && c[1] == '"';
    }
    if (copy != NULL) *to = '\0';
    return copy;
}

/* The field at *at, which moves past it; false: the line has no more. */
static bool next_field(const char **at, const char *end, char separator, cli_field *field) {
    bool open = false;
    if (*at == NULL) return false;
    const char *stop = cli_field_find(*at, end, separator, field, &open);
    *at = stop < end && *stop != '\n' ? stop + 1 : NULL;
    return *at != NULL || separator != ' ' || field->begin < field->end;
}

static cli_exit take_fields(const cli_table_form *form, const cli_lines_pair *lines, char separator,
                            cli_table_peek *peek, cli_error *error) {
    const char *at = lines->first, *below = peek->named ? lines->second : lines->first;
    const char *end = peek->named ? lines->second_end : lines->first_end;
    cli_field field;
    bool done = true;
    peek->names = calloc(CLI_MANY_MAX, sizeof *peek->names);
    peek->words = calloc(CLI_MANY_MAX, sizeof *peek->words);
    if (peek->names == NULL || peek->words == NULL) return cli_fail(error, CLI_FAILURE, "--column: out of memory");
    while (next_field(&at, lines->first_end, separator, &field)) {
        peek->beyond = peek->count == CLI_MANY_MAX;
        if (peek->beyond) break;
        if (peek->named) peek->names[peek->count] = copy_field(&field);
        done &= !peek->named || peek->names[peek->count] != NULL;
        peek->count++;
    }
    for (uint64_t i = 0; i < peek->count && next_field(&below, end, separator, &field); i++) {
        const bool nothing = peek->named && peek->names[i] != NULL && peek->names[i][0] == '\0';
        peek->words[i] = cli_field_is_word(form, &field) || (nothing && field.begin == field.end);
    }
    return done ? CLI_OK : cli_fail(error, CLI_FAILURE, "--column: out of memory");
}

cli_exit cli_table_peek_at(const cli_table_form *form, const char *bytes, size_t size, bool last, cli_table_peek *peek,
                           cli_error *error) {
    const char *end = bytes + size;
    cli_text text = cli_text_of("", form, NULL);
    cli_lines_pair lines;
    *peek = (cli_table_peek){.count = 0};
    const char *at = skip_lines(&text, bytes, end);
    peek->more = !last && (at == end || !cli_first_lines(form, at, end, last, &lines));
    if (peek->more || at == end || (last && !cli_first_lines(form, at, end, last, &lines))) return CLI_OK;
    const char separator = text.separator != '\0' ? text.separator : cli_separator_find(form, &lines);
    peek->named =
        form->header == CLI_HEADER_YES || (form->header == CLI_HEADER_AUTO && cli_is_header(form, &lines, separator));
    return take_fields(form, &lines, separator, peek, error);
}

void cli_table_peek_free(cli_table_peek *peek) {
    for (uint64_t i = 0; peek->names != NULL && i < peek->count; i++) free(peek->names[i]);
    free(peek->names);
    free(peek->words);
    *peek = (cli_table_peek){.count = 0};
}
