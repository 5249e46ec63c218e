/* The shortest decimal number that reads back as a binary one. */
#ifndef JR_BASE_SHORTEST_H
#define JR_BASE_SHORTEST_H

#include <stdbool.h>
#include <stdint.h>

enum { JR_POWER_MIN = -292, JR_POWER_MAX = 324 }; /* of ten, that numbers of f64 need */

/* 10^exponent divided by a power of two: its first 128 bits and one more, as a high and a low half. */
const uint64_t *jr_power_of_ten(int exponent);

/* digits * 10^exponent; digits do not end in 0. */
typedef struct jr_decimal {
    uint64_t digits;
    int exponent;
} jr_decimal;

/* A positive binary number: significand * 2^exponent. */
typedef struct jr_binary {
    uint64_t significand; /* below 2^53, not 0 */
    int exponent;         /* -1074 .. 971 */
    bool
        lower_is_closer; /* the next smaller number is at half the distance: a power of two that is not the least one */
    bool ends_read_back; /* do the ends of the interval that rounds to it read back as it? */
} jr_binary;

/* The nearest decimal number with the fewest digits for which the nearest one reads back. */
jr_decimal jr_shortest(jr_binary number);

#endif
