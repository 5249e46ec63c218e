/* The CPU reference of var, std and logsumexp. */
#include <math.h>
#include <stddef.h>

#include "reference_parts.h"

/* Two passes: the mean, and the squared deviations from it. Source: T. Chan, G. Golub, R. LeVeque, "Algorithms for
 * Computing the Sample Variance: Analysis and Recommendations" (1983), formula 1.7 (the corrected two-pass algorithm).
 */
typedef struct deviations {
    long double taken, squares; /* of the deviations */
    long double size;           /* the root of the sum of x^2 */
} deviations;

static deviations deviations_of(const reference_input *in) {
    reference_sum sum = {0}, squares = {0}, rest = {0}, sizes = {0};
    long double x, taken = 0;
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x)) {
            reference_sum_add(&sum, x);
            taken++;
        }
    const long double mean = reference_sum_total(&sum) / taken;
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x)) {
            reference_sum_add(&squares, (x - mean) * (x - mean));
            reference_sum_add(&rest, x - mean);
            reference_sum_add(&sizes, x * x);
        }
    const long double left = reference_sum_total(&rest);
    return (deviations){taken, reference_sum_total(&squares) - left * left / taken, sqrtl(reference_sum_total(&sizes))};
}

/* Parts are merged by pairs. Source: the paper above, table 1: for pairwise updating the relative error of the sum of
 * squares S is at most depth u K, to first order, with the condition number K = |x| / sqrt(S); here with eight
 * roundings a merge, and the second order as the same error of a mean, squared. Equal elements have no error at all. */
static reference_bound moments_bound(const reference *expected, const deviations *all, long double divisor) {
    enum { MERGE_STEPS = 8 };
    const long double root = sqrtl(all->squares), variance = all->squares / divisor;
    reference_bound bound = {.unit = MERGE_STEPS * reference_unit(JR_F64),
                             .magnitude = 2 * all->size * root / divisor,
                             .second = all->size * all->size / divisor};
    bound.own = reference_unit(JR_F64) * bound.magnitude; /* 64-bit integers become doubles */
    if (all->squares == 0) return (reference_bound){.unit = bound.unit};
    if (expected->op == JR_OP_STD) { /* |sqrt(v') - sqrt(v)| <= |v' - v| / sqrt(v) */
        bound.magnitude /= sqrtl(variance);
        bound.second /= sqrtl(variance);
        bound.own /= sqrtl(variance);
    }
    bound.last = reference_last(expected, expected->oracle);
    return bound;
}

void reference_moments(const reference_input *in, reference *expected) {
    const deviations all = deviations_of(in);
    const long double divisor = fmaxl(all.taken - (long double)in->spec->ddof, 0);
    const long double variance = all.taken == 0 ? (long double)NAN : all.squares / divisor;
    expected->rounds = true;
    expected->oracle = expected->op == JR_OP_STD ? sqrtl(variance) : variance;
    expected->bound = moments_bound(expected, &all, divisor);
}

static long double greatest_of(const reference_input *in) {
    long double greatest = -(long double)INFINITY, x;
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x) && !isnan(greatest) && (isnan(x) || x > greatest)) greatest = x;
    return greatest;
}

/* The sum of exp(x - greatest) over all elements but the greatest; the result is the logarithm of 1 + that sum, so a
 * small sum's error counts less. A merge scales one side: an exponential (at most 2 ulp, 4 u), a product and two sums.
 * The difference in the exponent is rounded, too; over all merges of one element these roundings add up to u (greatest
 * - x) of its term, and `spread` is the sum of those. Source of the ulps: CUDA C++ Programming Guide, "Mathematical
 * Functions".
 */
void reference_exponential(const reference_input *in, reference *expected) {
    enum { MERGE_STEPS = 8 };
    const long double unit = reference_unit(reference_accumulator(in->spec));
    const long double greatest = greatest_of(in);
    reference_sum sum = {0}, spread = {0};
    long double x;
    expected->rounds = true;
    expected->oracle = greatest;
    if (!isfinite(greatest)) return;
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x) && isfinite(x)) {
            const long double term = expl(x - greatest);
            reference_sum_add(&sum, term);
            reference_sum_add(&spread, (greatest - x) * term);
        }
    reference_sum_add(&sum, -1);
    const long double others = reference_sum_total(&sum), total = 1 + others, logarithm = log1pl(others);
    const long double converted = element_is_float(in->spec->type) ? 0 : fabsl(greatest); /* of 64 bits */
    expected->oracle = greatest + logarithm;
    expected->bound = (reference_bound){.unit = MERGE_STEPS * unit,
                                        .magnitude = others / total,
                                        .own = unit * (2 * reference_sum_total(&spread) / total + converted),
                                        .last = unit * (4 * logarithm + fabsl(expected->oracle)) +
                                                reference_last(expected, expected->oracle)};
}
