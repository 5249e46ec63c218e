/* Reads every number of a text, between white space and commas. '#' begins a comment. A comma may end a line; two of
 * them without a number in between, or one that begins a line, leave a field empty, which is no number. */
#include "text.h"

#include <stdio.h>
#include <strings.h>

cli_text cli_text_of(const char *name, const cli_table_form *form, cli_column *columns) {
    return (cli_text){.form = form,
                      .place = {.name = name},
                      .columns = columns,
                      .column_count = cli_table_columns(form),
                      .field_count = cli_table_columns(form) + form->keyed,
                      .empty = true};
}

bool cli_text_misses(const cli_table_form *form, const char *begin, const char *end) {
    const size_t length = (size_t)(end - begin);
    for (const char *word = form->missing; word != NULL;) {
        const size_t bytes = strcspn(word, ",");
        if (bytes == length && memcmp(word, begin, length) == 0) return true;
        word = word[bytes] == ',' ? word + bytes + 1 : NULL;
    }
    return false;
}

/* The number with a point where it has a comma. */
static cli_number_status append_decimal(cli_column *column, const char *begin, const char *end) {
    char text[CLI_TOKEN_BYTES];
    const size_t length = (size_t)(end - begin);
    if (length > sizeof text) return CLI_NUMBER_TOO_LONG;
    for (size_t i = 0; i < length; i++) {
        if (begin[i] == '.') return CLI_NUMBER_NONE;
        text[i] = begin[i] == ',' ? '.' : begin[i];
    }
    return cli_column_append(column, text, text + length);
}

cli_number_status cli_text_append(cli_text *text, cli_column *column, const char *begin, const char *end) {
    const cli_table_form *form = text->form;
    if (form->missing != NULL && cli_text_misses(form, begin, end))
        return form->skips_missing ? CLI_NUMBER_OK : cli_column_append_nan(column);
    return form->decimal_comma ? append_decimal(column, begin, end) : cli_column_append(column, begin, end);
}

static bool is_binary(const char *begin, const char *end) {
    for (; begin < end; begin++)
        if ((unsigned char)*begin < 0x20 && *begin != '\t' && *begin != '\r') return true;
    return false;
}

/* Whether other programs write [begin, end) for a missing value. */
static bool looks_missing(const char *begin, const char *end) {
    static const char *const words[] = {"", "-", "?", ".", "NA", "N/A", "NULL", "None"};
    const size_t length = (size_t)(end - begin);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], begin, length) == 0) return true;
    return false;
}

/* What to do about a word that is no number. */
static const char *advise(const char *begin, const char *end, cli_number_status reason) {
    if (is_binary(begin, end)) return "; for binary data give --raw and --type";
    return reason == CLI_NUMBER_NONE && looks_missing(begin, end)
               ? "; if it stands for a missing value, name it by --na"
               : "";
}

cli_exit cli_fail_word(cli_text *text, const char *what, const char *const word[2], jr_type type,
                       cli_number_status reason, cli_error *error) {
    char detail[192];
    text->wider = reason == CLI_NUMBER_WIDER;
    if (reason == CLI_NUMBER_NONE && cli_text_misses(text->form, word[0], word[1]))
        return cli_fail_line(&text->place, word[0], error,
                             "%sa missing value, and %s has no NaN: give --missing skip, or a type of floats", what,
                             jr_type_name(type));
    return cli_fail_line(&text->place, word[0], error, "%s%s%s", what,
                         cli_number_explain(reason, type, word[0], word[1], detail), advise(word[0], word[1], reason));
}

/* With a decimal comma ';' stands where the comma does. */
static inline int kind_of(char c, char comma) {
    if (comma == ',') return cli_kind(c);
    return c == ',' ? CLI_PLAIN : c == ';' ? CLI_BLANK : cli_kind(c);
}

/* Takes blanks; false on a comma behind an empty field, which it leaves there. */
static bool take_blanks(cli_text *text, const char **at, const char *end, char comma) {
    for (; *at < end && kind_of(**at, comma) == CLI_BLANK; ++*at) {
        if (**at == comma && text->empty) return false;
        if (**at == comma) text->empty = true;
        if (**at != '\n') continue;
        text->empty = true;
        text->place.lines++;
        text->place.bytes = 0;
        text->place.block = *at + 1;
    }
    return true;
}

/* The end of the word at `at`, or a place behind its greatest length. */
static const char *word_end(const char *at, const char *end, char comma) {
    const char *limit = end - at > CLI_TOKEN_BYTES ? at + CLI_TOKEN_BYTES + 1 : end;
    while (at < limit && kind_of(*at, comma) == CLI_PLAIN) at++;
    return at;
}

cli_exit cli_take_numbers(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error) {
    const char *at = text->place.block, comma = text->form->decimal_comma ? ';' : ',';
    const bool is_plain = text->form->missing == NULL && !text->form->decimal_comma;
    cli_column *column = &text->columns[0];
    for (;;) {
        if (text->in_comment) at = cli_line_end(at, end);
        if (at < end) text->in_comment = false;
        if (!take_blanks(text, &at, end, comma))
            return cli_fail_line(&text->place, at, error, "an empty field before the comma");
        if (at == end) break;
        if (*at == '#') {
            text->in_comment = true;
            continue;
        }
        const char *begin = at;
        at = word_end(begin, end, comma);
        if (at == end && !last && at - begin <= CLI_TOKEN_BYTES) {
            at = begin;
            break;
        }
        const cli_number_status reason =
            is_plain ? cli_column_append(column, begin, at) : cli_text_append(text, column, begin, at);
        if (reason != CLI_NUMBER_OK)
            return cli_fail_word(text, "", (const char *[]){begin, at}, column->vector.type, reason, error);
        text->empty = false;
    }
    *stopped = at;
    return CLI_OK;
}

/* UTF-8's byte order mark, which spreadsheets write. */
static bool has_mark(const char *block, size_t bytes) {
    return bytes >= 3 && memcmp(block, "\xef\xbb\xbf", 3) == 0;
}

cli_exit cli_text_take(cli_text *text, const char *block, size_t bytes, bool last, size_t *taken, cli_error *error) {
    const char *stopped = block;
    *taken = 0;
    text->place.block = block;
    if (!text->begun) {
        if (bytes < 3 && !last) return CLI_OK;
        if (has_mark(block, bytes)) cli_place_move(&text->place, block + 3);
        text->begun = true;
    }
    const cli_exit code =
        (text->form->column_count > 0 ? cli_take_lines : cli_take_numbers)(text, block + bytes, last, &stopped, error);
    if (code != CLI_OK) return code;
    cli_place_move(&text->place, stopped);
    *taken = (size_t)(stopped - block);
    return CLI_OK;
}
