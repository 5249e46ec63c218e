/* One operator's part in a reduction: its types, sizes and text. */
#ifndef JR_SPEC_REDUCTION_PART_H
#define JR_SPEC_REDUCTION_PART_H

#include "dtype.h"
#include "jitreduce/reduce.h"
#include "operator.h"
#include "value_type.h"

/* ---- how wide the integer of an exact sum is (kernels_src/operators/exact.cuh) ---- */

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

/* ---- */

enum { JR_PART_TEXT_BYTES = 144 };

/* An exact sum where it is accumulated: its words, then its marks, then the count of what was added (u64). */
typedef struct jr_exact_sum {
    jr_exact_width width, terms; /* of the integer; what it needs for the elements alone, without an initial value */
    bool of_sizes;               /* it is never negative */
    size_t offset;               /* in the accumulator, bytes */
} jr_exact_sum;

enum { JR_PART_SUMS_MAX = 2 };

typedef struct jr_reduction_part {
    const jr_operator *row;
    jr_type accumulator, result;         /* JR_STRUCT: the caller's */
    jr_type initial;                     /* of an initial value: the result as it is before `finish` */
    size_t bytes;                        /* of what it combines */
    bool counts;                         /* kept elements, too */
    bool skips_nan;                      /* elements that are NaN must not be given to it */
    bool adds_floats;                    /* a sum or mean of floats, without skipped elements */
    bool tree;                           /* its value depends on the order, which must be that of the fixed tree */
    bool exact;                          /* of exact sums: of the file JR_OPERATORS_EXACT */
    jr_exact_sum sums[JR_PART_SUMS_MAX]; /* then: these, and how many; offsets are in the part */
    int sum_count;
    jr_type summand; /* then: f32 or f64 that holds what is added of an element, JR_STRUCT: two factors; else
                      * JR_TYPE_NONE */
    jr_value_rest combine_rest, finish_rest; /* what of these expressions' values the types rest on */
    bool word;                      /* one instruction, over elements of 4 bytes as they are (reduce/words.cuh) */
    char given[JR_TYPE_TEXT_BYTES]; /* what the operator is given, where that is no number or struct; else "" */
    char text[JR_PART_TEXT_BYTES];
} jr_reduction_part;

/* Works out one operator. mapped: the type that it is given, NULL for the caller's struct.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE. */
jr_status jr_reduction_part_of(const jr_spec *spec, jr_op op, const jr_dtype *mapped, jr_reduction_part *part);

/* Whether elements are floats of which NaNs are to be ignored. */
bool jr_reduction_ignores_nan(const jr_spec *spec, const jr_dtype *mapped);

#endif
