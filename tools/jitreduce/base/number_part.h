/* What the parsers of numbers share: what can be wrong, and the floats. */
#ifndef CLI_NUMBER_PART_H
#define CLI_NUMBER_PART_H

#include <stdbool.h>

#include <jitreduce.h>

typedef enum cli_number_status {
    CLI_NUMBER_OK = 0,
    CLI_NUMBER_NONE,         /* no number at all */
    CLI_NUMBER_NOT_INTEGER,  /* a number, but not a whole one, and the type takes whole ones */
    CLI_NUMBER_DOES_NOT_FIT, /* outside the range of the type */
    CLI_NUMBER_NO_MEMORY,
    CLI_NUMBER_TOO_LONG, /* said by the readers of text, which take CLI_TOKEN_BYTES at most */
    CLI_NUMBER_WIDER,    /* said by a column: it needs a wider type, and cannot change its elements any more */
    CLI_NUMBER_BEYOND    /* said by a column that took the number: its type holds it only rounded, or as inf */
} cli_number_status;

static inline bool cli_is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Whether [begin, end) is a word, in any case. */
bool cli_is_word(const char *begin, const char *end, const char *word);

/* Whether [begin, end) is a number as the parsers of floats take it. */
bool cli_is_float(const char *begin, const char *end);

/* Parsers of floats, for cli_number_parse. */
cli_number_status cli_parse_f64(const char *begin, const char *end, void *element);
cli_number_status cli_parse_f32(const char *begin, const char *end, void *element);
cli_number_status cli_parse_narrow(jr_type type, const char *begin, const char *end, void *element);

#endif
