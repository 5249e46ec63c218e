/* The judge of what is to be rounded once: sums as integers of thousands of bits, and whether a float is the nearest
 * one. Nothing is rounded here: the middles between a result and its neighbours are compared with the exact value. */
#ifndef TESTS_SUPPORT_EXACT_NUMBER_H
#define TESTS_SUPPORT_EXACT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "jitreduce.h"

/* An integer in two's complement, lowest limb first, in units of 2^least. */
enum { EXACT_LIMBS = 72, EXACT_MIN = -1080, EXACT_LEAST_OF_PRODUCTS = 2 * EXACT_MIN };
typedef struct exact_number {
    int least;
    uint64_t limbs[EXACT_LIMBS];
} exact_number;

typedef enum exact_kind { EXACT_FINITE, EXACT_INFINITE, EXACT_NAN } exact_kind;

/* A float taken apart: magnitude * 2^exponent. */
typedef struct exact_float {
    exact_kind kind;
    bool negative;
    uint64_t magnitude;
    int exponent;
} exact_float;

/* How the types of floats lie in bits: f16, bf16, f32, f64. */
typedef struct exact_format {
    jr_type type;
    int fraction_bits, exponent_bits;
} exact_format;
const exact_format *exact_format_of(jr_type type);

exact_float exact_take_apart(const exact_format *format, uint64_t bits);

__extension__ typedef unsigned __int128 exact_wide;

/* sum += magnitude * 2^exponent, or less where negative. */
void exact_add(exact_number *sum, bool negative, exact_wide magnitude, int exponent);

/* by n; the square of one in units of 2^EXACT_MIN; a - b in equal units. */
exact_number exact_times(const exact_number *a, uint64_t n);
exact_number exact_square(const exact_number *a);
exact_number exact_less(const exact_number *a, const exact_number *b);

bool exact_is_zero(const exact_number *a);
bool exact_is_negative(const exact_number *a);

/* Whether a result, not NaN, is value / divisor, or the root of that, rounded to nearest, ties to even. A 0 has the
 * sign of the value, and of the value 0 any. The divisor of a root is below 2^18. */
bool exact_is_nearest(const exact_number *value, uint64_t divisor, bool root, const exact_format *format,
                      uint64_t result);

#endif
