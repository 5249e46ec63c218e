/* Operators that do not commute, with what they return in the order of the elements: products of matrices modulo a
 * prime, and the first element that is not zero. */
#ifndef TESTS_SUPPORT_ORDERED_CASE_H
#define TESTS_SUPPORT_ORDERED_CASE_H

#include "support/fixtures/open_context.h"

typedef struct matrix {
    uint32_t a, b, c, d;
} matrix;

/* The spec of a product of matrices; what it points to is static. */
jr_spec matrix_spec(void);

/* Fills with matrices that have an inverse, so that no product forgets its factors. */
void matrix_fill(matrix *matrices, uint64_t count, uint64_t *seed);

/* The product, from the first to the last; of none the identity. */
matrix matrix_product(const matrix *matrices, uint64_t count);

/* The spec of the first element that is not zero. */
jr_spec first_spec(jr_type type);

/* Runs a plan on the default stream with its own workspace; fails the test (CMocka) unless the result is the product of
 * host[0] to host[count - 1], which d_in has, too. */
void matrix_assert(const opened *device, jr_plan *plan, const matrix *d_in, const matrix *host, uint64_t count,
                   const char *what);

#endif
