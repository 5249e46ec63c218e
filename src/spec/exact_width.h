/* Exact sums: how wide the integer is that holds them (kernels_src/operators/exact.cuh). */
#ifndef JR_SPEC_EXACT_WIDTH_H
#define JR_SPEC_EXACT_WIDTH_H

#include "dtype.h"

/* An integer of `words` words of 32 bits in two's complement, whose lowest bit is worth 2^least. The size of what is
 * added is below 2^most. */
typedef struct jr_exact_width {
    int least, words, most;
} jr_exact_width;

enum { JR_EXACT_WORDS_MAX = 160 }; /* of the widest one, products of doubles with an initial value, and more */

/* What holds 2^64 elements of a type. */
jr_exact_width jr_exact_width_of(const jr_dtype *dtype);

/* What holds 2^64 products of elements of two types. */
jr_exact_width jr_exact_width_of_products(const jr_dtype *one, const jr_dtype *other);

/* What holds a sum of either width. */
jr_exact_width jr_exact_width_of_both(jr_exact_width one, jr_exact_width other);

#endif
