/* Data of which the exact sum is known, as bits, from another program: tests/judge/exact_bits.py. */
#ifndef TESTS_SUPPORT_EXACT_BITS_H
#define TESTS_SUPPORT_EXACT_BITS_H

#include <stdint.h>

#include "jitreduce.h"

enum { EXACT_BITS_COUNT = 30011 };

typedef enum exact_bits_data {
    EXACT_BITS_near,
    EXACT_BITS_wide,
    EXACT_BITS_subnormal,
    EXACT_BITS_greatest,
    EXACT_BITS_cancelling,
    EXACT_BITS_overflowing,
    EXACT_BITS_tie,
    EXACT_BITS_above,
    EXACT_BITS_below,
    EXACT_BITS_sorted,
    EXACT_BITS_infinite,
    EXACT_BITS_minus_zero
} exact_bits_data;

typedef struct exact_bits_row {
    jr_type type;
    exact_bits_data data;
    const char *name;
    uint64_t sum, wide_sum; /* rounded to the type, and to f64 */
} exact_bits_row;

enum { EXACT_BITS_ROWS = 48 };
extern const exact_bits_row exact_bits_rows[EXACT_BITS_ROWS];

/* The elements of a row; made by integers alone. The caller frees them. */
void *exact_bits_make(const exact_bits_row *row);

#endif
