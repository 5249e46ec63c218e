/* The CPU reference: what a reduction must return, by the table of semantics.md, one element after the other.
 *
 * It shares no code with the library. Integers, extrema, indexes, counts and flags are exact to the bit. What floats
 * add up to is not fixed by the table, as the order is the kernel's: for it there is an oracle (compensated long
 * double) and a bound.
 */
#ifndef TESTS_SUPPORT_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_H

#include <stdbool.h>

#include "jitreduce/reduce.h"

/* How far from the oracle a value may be: with g = gamma(depth roundings of `unit`), g magnitude + g^2 second + own +
 * last. All but the unit in the units of the result. */
typedef struct reference_bound {
    long double unit;      /* the greatest relative error of one step */
    long double magnitude; /* the sum of what is added, without signs */
    long double second;    /* what the square of the relative error multiplies */
    long double own;       /* of elements on their own, before they are added: products, conversions */
    long double last;      /* of what follows the additions: divisions, roots, the conversion to the result */
} reference_bound;

typedef struct reference {
    jr_op op;
    bool empty;  /* there is no value: the library must return JR_ERROR_EMPTY_INPUT */
    bool rounds; /* the oracle and its bound decide, not `value` */
    jr_value value;
    long double oracle;
    reference_bound bound;
} reference;

/* Reduces count elements; of the spec count op, type, initial, nan, ddof, and accumulate for floats.
 * data: one array; for reference_reduce_arrays as many as the operator has, all of spec->type. */
void reference_reduce(const jr_spec *spec, const void *data, uint64_t count, reference *expected);
void reference_reduce_arrays(const jr_spec *spec, const void *const *data, uint64_t count, reference *expected);

/* The type of the result. */
jr_type reference_result_type(const jr_spec *spec);

/* Can some data be reduced without any rounding? The operators with roots and exponentials never are. */
bool reference_can_be_exact(jr_op op);

/* Does a value agree? depth: roundings on the longest path from an element to a sum; 0: exact, for data that no order
 * of evaluation rounds. A NaN agrees with every NaN; -0 and +0 agree only where they are rounded sums. */
bool reference_agrees(const reference *expected, const jr_value *value, double depth);

/* Fails the test (CMocka) with both values unless they agree. what: what was reduced. */
void reference_assert(const reference *expected, const jr_value *value, double depth, const char *what);

/* Roundings on the longest path of a sum over `count` elements by so many blocks, whatever the algorithm. */
double reference_depth(const jr_spec *spec, uint64_t count, int grid, int block, int unroll);

#endif
