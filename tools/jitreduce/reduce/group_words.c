/* Settles what the words of a column of keys are, and gives each a code. Where numbers of some words would not stand
 * for their texts (007, twenty digits), all of them stay texts: keys are names first. */
#include "group_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "text/cli_text.h"

bool cli_key_code(jr_type type, const void *element, uint64_t *code) {
    const uint64_t top = (uint64_t)1 << 63;
    const size_t bytes = jr_type_size(type);
    jr_value value = {.type = type};
    double number;
    uint64_t bits = 0;
    memcpy(value.as.bytes, element, bytes);
    if (bytes == 8 && jr_type_class_of(type) != JR_CLASS_FLOAT) { /* a double holds not all of them */
        memcpy(&bits, element, bytes);
        *code = type == JR_I64 ? bits ^ top : bits;
        return true;
    }
    if (jr_value_number(&value, &number) != JR_OK || isnan(number)) return false;
    if (number == 0) number = 0; /* of -0, too */
    memcpy(&bits, &number, sizeof bits);
    *code = bits & top ? ~bits : bits | top;
    return true;
}

static bool has_leading_zero(const cli_key_text *text) {
    const size_t sign = text->length > 0 && strchr("+-", text->begin[0]) != NULL;
    return text->length > sign + 1 && text->begin[sign] == '0' && text->begin[sign + 1] >= '0' &&
           text->begin[sign + 1] <= '9';
}

/* A whole number that a double may not hold. */
static bool has_many_digits(const cli_key_text *text) {
    size_t digits = 0;
    for (size_t i = 0; i < text->length; i++) {
        if (text->begin[i] < '0' || text->begin[i] > '9') {
            if (i > 0 || strchr("+-", text->begin[i]) == NULL) return false;
            continue;
        }
        digits++;
    }
    return digits > 15;
}

/* Whether f64 holds what a word says, as the form writes numbers. */
static bool word_holds(const cli_table_form *form, const cli_key_text *word, double number) {
    char room[CLI_TOKEN_BYTES];
    const char *begin = word->begin, *end = cli_text_number(form, &begin, word->begin + word->length, room);
    return end != NULL && cli_number_is_held(begin, end, number);
}

/* Can the numbers stand for these words? */
static bool stand_for(const cli_group_lines *lines, const cli_table_form *form, const cli_vector *numbers) {
    const cli_key_column *words = lines->column;
    for (uint64_t i = 0; i < words->count; i++) {
        uint64_t code;
        if (has_leading_zero(&words->texts[i])) return false;
        if (numbers->type != JR_F64) continue;
        if (has_many_digits(&words->texts[i])) return false;
        double number;
        memcpy(&number, numbers->bytes + i * sizeof number, sizeof number);
        if (!word_holds(form, &words->texts[i], number)) return false;
        if (!cli_key_code(JR_F64, &number, &code) && !lines->nan_keys && lines->file == NULL) return false;
    }
    return true;
}

static cli_exit fail_word(const cli_group_lines *lines, const cli_key_text *word, cli_number_status reason,
                          cli_error *error) {
    char detail[192];
    const jr_type type = lines->type;
    return cli_fail(error, CLI_FAILURE, "%s%s: a key: %s%s", lines->file != NULL ? "" : "--",
                    lines->file != NULL ? lines->file : lines->option,
                    cli_number_explain(reason, type, word->begin, word->begin + word->length, detail),
                    reason == CLI_NUMBER_NO_MEMORY ? ""
                    : reason == CLI_NUMBER_NONE    ? "; texts are keys without --key-type"
                                                   : "; leave --key-type out, and a type that holds all keys is taken");
}

/* Reads each word as a number. Without a type texts are the other way out: their vector stays empty. */
static cli_exit read_numbers(const cli_group_lines *lines, cli_group_words *words, cli_error *error) {
    const cli_key_column *all = lines->column;
    cli_table_form form = *lines->form;
    form.missing = NULL;
    form.more_count = 0;
    cli_column column = cli_column_of(lines->type);
    cli_text text = cli_text_of("", &form, &column);
    cli_number_status reason = CLI_NUMBER_OK;
    uint64_t at = 0;
    for (; reason == CLI_NUMBER_OK && at < all->count; at++)
        reason = cli_text_append(&text, &column, all->texts[at].begin, all->texts[at].begin + all->texts[at].length);
    const bool numbers =
        reason == CLI_NUMBER_OK && (lines->type != JR_TYPE_NONE || stand_for(lines, &form, &column.vector));
    if (numbers) {
        words->type = column.vector.type;
        words->numbers = column.vector;
        column.vector.bytes = NULL;
    }
    cli_column_free(&column);
    if (numbers || (lines->type == JR_TYPE_NONE && reason != CLI_NUMBER_NO_MEMORY)) return CLI_OK;
    return fail_word(lines, &all->texts[at - 1], reason, error);
}

static cli_exit fail_nan(const cli_group_lines *lines, cli_error *error) {
    const bool of_file = lines->file != NULL;
    return cli_fail(error, CLI_FAILURE,
                    "%s%s: a key is nan, which equals no key: give --na nan, which leaves its element out, --nan-keys "
                    "or --key-type text",
                    of_file ? "" : "--", of_file ? lines->file : lines->option);
}

static cli_exit code_numbers(const cli_group_lines *lines, cli_group_words *words, cli_error *error) {
    const size_t bytes = jr_type_size(words->type);
    for (uint64_t i = 0; i < lines->column->count; i++) {
        if (cli_key_code(words->type, words->numbers.bytes + i * bytes, &words->codes[i])) continue;
        words->codes[i] = CLI_KEY_CODE_NAN;
        if (!lines->nan_keys && !lines->nan_apart) return fail_nan(lines, error);
    }
    return CLI_OK;
}

typedef struct ranked {
    const cli_key_text *text;
} ranked;

static int compare(const void *a, const void *b) {
    return cli_key_text_compare(((const ranked *)a)->text, ((const ranked *)b)->text);
}

/* Each word's code is its rank. */
static cli_exit code_texts(const cli_group_lines *lines, cli_group_words *words, cli_error *error) {
    const cli_key_column *all = lines->column;
    ranked *order = malloc((all->count + 1) * sizeof *order);
    if (order == NULL) return cli_fail(error, CLI_FAILURE, "--%s: out of memory to sort the keys", lines->option);
    for (uint64_t i = 0; i < all->count; i++) order[i].text = &all->texts[i];
    qsort(order, all->count, sizeof *order, compare);
    for (uint64_t i = 0; i < all->count; i++) words->codes[order[i].text - all->texts] = i;
    free(order);
    return CLI_OK;
}

cli_exit cli_group_words_make(const cli_group_lines *lines, cli_group_words *words, cli_error *error) {
    cli_group_words made = {.type = JR_TYPE_NONE};
    made.codes = malloc((lines->column->count + 1) * sizeof *made.codes);
    if (made.codes == NULL) return cli_fail(error, CLI_FAILURE, "--%s: out of memory for the keys", lines->option);
    cli_exit code = lines->as_text ? CLI_OK : read_numbers(lines, &made, error);
    if (code == CLI_OK) code = (made.type != JR_TYPE_NONE ? code_numbers : code_texts)(lines, &made, error);
    if (code == CLI_OK)
        *words = made;
    else
        cli_group_words_free(&made);
    return code;
}

void cli_group_words_free(cli_group_words *words) {
    free(words->codes);
    free(words->numbers.bytes);
    *words = (cli_group_words){.type = JR_TYPE_NONE};
}
