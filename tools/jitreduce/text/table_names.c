/* Looks for names of columns in the first line of a table. */
#include "table_names.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "table_head.h"

/* Does a field, with its doubled quotes made single, read as a name? */
static bool is_named(const cli_field *field, const cli_column_name *name) {
    size_t at = 0;
    for (const char *c = field->begin; c < field->end; c++, at++) {
        if (field->doubled && *c == '"') c++;
        if (at == name->length || name->name[at] != *c) return false;
        if (name->doubled && *c == '"') at++;
    }
    return at == name->length;
}

static cli_exit fail_name(const cli_text *text, const char *at, const char *end, const cli_column_name *name,
                          cli_error *error) {
    const bool is_key = name >= text->form->keys && name < text->form->keys + text->form->key_count;
    char typed[CLI_SUGGEST_BYTES], hint[CLI_HINT_BYTES], there[256] = "", advice[CLI_HINT_BYTES], file[CLI_HINT_BYTES];
    cli_nearest nearest = {.typed = typed};
    bool open = false, has_commas = false, utf8 = true;
    snprintf(typed, sizeof typed, "%.*s", (int)name->length, name->name);
    for (size_t used = 0; at < end && *at != '\n'; used = strlen(there)) {
        cli_field field;
        char quoted[64];
        at = cli_field_find(at, end, text->separator, &field, &open);
        at += at < end && *at != '\n';
        snprintf(there + used, sizeof there - used, " '%s'", cli_quote(field.begin, field.end, quoted));
        has_commas |= memchr(field.begin, ',', (size_t)(field.end - field.begin)) != NULL;
        utf8 &= cli_is_utf8(field.begin, field.end);
        if (utf8) cli_nearest_offer(&nearest, field.begin, (size_t)(field.end - field.begin));
    }
    const char *near = cli_nearest_hint(&nearest, "", hint);
    char of[64] = "", alone[256] = "";
    if (name->option != NULL) snprintf(of, sizeof of, ", which --%s has", name->option);
    if (name->advice != NULL) snprintf(alone, sizeof alone, "; if it is no column, %s", name->advice);
    return cli_fail_line(&text->place, text->place.block, error, "no column is named '%s'%s: there are%s%s%s%s%s%s%s%s",
                         typed, of, there, utf8 ? "" : CLI_LATIN_ADVICE,
                         has_commas && text->separator == ',' && nearest.word[0] == '\0'
                             ? " (a name with a comma is given in double quotes)"
                             : "",
                         nearest.word[0] != '\0' ? near : cli_range_advice(name),
                         is_key ? cli_key_file_advice(typed, file) : "", alone, cli_comment_advice(text),
                         cli_delimiter_advice(text->form, text->place.block, end, advice));
}

uint64_t cli_find_name(const cli_text *text, const char *at, const char *end, const cli_column_name *name,
                       const char **again) {
    uint64_t found = 0;
    bool open = false;
    *again = NULL;
    for (uint64_t number = 1; at < end && *at != '\n' && *again == NULL; number++) {
        cli_field field;
        at = cli_field_find(at, end, text->separator, &field, &open);
        at += at < end && *at != '\n';
        if (!is_named(&field, name)) continue;
        if (found != 0) *again = field.begin;
        if (found == 0) found = number;
    }
    return found;
}

bool cli_has_column(const cli_text *text, const char *at, const char *end, const char *name) {
    const cli_column_name wanted = {.name = name, .length = strlen(name)};
    const char *again;
    return cli_find_name(text, at, end, &wanted, &again) != 0;
}

/* Where expressions name columns, no parameter has the name of one. */
static cli_exit check_parameters(const cli_text *text, const char *line, const char *end, cli_error *error) {
    const char *again;
    for (int i = 0; i < text->form->parameter_count; i++) {
        const cli_column_name *name = &text->form->parameters[i];
        if (cli_find_name(text, line, end, name, &again) == 0) continue;
        return cli_fail_line(&text->place, line, error,
                             "column '%s' has the name of a --param: give the parameter another name; the column "
                             "is written `%s`",
                             name->name, name->name);
    }
    return CLI_OK;
}

/* Two columns of a name: numbers distinguish them, which an expression has only by --column. */
static cli_exit fail_again(const cli_text *text, const char *line, const char *again, const cli_column_name *name,
                           cli_error *error) {
    const char *end = again;
    uint64_t first = 0, second = 1;
    bool open = false;
    for (const char *at = line; at < end; second++) {
        cli_field field;
        at = cli_field_find(at, end, text->separator, &field, &open);
        if (first == 0 && is_named(&field, name)) first = second;
        at += at < end;
    }
    return cli_fail_line(&text->place, again, error,
                         "a second column is named '%.*s': columns %llu and %llu; give the number of one%s",
                         (int)name->length, name->name, (unsigned long long)first, (unsigned long long)second,
                         name->option != NULL ? " to --column, which makes it x" : "");
}

/* Finds the order in which the wanted fields stand in a line. Most lists are short, or in order. */
static void sort_fields(cli_text *text) {
    for (int i = 0; i < text->field_count; i++) {
        int at = i;
        for (; at > 0 && text->numbers[text->order[at - 1]] > text->numbers[i]; at--)
            text->order[at] = text->order[at - 1];
        text->order[at] = i;
    }
}

cli_exit cli_find_names(cli_text *text, const char *line, const char *end, cli_error *error) {
    const cli_exit code = check_parameters(text, line, end, error);
    if (code != CLI_OK) return code;
    for (int i = 0; i < text->field_count; i++) {
        const cli_column_name *name = cli_table_column(text->form, i);
        const char *again = NULL;
        text->numbers[i] = name->number != 0 ? name->number : cli_find_name(text, line, end, name, &again);
        if (again != NULL) return fail_again(text, line, again, name, error);
        if (text->numbers[i] == 0) return fail_name(text, line, end, name, error);
        if (text->most < text->numbers[i]) text->most = text->numbers[i];
    }
    sort_fields(text);
    return CLI_OK;
}

const char *cli_name_advice(const cli_text *text, const char *line, const char *end, char advice[CLI_HINT_BYTES]) {
    char name[24];
    snprintf(name, sizeof name, "%llu", (unsigned long long)text->most);
    advice[0] = '\0';
    if (cli_has_column(text, line, end, name))
        snprintf(advice, CLI_HINT_BYTES, ": a number counts columns, and the name is written in quotes: '\"%s\"'",
                 name);
    return advice;
}
