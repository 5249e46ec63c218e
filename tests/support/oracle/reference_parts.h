/* The parts of the CPU reference: each fills `expected` for one kind of operator. */
#ifndef TESTS_SUPPORT_REFERENCE_PARTS_H
#define TESTS_SUPPORT_REFERENCE_PARTS_H

#include "element.h"
#include "reference.h"

/* What is reduced. */
typedef struct reference_input {
    const jr_spec *spec;
    const void *const *data;
    uint64_t count;
} reference_input;

/* The i-th number that the operator is given: x, of dot x * y. False when it is a NaN that is skipped. */
bool reference_item(const reference_input *in, uint64_t i, long double *x);

/* A sum as good as exact: Neumaier's compensation over long doubles; what is not finite is counted apart. Zero is the
 * empty sum. Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (1974). */
typedef struct reference_sum {
    long double sum, lost, magnitude;
    bool has_nan, has_plus, has_minus;
} reference_sum;

void reference_sum_add(reference_sum *sum, long double x);
long double reference_sum_total(const reference_sum *sum);

/* The type in which the operator adds floats up, and a type's unit roundoff and smallest number. */
jr_type reference_accumulator(const jr_spec *spec);
long double reference_unit(jr_type type);
long double reference_tiny(jr_type type);

/* The error of a division or a root in f64 (two steps) and of the conversion to the result's type. */
long double reference_last(const reference *expected, long double size);

/* sum, prod, and, or, xor, min, max of integers; min and max of floats; flags, counts, indexes, norminf: exact. */
void reference_integers(const reference_input *in, reference *expected);
void reference_extremum(const reference_input *in, reference *expected);
void reference_nonzero(const reference_input *in, reference *expected);
void reference_index(const reference_input *in, reference *expected);
void reference_norminf(const reference_input *in, reference *expected);

/* Sums, products, means and norms that round. */
void reference_floats(const reference_input *in, reference *expected);
void reference_product(const reference_input *in, reference *expected);
void reference_mean(const reference_input *in, reference *expected);
void reference_norm(const reference_input *in, reference *expected); /* norm1, norm2, sumsq, dot */

/* var, std and logsumexp. */
void reference_moments(const reference_input *in, reference *expected);
void reference_exponential(const reference_input *in, reference *expected);

#endif
