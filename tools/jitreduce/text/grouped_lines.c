/* Looks at the shape of lines. */
#include "grouped_lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "lines.h"
#include "number_form.h"

/* The digits of the group at `at`. */
static size_t group_digits(const char *at, const char *end) {
    size_t digits = 0;
    while (at + digits < end && cli_is_digit(at[digits])) digits++;
    return digits;
}

/* Whether a line with a comma is one number; *first: the digits before its first comma. */
static bool is_grouped(const char *begin, const char *end, size_t *first) {
    static const cli_table_form form = {.thousands = ','};
    char room[CLI_TOKEN_BYTES];
    double number;
    if (end - begin > CLI_TOKEN_BYTES) return false;
    const char *at = begin + (*begin == '-' || *begin == '+');
    *first = group_digits(at, end);
    const char *stop = *first <= 3 && *at != '0' ? cli_text_number(&form, &begin, end, room) : NULL;
    return stop != NULL && cli_number_parse(JR_F64, begin, stop, &number) == CLI_NUMBER_OK;
}

const char *cli_find_grouped(const char *begin, const char *end) {
    const char *found = NULL;
    bool sure = false;
    while (begin < end) {
        const char *newline = cli_line_end(begin, end), *stop = newline;
        while (stop > begin && cli_kind(stop[-1]) == CLI_BLANK && stop[-1] != ',') stop--;
        if (memchr(begin, ',', (size_t)(stop - begin)) != NULL) {
            size_t first;
            if (!is_grouped(begin, stop, &first)) return NULL;
            if (found == NULL) found = begin;
            sure |= first < 3;
        }
        begin = newline + (newline < end);
    }
    return sure ? found : NULL;
}

/* ---- decimal commas ---- */

/* A line of words: how many there are, how many have a comma between their digits and are numbers by that, and whether
 * one of these has points between groups of digits, too. */
typedef struct comma_words {
    unsigned words, decimal;
    bool grouped, other; /* other: a word has commas of another kind */
} comma_words;

static void add_word(const char *begin, const char *end, comma_words *line) {
    static const cli_table_form comma = {.decimal_comma = true}, grouped = {.decimal_comma = true, .thousands = '.'};
    const bool points = memchr(begin, '.', (size_t)(end - begin)) != NULL;
    char room[CLI_TOKEN_BYTES];
    double number;
    line->words++;
    if (memchr(begin, ',', (size_t)(end - begin)) == NULL) return;
    const bool between = cli_is_digit(end[-1]) && *begin != ',';
    const char *stop = between ? cli_text_number(points ? &grouped : &comma, &begin, end, room) : NULL;
    const bool is_number = stop != NULL && cli_number_parse(JR_F64, begin, stop, &number) == CLI_NUMBER_OK;
    line->decimal += is_number;
    line->grouped |= is_number && points;
    line->other |= !is_number;
}

static comma_words words_of(const char *begin, const char *end) {
    comma_words line = {.words = 0};
    while (begin < end) {
        while (begin < end && cli_kind(*begin) == CLI_BLANK && *begin != ',') begin++;
        const char *stop = begin;
        while (stop < end && (*stop == ',' || cli_kind(*stop) != CLI_BLANK)) stop++;
        if (stop > begin) add_word(begin, stop, &line);
        begin = stop;
    }
    return line;
}

const char *cli_find_decimal(const char *begin, const char *end) {
    const char *found = NULL;
    while (begin < end) {
        const char *newline = cli_line_end(begin, end);
        const comma_words line = words_of(begin, newline);
        if (line.other) return NULL;
        const bool sure = line.grouped || (line.words > 1 && line.decimal == line.words);
        if (found == NULL && sure) found = begin;
        begin = newline + (newline < end);
    }
    return found;
}
