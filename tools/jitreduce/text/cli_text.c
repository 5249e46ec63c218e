/* Reads every number of a text, between white space and commas. A word that begins with '#' begins a comment. A comma
 * may end a line; two of them without a number in between, or one that begins a line, leave a field empty, which is no
 * number. */
#include "cli_text.h"

#include <math.h>
#include <stdio.h>

#include "grouped_lines.h"
#include "word_advice.h"

cli_text cli_text_of(const char *name, const cli_table_form *form, cli_column *columns) {
    return (cli_text){.form = form,
                      .place = {.name = name},
                      .columns = columns,
                      .column_count = cli_table_columns(form),
                      .field_count = cli_table_columns(form) + form->key_count,
                      .most_elements = UINT64_MAX,
                      .empty = true};
}

static const char *describe_beyond(const cli_column *column, double number) {
    if (isinf(number)) return "this number is out of the range of f64 and is read as inf";
    if (column->lost)
        return "this whole number, or one before it, is rounded: fractions, missing values, and numbers beyond both "
               "i64 and u64 have all read as f64; "
               "--missing skip keeps whole numbers";
    if (!column->divides || fabs(number) > 0x1p64)
        return "no integer type holds this number and the others: all are read as f64";
    return number < 0x1p63 ? "this whole number is rounded, for an expression divides, and all are read as f64: --type "
                             "i64 keeps whole numbers, and cuts quotients"
                           : "this whole number is rounded, for an expression divides, and all are read as f64: --type "
                             "u64 keeps whole numbers, and cuts quotients";
}

/* Tells of a number that the column took as less than it is. */
static void note_beyond(cli_text *text, const cli_column *column, const char *begin) {
    cli_beyond *beyond = text->beyond;
    cli_error noted;
    double number;
    if (beyond == NULL) return;
    memcpy(&number, column->vector.bytes + column->vector.used - sizeof number, sizeof number);
    beyond->infinite += isinf(number) ? 1 : 0;
    if (beyond->note[0] != '\0') return;
    cli_error_set_line(&text->place, begin, &noted, "%s", describe_beyond(column, number));
    snprintf(beyond->note, sizeof beyond->note, "%.*s", (int)sizeof beyond->note - 1, noted.message);
}

static cli_number_status append_missing(cli_text *text, cli_column *column, const char *begin) {
    const bool skips = text->form->skips_missing;
    cli_number_status status = skips ? CLI_NUMBER_OK : cli_column_append_nan(column);
    if (status == CLI_NUMBER_BEYOND) note_beyond(text, column, begin);
    if (status == CLI_NUMBER_BEYOND) status = CLI_NUMBER_OK;
    if (text->beyond != NULL) text->beyond->left_out += skips;
    if (text->beyond != NULL) text->beyond->missing += !skips && status == CLI_NUMBER_OK;
    return status;
}

cli_number_status cli_text_append(cli_text *text, cli_column *column, const char *begin, const char *end) {
    const cli_table_form *form = text->form;
    char room[CLI_TOKEN_BYTES];
    const char *number = begin;
    if (form->missing != NULL && cli_text_misses(form, begin, end)) return append_missing(text, column, begin);
    const char *stop = cli_text_number(form, &number, end, room);
    if (stop == NULL) return end - begin > CLI_TOKEN_BYTES ? CLI_NUMBER_TOO_LONG : CLI_NUMBER_NONE;
    const cli_number_status status = cli_column_append(column, number, stop);
    if (status != CLI_NUMBER_BEYOND) return status;
    note_beyond(text, column, begin);
    return CLI_NUMBER_OK;
}

cli_number_status cli_text_append_key(cli_text *text, const char *begin, const char *end) {
    if (end - begin > CLI_TOKEN_BYTES) return CLI_NUMBER_TOO_LONG;
    const bool misses = cli_text_misses(text->form, begin, end);
    const bool done =
        misses ? cli_key_column_append_missing(text->keys) : cli_key_column_append(text->keys, begin, end, false);
    if (misses && text->beyond != NULL) text->beyond->keyless++;
    if (!text->line_filled && text->beyond != NULL) text->beyond->lines.filled++;
    text->line_filled = true;
    return done ? CLI_NUMBER_OK : CLI_NUMBER_NO_MEMORY;
}

const char *cli_comment_advice(const cli_text *text) {
    return text->form->column_count > 0 && *text->place.block == '#'
               ? "; lines that begin with '#' are left out by --comment '#'"
               : "";
}

