/* Computes values of rows in long doubles, as their definitions say. */
#include "support/oracle/row_formulas.h"

#include <math.h>

static long double greatest_of(const long double *x, uint64_t length) {
    long double most = -INFINITY;
    for (uint64_t k = 0; k < length; k++) most = isnan(x[k]) || x[k] > most ? x[k] : most;
    return most;
}

static long double exponentials_of(const long double *x, uint64_t length, long double less) {
    long double sum = 0;
    for (uint64_t k = 0; k < length; k++) sum += expl(x[k] - less);
    return sum;
}

void row_softmax(const long double *const *in, uint64_t length, long double *out) {
    const long double most = greatest_of(in[0], length), sum = exponentials_of(in[0], length, most);
    for (uint64_t k = 0; k < length; k++) out[k] = expl(in[0][k] - most) / sum;
}

void row_log_softmax(const long double *const *in, uint64_t length, long double *out) {
    const long double most = greatest_of(in[0], length), sum = exponentials_of(in[0], length, most);
    for (uint64_t k = 0; k < length; k++) out[k] = in[0][k] - most - logl(sum);
}

static long double mean_of(const long double *x, uint64_t length) {
    long double sum = 0;
    for (uint64_t k = 0; k < length; k++) sum += x[k];
    return sum / (long double)length;
}

static long double variance_of(const long double *x, uint64_t length) {
    const long double mean = mean_of(x, length);
    long double sum = 0;
    for (uint64_t k = 0; k < length; k++) sum += (x[k] - mean) * (x[k] - mean);
    return sum / (long double)length;
}

void row_layer_norm(const long double *const *in, uint64_t length, long double *out) {
    const long double mean = mean_of(in[0], length), variance = variance_of(in[0], length);
    for (uint64_t k = 0; k < length; k++) out[k] = (in[0][k] - mean) / sqrtl(variance + 0.001L) * in[1][k] + in[2][k];
}

void row_rms_norm_of_sum(const long double *const *in, uint64_t length, long double *out) {
    long double squares = 0;
    for (uint64_t k = 0; k < length; k++) squares += (in[0][k] + in[1][k]) * (in[0][k] + in[1][k]);
    for (uint64_t k = 0; k < length; k++)
        out[k] = (in[0][k] + in[1][k]) / sqrtl(squares / (long double)length + 0.001L) * in[2][k];
}

void row_l2_normalize(const long double *const *in, uint64_t length, long double *out) {
    long double squares = 0;
    for (uint64_t k = 0; k < length; k++) squares += in[0][k] * in[0][k];
    for (uint64_t k = 0; k < length; k++) out[k] = in[0][k] / fmaxl(sqrtl(squares), 1e-12L);
}

void row_ramp(const long double *const *in, uint64_t length, long double *out) {
    long double most = 0;
    for (uint64_t k = 0; k < length; k++) most = in[0][k] > most ? in[0][k] : most;
    for (uint64_t k = 0; k < length; k++) out[k] = in[0][k] - most + (long double)k + (long double)length;
}
