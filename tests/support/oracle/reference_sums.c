/* The CPU reference of sums, products, means and norms. */
#include <math.h>
#include <stddef.h>

#include "reference_parts.h"

void reference_sum_add(reference_sum *sum, long double x) {
    if (!isfinite(x)) {
        if (isnan(x)) sum->has_nan = true;
        if (x > 0) sum->has_plus = true;
        if (x < 0) sum->has_minus = true;
        return;
    }
    const long double next = sum->sum + x;
    sum->lost += fabsl(sum->sum) >= fabsl(x) ? (sum->sum - next) + x : (x - next) + sum->sum;
    sum->sum = next;
    sum->magnitude += fabsl(x);
}

long double reference_sum_total(const reference_sum *sum) {
    if (sum->has_nan || (sum->has_plus && sum->has_minus)) return (long double)NAN;
    if (sum->has_plus) return (long double)INFINITY;
    return sum->has_minus ? -(long double)INFINITY : sum->sum + sum->lost;
}

static void bounded(reference *expected, long double oracle, reference_bound bound) {
    expected->rounds = true;
    expected->oracle = oracle;
    expected->bound = bound;
}

/* Any order of additions. Source: N. Higham, "Accuracy and Stability of Numerical Algorithms", 4.2: |error| <=
 * gamma_depth sum |x| where no element passes through more than depth of them. */
void reference_floats(const reference_input *in, reference *expected) {
    const jr_spec *spec = in->spec;
    reference_sum sum = {0};
    long double x;
    if (spec->initial != NULL) reference_sum_add(&sum, element_number(spec->initial->type, &spec->initial->as, 0));
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x)) reference_sum_add(&sum, x);
    bounded(expected, reference_sum_total(&sum),
            (reference_bound){.unit = reference_unit(reference_accumulator(spec)), .magnitude = sum.magnitude});
}

/* A product has a rounding for each element, in whatever order. Source: Higham, 3.1. */
void reference_product(const reference_input *in, reference *expected) {
    const jr_spec *spec = in->spec;
    const long double unit = reference_unit(reference_accumulator(spec));
    const long double steps = unit * (long double)(in->count + 1);
    long double product = 1, x;
    if (spec->initial != NULL) product = element_number(spec->initial->type, &spec->initial->as, 0);
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x)) product *= x;
    bounded(expected, product, (reference_bound){.unit = unit, .own = steps / (1 - steps) * fabsl(product)});
}

__extension__ typedef unsigned __int128 uint128;

/* The quotient of two integers, rounded once: to nearest for a result of f64, else to odd with all bits of a double,
 * which rounds to any narrower type as the quotient itself would. Source: S. Boldo, G. Melquiond, "Emulation of FMA and
 * correctly rounded sums: proved algorithms using rounding to odd". */
static double divide(uint128 sum, uint64_t count, bool to_nearest) {
    enum { DOUBLE_BITS = 53, LEAST_BITS = DOUBLE_BITS + 3 };
    int shift = 0;
    bool rest = false;
    while (sum != 0 && sum >> LEAST_BITS < count) {
        sum <<= 1;
        shift++;
    }
    for (; sum / count > UINT64_MAX; sum >>= 1, shift--) rest |= (sum & 1) != 0;
    uint64_t quotient = (uint64_t)(sum / count);
    rest |= sum % count != 0;
    if (to_nearest) return ldexp((double)(quotient | rest), -shift);
    for (; quotient >> DOUBLE_BITS != 0; quotient >>= 1, shift--) rest |= (quotient & 1) != 0;
    return ldexp((double)(quotient | rest), -shift);
}

/* The sum of integers is exact, and so is the quotient, until it is rounded to the result. */
static void mean_of_integers(const reference_input *in, reference *expected) {
    __extension__ __int128 sum = 0;
    const bool is_signed = element_is_signed(in->spec->type);
    for (uint64_t i = 0; i < in->count; i++) {
        const uint64_t bits = element_integer(in->spec->type, in->data[0], i);
        if (is_signed)
            sum += (int64_t)bits;
        else
            sum += bits;
    }
    const double mean =
        in->count == 0 ? NAN : divide((uint128)(sum < 0 ? -sum : sum), in->count, expected->value.type == JR_F64);
    element_store_float(expected->value.type, &expected->value.as, sum < 0 ? -mean : mean);
}

/* Of floats it is a sum in f64. */
void reference_mean(const reference_input *in, reference *expected) {
    reference_sum sum = {0};
    long double x, taken = 0;
    if (!element_is_float(in->spec->type)) {
        mean_of_integers(in, expected);
        return;
    }
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x)) {
            reference_sum_add(&sum, x);
            taken++;
        }
    const long double mean = reference_sum_total(&sum) / taken;
    bounded(expected, mean,
            (reference_bound){.unit = reference_unit(reference_accumulator(in->spec)),
                              .magnitude = sum.magnitude / taken,
                              .last = reference_last(expected, mean)});
}

/* What a norm adds up of one number. */
static long double norm_term(jr_op op, long double x) {
    if (op == JR_OP_NORM1) return fabsl(x);
    return op == JR_OP_DOT ? x : x * x;
}

/* norm1, sumsq and dot: the sum's bound, three roundings for each term (two conversions of 64-bit integers and their
 * product), and where a product leaves the normal numbers half the least one instead. norm2: the root halves the
 * relative error of the sum of squares. */
void reference_norm(const reference_input *in, reference *expected) {
    const jr_spec *spec = in->spec;
    const jr_type accumulator = reference_accumulator(spec);
    const long double unit = reference_unit(accumulator);
    reference_sum sum = {0};
    long double x;
    if (spec->initial != NULL) reference_sum_add(&sum, element_number(spec->initial->type, &spec->initial->as, 0));
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x)) reference_sum_add(&sum, norm_term(spec->op, x));
    const long double total = reference_sum_total(&sum), root = sqrtl(total);
    if (spec->op == JR_OP_NORM2)
        bounded(expected, root,
                (reference_bound){
                    .unit = unit, .magnitude = root, .own = 3 * unit * root, .last = reference_last(expected, root)});
    else
        bounded(
            expected, total,
            (reference_bound){.unit = unit,
                              .magnitude = sum.magnitude,
                              .own = 3 * unit * sum.magnitude + reference_tiny(accumulator) * (long double)in->count});
}

/* The CPU reference of var, std and logsumexp. */

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