cli_exit cli_fail_word(cli_text *text, const char *what, const char *const word[2], jr_type type,
                       cli_number_status reason, cli_error *error) {
    char detail[192], room[CLI_ADVICE_BYTES];
    const bool commented = *cli_comment_advice(text) != '\0';
    const char *advice =
        commented ? cli_comment_advice(text) : cli_word_advice(text->form, word[0], word[1], reason, room);
    text->wider = reason == CLI_NUMBER_WIDER;
    if (reason == CLI_NUMBER_NONE && cli_text_misses(text->form, word[0], word[1]))
        return cli_fail_line(&text->place, word[0], error,
                             "%sa missing value, and %s has no NaN: give --missing skip, or a type of floats", what,
                             jr_type_name(type));
    cli_error_set_line(&text->place, word[0], error, "%s%s%s", what,
                       cli_number_explain(reason, type, word[0], word[1], detail), advice);
    text->first_word = reason == CLI_NUMBER_NONE && *advice == '\0' && text->form->column_count == 0 &&
                       text->place.lines == text->skipped;
    error->of_type = reason == CLI_NUMBER_NOT_INTEGER || reason == CLI_NUMBER_DOES_NOT_FIT;
    return CLI_FAILURE;
}

/* Where the comma stands inside numbers, ';' stands where the comma does. */
static const unsigned char kinds_with_commas[256] = {
    [' '] = CLI_BLANK,  ['\t'] = CLI_BLANK, ['\r'] = CLI_BLANK, ['\n'] = CLI_BLANK,
    ['\v'] = CLI_BLANK, ['\f'] = CLI_BLANK, [';'] = CLI_BLANK,  ['#'] = CLI_COMMENT,
};

static inline const unsigned char *kinds_of(char comma) {
    return comma == ',' ? cli_kinds : kinds_with_commas;
}

/* Skips blanks; false at a comma after an empty field, which it does not skip. */
static bool take_blanks(cli_text *text, const char **at, const char *end, char comma) {
    const unsigned char *const kinds = kinds_of(comma);
    for (; *at < end && kinds[(unsigned char)**at] == CLI_BLANK; ++*at) {
        if (**at == comma && text->empty) return false;
        if (**at == comma) text->empty = true;
        if (**at != '\n') continue;
        text->empty = true;
        text->line_filled = false;
        text->place.lines++;
        text->place.bytes = 0;
        text->place.block = *at + 1;
    }
    return true;
}

/* The end of the word at `at`, or a place after the greatest length of a word. */
static const char *word_end(const char *at, const char *end, char comma) {
    const char *limit = end - at > CLI_TOKEN_BYTES ? at + CLI_TOKEN_BYTES + 1 : end;
    const unsigned char *const kinds = kinds_of(comma);
    while (at < limit && kinds[(unsigned char)*at] != CLI_BLANK) at++;
    return at;
}

enum { SPREADSHEET_ERROR_BYTES = 8 };

/* What spreadsheets write in place of a number: no comment begins so. */
static bool is_spreadsheet_error(const char *at, const char *end) {
    static const char *const errors[] = {"#N/A", "#DIV/0!", "#REF!", "#NAME?", "#NULL!", "#NUM!", "#VALUE!"};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        const size_t length = strlen(errors[i]);
        if ((size_t)(end - at) >= length && memcmp(at, errors[i], length) == 0) return true;
    }
    return false;
}

static cli_exit take_numbers(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error) {
    const cli_table_form *form = text->form;
    const char *at = text->place.block, comma = form->decimal_comma || form->thousands == ',' ? ';' : ',';
    const bool is_plain = !text->words && form->missing == NULL && !form->decimal_comma && form->thousands == '\0';
    cli_column *column = &text->columns[0];
    for (;;) {
        if (text->in_comment) at = cli_line_end(at, end);
        if (at < end) text->in_comment = false;
        const bool empty = !take_blanks(text, &at, end, comma);
        if (empty && !cli_text_misses(form, at, at))
            return cli_fail_line(&text->place, at, error, "an empty field before the comma; %s",
                                 text->words ? "a missing key is read with --na ''" : "--na '' reads it as missing");
        if (at == end) break;
        if (*at == '#' && !last && end - at < SPREADSHEET_ERROR_BYTES) break; /* its rest is in the next block */
        if (*at == '#' && !is_spreadsheet_error(at, end)) {
            text->in_comment = true;
            continue;
        }
        const char *begin = at;
        at = empty ? begin : word_end(begin, end, comma);
        if (at == end && !last && at - begin <= CLI_TOKEN_BYTES) {
            at = begin;
            break;
        }
        cli_number_status reason = is_plain ? cli_column_append(column, begin, at) : CLI_NUMBER_NONE;
        if (reason == CLI_NUMBER_BEYOND) note_beyond(text, column, begin);
        if (reason == CLI_NUMBER_BEYOND) reason = CLI_NUMBER_OK;
        if (!is_plain)
            reason = text->words ? cli_text_append_key(text, begin, at) : cli_text_append(text, column, begin, at);
        if (reason != CLI_NUMBER_OK)
            return cli_fail_word(text, "", (const char *[]){begin, at}, column->vector.type, reason, error);
        text->empty = false;
        if (text->words ? cli_text_full(text) : column->vector.used >= text->most_used) break;
    }
    *stopped = at;
    return CLI_OK;
}

