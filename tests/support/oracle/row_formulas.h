/* What is made of a row: softmax and normalisations, in long doubles. in: the arrays' elements in the row. */
#ifndef TESTS_SUPPORT_ROW_FORMULAS_H
#define TESTS_SUPPORT_ROW_FORMULAS_H

#include <stdint.h>

void row_softmax(const long double *const *in, uint64_t length, long double *out);
void row_log_softmax(const long double *const *in, uint64_t length, long double *out);

/* (x - mean) / sqrt(variance + 0.001) * y + z. */
void row_layer_norm(const long double *const *in, uint64_t length, long double *out);

/* (x + y) / sqrt(mean of (x + y)^2 + 0.001) * z. */
void row_rms_norm_of_sum(const long double *const *in, uint64_t length, long double *out);

/* x / the greater of the root of the sum of squares and 1e-12. */
void row_l2_normalize(const long double *const *in, uint64_t length, long double *out);

/* x - the greatest of the positive x and 0, + the index + the length. */
void row_ramp(const long double *const *in, uint64_t length, long double *out);

#endif
