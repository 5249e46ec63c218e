/* Small sums of chance that are hard to get right, many at once, and what their results are to be. */
#ifndef TESTS_SUPPORT_EXACT_CASES_H
#define TESTS_SUPPORT_EXACT_CASES_H

#include "exact_number.h"
#include "support/fixtures/open_context.h"

enum { EXACT_CASE_MAX = 12 }; /* elements of a case */

/* Consecutive cases: case c has the elements offsets[c] up to offsets[c + 1]. x, y: their bits in memory. */
typedef struct exact_cases {
    const exact_format *format;
    uint64_t count;
    uint64_t *offsets;
    void *x, *y;
} exact_cases;

/* Makes cases: of all sizes, cancelling, ties, subnormal, overflowing and back, -0, with NaNs and infinities. */
exact_cases exact_cases_new(jr_type type, uint64_t count, uint64_t *seed);

/* An element's bits. */
uint64_t exact_element(const exact_format *format, const void *array, uint64_t index);

/* An exact spec of an operator (sum, mean, norm1, sumsq, norm2, dot, var, std) over the cases' type; std of samples. */
jr_spec exact_cases_spec(jr_op op, jr_type type, jr_type result);

/* The results of all cases by one call, as segments. The caller frees them. */
void *exact_cases_results(const opened *device, const jr_spec *spec, const exact_cases *cases);

/* Whether a result of one case is that of exact arithmetic, rounded once, to spec->result. */
bool exact_case_holds(const exact_cases *cases, uint64_t which, const jr_spec *spec, uint64_t result);

#endif