/* UTF-8's byte order mark, which spreadsheets write. */
static bool has_mark(const char *block, size_t bytes) {
    return bytes >= 3 && memcmp(block, "\xef\xbb\xbf", 3) == 0;
}

/* Leaves out the first lines; false: more of them are to come. */
static bool skip_lines(cli_text *text, const char *end, bool last) {
    while (text->skipped < text->form->skip_lines) {
        const char *newline = cli_line_end(text->place.block, end);
        cli_place_move(&text->place, newline + (newline < end));
        if (newline == end) return last;
        text->skipped++;
    }
    return true;
}

/* Bytes of the first column when it has all elements that are wanted. */
static size_t most_used(const cli_text *text) {
    const cli_column *column = &text->columns[0];
    size_t bytes;
    const bool beyond = text->most_elements == UINT64_MAX ||
                        __builtin_mul_overflow(text->most_elements - column->folded, column->vector.size, &bytes);
    return beyond ? SIZE_MAX : bytes;
}

/* Notes that numbers like 1,234 are read as two. A line that the end of a block cuts is not looked at. */
static void note_groups(cli_text *text, const char *end, bool last) {
    const cli_table_form *form = text->form;
    cli_error noted;
    const bool plain = form->column_count == 0 && form->thousands == '\0' && !form->decimal_comma && !text->words;
    while (!last && end > text->place.block && end[-1] != '\n') end--;
    const char *at = plain && text->beyond != NULL ? cli_find_grouped(text->place.block, end) : NULL;
    const char *decimal = at == NULL && plain && text->beyond != NULL ? cli_find_decimal(text->place.block, end) : NULL;
    if (at == NULL && decimal == NULL) return;
    if (at == NULL) at = decimal;
    cli_error_set_line(&text->place, at, &noted, "the comma separates numbers here: %.*s is read as %s",
                       (int)(cli_line_end(at, end) - at < 32 ? cli_line_end(at, end) - at : 32), at,
                       decimal != NULL ? "more numbers; --decimal , reads decimal commas"
                                       : "several; --thousands , reads it as one");
    snprintf(text->beyond->doubt, sizeof text->beyond->doubt, "%.*s", (int)sizeof text->beyond->doubt - 1,
             noted.message);
}

typedef cli_exit (*taker)(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error);

/* Takes lines as keys, without the blanks around them. */
static cli_exit take_key_lines(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error) {
    const char *at = text->place.block;
    while (at < end && !cli_text_full(text)) {
        const char *newline = cli_line_end(at, end), *begin = at, *stop = newline;
        if (newline == end && !last && end - at <= CLI_TOKEN_BYTES) break;
        while (begin < stop && cli_field_blank(*begin, '\n')) begin++;
        while (stop > begin && cli_field_blank(stop[-1], '\n')) stop--;
        const bool taken = begin < stop || text->form->empty_lines;
        const cli_number_status reason = taken ? cli_text_append_key(text, begin, stop) : CLI_NUMBER_OK;
        if (reason != CLI_NUMBER_OK)
            return cli_fail_word(text, "", (const char *[]){begin, stop}, JR_TYPE_NONE, reason, error);
        at = newline + (newline < end);
    }
    *stopped = at;
    return CLI_OK;
}

static taker taker_of(const cli_table_form *form) {
    return form->column_count > 0 ? cli_take_lines : form->whole_lines ? take_key_lines : take_numbers;
}

cli_exit cli_text_take(cli_text *text, const char *block, size_t bytes, bool last, size_t *taken, cli_error *error) {
    const char *stopped = block;
    *taken = 0;
    text->place.block = block;
    text->most_used = most_used(text);
    if (!text->begun) {
        if (bytes < 3 && !last) return CLI_OK;
        if (has_mark(block, bytes)) cli_place_move(&text->place, block + 3);
        text->begun = true;
    }
    const bool lines_left = skip_lines(text, block + bytes, last);
    stopped = text->place.block;
    cli_exit code = CLI_OK;
    if (lines_left && text->place.lines == text->skipped && text->place.bytes == 0)
        note_groups(text, block + bytes, last);
    if (lines_left) code = taker_of(text->form)(text, block + bytes, last, &stopped, error);
    if (code != CLI_OK) return code;
    cli_place_move(&text->place, stopped);
    *taken = (size_t)(stopped - block);
    return CLI_OK;
}
