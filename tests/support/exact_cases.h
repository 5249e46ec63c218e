/* Small sums of chance that are hard to get right, many at once, and what their results are to be. */
#ifndef TESTS_SUPPORT_EXACT_CASES_H
#define TESTS_SUPPORT_EXACT_CASES_H

#include "support/exact_number.h"

enum { EXACT_CASE_MOST = 12 }; /* elements of a case */

/* Cases one behind the other: of case c the elements offsets[c] up to offsets[c + 1]. x, y: as they lie in memory. */
typedef struct exact_cases {
    const exact_format *format;
    uint64_t count;
    uint64_t *offsets;
    void *x, *y;
} exact_cases;

/* Makes cases: of all sizes, cancelling, ties, subnormal, overflowing and back, -0, with NaNs and infinities. */
exact_cases exact_cases_new(jr_type type, uint64_t count, uint64_t *seed);
void exact_cases_free(exact_cases *cases);

/* An element's bits. */
uint64_t exact_element(const exact_format *format, const void *array, uint64_t index);

/* Whether a result of one case is that of exact arithmetic, rounded once. op: sum, mean, norm1, sumsq, norm2, dot, var,
 * std; ddof: of the last two. */
bool exact_case_holds(const exact_cases *cases, uint64_t which, jr_op op, unsigned ddof, const exact_format *format,
                      uint64_t result);

#endif
