/* Numbers as text: one element of a type, and the counts of the command line. */
#ifndef CLI_NUMBER_H
#define CLI_NUMBER_H

#include <stdbool.h>

#include "number_part.h"

enum { CLI_TOKEN_BYTES = 4096 };

/* A constant's number as a text: NUMBER_TEXT(JR_UNROLL_MAX) is "16". */
#define DIGITS_OF(number)   #number
#define NUMBER_TEXT(number) DIGITS_OF(number)

/* Parses [begin, end) as one element of a type and writes it to *element on success only.
 * Bools: true and false in any case, 1 and 0. Integers: [+-] digits, exact, range-checked. Floats: [+-] digits [.
 * digits] [e [+-] digits], inf, infinity, nan in any case; rounded correctly to the type; a finite text beyond the
 * type's range does not fit. No locale, no hexadecimal. Of JR_TYPE_NONE and JR_STRUCT nothing is a number. */
cli_number_status cli_number_parse(jr_type type, const char *begin, const char *end, void *element);

/* Writes why text is not an element of the type: "'2.5' is not a whole number, but the type is i32". Returns buffer,
 * which has at least 192 bytes. */
const char *cli_number_explain(cli_number_status status, jr_type type, const char *begin, const char *end,
                               char *buffer);

/* What to write in place of a text that is no number: "; the decimal point is '.'" of 1,5; "": that is not known. */
const char *cli_number_advice(const char *text);

/* Parses a count of the command line: 100, 1e8, 2^20, 100k 100M 1G 1T (powers of 1000), 1Ki 1Mi 1Gi 1Ti (of 1024).
 * Returns false when text is not a count, or is 2^64 or more. */
bool cli_count_parse(const char *text, uint64_t *count);

/* "2^20", or all digits of what is no power of two; returns text, which has 24 bytes. */
const char *cli_count_text(uint64_t count, char *text);

/* True if `number`, to which cli_number_parse converts the text [begin, end) as f64, distinguishes it from all texts
 * with as many digits: printed with as many digits, the f64 is the same. True for the words inf and nan. */
bool cli_number_is_held(const char *begin, const char *end, double number);

#endif
