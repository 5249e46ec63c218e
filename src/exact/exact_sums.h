/* Exact sums on the host, where a reduction's kernels have left them: as numbers, checked, and added up. */
#ifndef JR_EXACT_EXACT_SUMS_H
#define JR_EXACT_EXACT_SUMS_H

#include "spec/reduction.h"

/* What a sum is. The numbers are those of stored states (jitreduce/state.h). */
typedef enum jr_exact_class {
    JR_EXACT_CLASS_NOTHING = 0, /* of no element */
    JR_EXACT_CLASS_FINITE = 1,
    JR_EXACT_CLASS_MINUS_ZERO = 2, /* of -0 alone */
    JR_EXACT_CLASS_PLUS_INFINITE = 3,
    JR_EXACT_CLASS_MINUS_INFINITE = 4,
    JR_EXACT_CLASS_NAN = 5
} jr_exact_class;

/* A sum in its canonical form: the magnitude is odd, and its last byte is not 0. A sum of 0, or one that is not finite,
 * has no magnitude, and exponent 0. */
typedef struct jr_exact_number {
    jr_exact_class class;
    bool negative;
    int exponent;                              /* the lowest bit of the magnitude is worth 2^exponent */
    size_t bytes;                              /* of the magnitude */
    uint8_t magnitude[4 * JR_EXACT_WORDS_MAX]; /* lowest byte first */
} jr_exact_number;

/* Reads a sum out of an accumulator; returns how many elements are in it. */
uint64_t jr_exact_sum_read(const jr_exact_sum *sum, const unsigned char *accumulator, jr_exact_number *number);

/* Writes it into an accumulator, which on failure is spoilt. Fails for what is no sum of so many elements of the type
 * (its sign, a bit too low, a size too great), by JR_ERROR_STATE. */
jr_status jr_exact_sum_write(const jr_exact_sum *sum, const jr_exact_number *number, uint64_t count,
                             unsigned char *accumulator);

/* Adds a sum that was checked to one that was; their counts together are below 2^64. */
void jr_exact_sum_add(const jr_exact_sum *sum, unsigned char *accumulator, const unsigned char *more);

/* Writes how many elements the sums have where an accumulator has that count of its own, after them. */
void jr_exact_count_kept(const jr_reduction *reduction, unsigned char *accumulator);

#endif
