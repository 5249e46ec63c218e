/* The CPU reference: what a reduction must return, by the table of semantics.md, one element after the other.
 *
 * It shares no code with the library. Integers, minima and maxima are exact to the bit. Float sums and products are not
 * fixed by the table, as their order is the kernel's: for them there is an oracle (compensated long double) and a
 * bound.
 */
#ifndef TESTS_SUPPORT_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_H

#include <stdbool.h>

#include "jitreduce/reduce.h"

typedef struct reference {
    jr_op op;
    bool empty;  /* there is no value: the library must return JR_ERROR_EMPTY_INPUT */
    bool rounds; /* a float sum or product: `oracle` decides, not `value` */
    jr_value value;
    long double oracle, magnitude; /* the result, and the sum of |x| (for a product: |result|) */
    uint64_t roundings;            /* of a product: it has one for each element, in whatever order */
} reference;

/* Reduces count elements of spec->type; only op, type and initial of the spec count. */
void reference_reduce(const jr_spec *spec, const void *data, uint64_t count, reference *expected);

/* Does a value agree? depth: roundings on the longest path from an element to a sum; 0: exact, for data that no order
 * of evaluation rounds. A NaN agrees with every NaN; -0 and +0 agree only where they are rounded sums. */
bool reference_agrees(const reference *expected, const jr_value *value, double depth);

/* Fails the test (CMocka) with both values unless they agree. what: what was reduced. */
void reference_assert(const reference *expected, const jr_value *value, double depth, const char *what);

/* Roundings on the longest path of a sum over `count` elements by so many blocks, whatever the algorithm. */
double reference_depth(const jr_spec *spec, uint64_t count, int grid, int block, int unroll);

#endif
