/* Compares the digits of a text with those of the f64 that it was read as. */
#include "number_exact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number_part.h"

enum { DIGITS_MAX = 17 }; /* of which an f64 may hold all */

/* The digits of a number without zeros at its ends, and the power of ten of a point before the first one: the same for
 * equal numbers. */
typedef struct decimal_digits {
    char digits[DIGITS_MAX];
    long count, exponent;
} decimal_digits;

/* The digits after 'e'; an exponent far beyond f64's is cut off. */
static long exponent_of(const char *at, const char *end) {
    long exponent = 0;
    const bool negative = at < end && *at == '-';
    for (; at < end; at++)
        if (cli_is_digit(*at) && exponent < 1000000) exponent = 10 * exponent + (*at - '0');
    return negative ? -exponent : exponent;
}

static decimal_digits digits_of(const char *at, const char *end) {
    decimal_digits found = {.count = 0};
    long zeros = 0, whole = 0;
    bool point = false;
    for (; at < end && *at != 'e' && *at != 'E'; at++) {
        point |= *at == '.';
        if (!cli_is_digit(*at)) continue;
        if (found.count == 0 && *at == '0') {
            whole -= point;
            continue;
        }
        whole += !point;
        zeros = *at == '0' ? zeros + 1 : 0;
        if (found.count < DIGITS_MAX) found.digits[found.count] = *at;
        found.count++;
    }
    found.count -= zeros;
    found.exponent = whole + (at < end ? exponent_of(at + 1, end) : 0);
    return found;
}

bool cli_number_is_held(const char *begin, const char *end, double number) {
    char printed[64];
    const decimal_digits wanted = digits_of(begin, end);
    if (!isfinite(number) || wanted.count == 0) return wanted.count == 0; /* digits that are inf are beyond f64 */
    if (wanted.count > DIGITS_MAX || number == 0) return false;
    const int length = snprintf(printed, sizeof printed, "%.*e", (int)wanted.count - 1, number);
    const decimal_digits held = digits_of(printed, printed + length);
    return held.count == wanted.count && held.exponent == wanted.exponent &&
           memcmp(held.digits, wanted.digits, (size_t)held.count) == 0;
}
