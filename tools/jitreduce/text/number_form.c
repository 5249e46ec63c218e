/* Recognises missing values, and rewrites numbers with decimal commas or groups of digits. */
#include "number_form.h"

#include <string.h>
#include <strings.h>

/* Whether [begin, end) is a word of a list. */
static bool has_word(const char *list, const char *begin, const char *end) {
    const size_t length = (size_t)(end - begin);
    for (const char *word = list; word != NULL;) {
        const size_t bytes = strcspn(word, ",");
        if (bytes == length && memcmp(word, begin, length) == 0) return true;
        word = word[bytes] == ',' ? word + bytes + 1 : NULL;
    }
    return false;
}

bool cli_text_misses(const cli_table_form *form, const char *begin, const char *end) {
    bool misses = has_word(form->missing, begin, end);
    for (int i = 0; i < form->more_count && !misses; i++) misses = has_word(form->more_missing[i], begin, end);
    return misses;
}

/* True if the separator of digit groups is valid at `at`: a digit precedes it, and three digits or another group of two
 * (12,34,567) follow it. */
static bool parts_digits(char thousands, const char *begin, const char *at, const char *end) {
    const char *next = at + 1;
    while (next < end && cli_is_digit(*next)) next++;
    const ptrdiff_t digits = next - at - 1;
    return at > begin && cli_is_digit(at[-1]) && (digits == 3 || (digits == 2 && next < end && *next == thousands));
}

const char *cli_text_number(const cli_table_form *form, const char **begin, const char *end,
                            char room[CLI_TOKEN_BYTES]) {
    const char *at = *begin;
    char *to = room;
    bool whole = true;
    if (!form->decimal_comma && form->thousands == '\0') return end;
    if (end - at > CLI_TOKEN_BYTES) return NULL;
    for (; at < end; at++) {
        if (*at == form->thousands && form->thousands != '\0') {
            if (!whole || !parts_digits(form->thousands, *begin, at, end)) return NULL;
            continue;
        }
        if (form->decimal_comma && *at == '.') return NULL;
        *to = form->decimal_comma && *at == ',' ? '.' : *at;
        whole &= *to != '.';
        to++;
    }
    *begin = room;
    return to;
}

bool cli_looks_missing(const char *begin, const char *end) {
    static const char *const words[] = {"", "-", "?", ".", "NA", "N/A", "#N/A", "NULL", "None"};
    const size_t length = (size_t)(end - begin);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], begin, length) == 0) return true;
    return false;
}
