/* Looks at the shape of lines. */
#include "grouped_lines.h"

#include <stdbool.h>
#include <stddef.h>

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
