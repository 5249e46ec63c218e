/* The CPU reference. */
#include "support/reference.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* A sum as good as exact: Neumaier's compensation over long doubles; what is not finite is counted apart. */
typedef struct oracle_sum {
    long double sum, lost, magnitude;
    bool has_nan, has_plus, has_minus;
} oracle_sum;

static void oracle_add(oracle_sum *oracle, double x) {
    if (!isfinite(x)) {
        if (isnan(x)) oracle->has_nan = true;
        if (x > 0) oracle->has_plus = true;
        if (x < 0) oracle->has_minus = true;
        return;
    }
    const long double term = x, sum = oracle->sum + term;
    oracle->lost += fabsl(oracle->sum) >= fabsl(term) ? (oracle->sum - sum) + term : (term - sum) + oracle->sum;
    oracle->sum = sum;
    oracle->magnitude += fabsl(term);
}

static long double oracle_total(const oracle_sum *oracle) {
    if (oracle->has_nan || (oracle->has_plus && oracle->has_minus)) return NAN;
    if (oracle->has_plus) return INFINITY;
    return oracle->has_minus ? -INFINITY : oracle->sum + oracle->lost;
}

static double float_at(jr_type type, const void *data, uint64_t i) {
    return type == JR_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* Any integer type, sign- or zero-extended: 64-bit arithmetic modulo 2^64 serves them all. */
static uint64_t integer_at(jr_type type, const void *data, uint64_t i) {
    switch (type) {
    case JR_I32: return (uint64_t)(int64_t)((const int32_t *)data)[i];
    case JR_U32: return ((const uint32_t *)data)[i];
    default: return ((const uint64_t *)data)[i];
    }
}

static bool is_signed(jr_type type) {
    return type == JR_I32 || type == JR_I64;
}

static bool is_float(jr_type type) {
    return type == JR_F32 || type == JR_F64;
}

/* Is a below b? NaN is below everything for min and above everything for max, so that it wins; -0 is below +0. */
static bool float_wins(jr_op op, double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && !isnan(b);
    if (a == b) return op == JR_OP_MIN ? signbit(a) && !signbit(b) : !signbit(a) && signbit(b);
    return op == JR_OP_MIN ? a < b : a > b;
}

static bool integer_wins(jr_op op, jr_type type, uint64_t a, uint64_t b) {
    const bool below = is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
    return op == JR_OP_MIN ? below : a != b && !below;
}

static uint64_t combine_integers(jr_op op, jr_type type, uint64_t a, uint64_t b) {
    switch (op) {
    case JR_OP_SUM: return a + b;
    case JR_OP_PROD: return a * b;
    case JR_OP_AND: return a & b;
    case JR_OP_OR: return a | b;
    case JR_OP_XOR: return a ^ b;
    default: return integer_wins(op, type, b, a) ? b : a;
    }
}

static jr_type result_of(jr_op op, jr_type type) {
    if ((op != JR_OP_SUM && op != JR_OP_PROD) || is_float(type)) return type;
    return is_signed(type) ? JR_I64 : JR_U64;
}

static void set_integer(jr_value *value, uint64_t bits) {
    switch (value->type) {
    case JR_I32: value->as.i32 = (int32_t)(uint32_t)bits; break;
    case JR_U32: value->as.u32 = (uint32_t)bits; break;
    default: value->as.u64 = bits; break;
    }
}

static void set_float(jr_value *value, double x) {
    if (value->type == JR_F32)
        value->as.f32 = (float)x;
    else
        value->as.f64 = x;
}

static void reduce_integers(const jr_spec *spec, const void *data, uint64_t count, reference *expected) {
    const jr_value *initial = spec->initial;
    uint64_t total = spec->op == JR_OP_PROD ? 1 : spec->op == JR_OP_AND ? UINT64_MAX : 0;
    bool begun = spec->op != JR_OP_MIN && spec->op != JR_OP_MAX;
    if (initial != NULL) {
        total = integer_at(initial->type, &initial->as, 0);
        begun = true;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t x = integer_at(spec->type, data, i);
        total = begun ? combine_integers(spec->op, spec->type, total, x) : x;
        begun = true;
    }
    expected->empty = !begun;
    set_integer(&expected->value, total);
}

static void pick_float(const jr_spec *spec, const void *data, uint64_t count, reference *expected) {
    bool begun = spec->initial != NULL;
    double best = begun ? float_at(spec->type, &spec->initial->as, 0) : 0;
    for (uint64_t i = 0; i < count; i++) {
        const double x = float_at(spec->type, data, i);
        if (!begun || float_wins(spec->op, x, best)) best = x;
        begun = true;
    }
    expected->empty = !begun;
    set_float(&expected->value, best);
}

static void sum_floats(const jr_spec *spec, const void *data, uint64_t count, reference *expected) {
    oracle_sum oracle = {0};
    if (spec->initial != NULL) oracle_add(&oracle, float_at(spec->type, &spec->initial->as, 0));
    for (uint64_t i = 0; i < count; i++) oracle_add(&oracle, float_at(spec->type, data, i));
    expected->oracle = oracle_total(&oracle);
    expected->magnitude = oracle.magnitude;
}

static void multiply_floats(const jr_spec *spec, const void *data, uint64_t count, reference *expected) {
    long double product = spec->initial != NULL ? float_at(spec->type, &spec->initial->as, 0) : 1;
    for (uint64_t i = 0; i < count; i++) product *= float_at(spec->type, data, i);
    expected->oracle = product;
    expected->magnitude = fabsl(product);
    expected->roundings = count + 1;
}

void reference_reduce(const jr_spec *spec, const void *data, uint64_t count, reference *expected) {
    *expected = (reference){.op = spec->op, .value = {.type = result_of(spec->op, spec->type)}};
    expected->rounds = is_float(spec->type) && (spec->op == JR_OP_SUM || spec->op == JR_OP_PROD);
    if (!is_float(spec->type))
        reduce_integers(spec, data, count, expected);
    else if (spec->op == JR_OP_SUM)
        sum_floats(spec, data, count, expected);
    else if (spec->op == JR_OP_PROD)
        multiply_floats(spec, data, count, expected);
    else
        pick_float(spec, data, count, expected);
    if (expected->rounds) set_float(&expected->value, (double)expected->oracle);
}

/* Source of the bound: N. Higham, "Accuracy and Stability of Numerical Algorithms", 4.2: |error| <= gamma_depth sum |x|
 * for any order of additions in which no element passes through more than depth of them. */
static bool within_bound(const reference *expected, double got, double depth) {
    const bool narrow = expected->value.type == JR_F32;
    const double wanted = narrow ? (double)expected->value.as.f32 : expected->value.as.f64;
    if (isnan(wanted) || isnan(got)) return isnan(wanted) && isnan(got);
    if (isinf(wanted) || isinf(got) || depth <= 0) return wanted == got;
    const long double unit = narrow ? FLT_EPSILON / 2 : (long double)DBL_EPSILON / 2;
    const long double steps = expected->roundings > 0 ? (long double)expected->roundings : (long double)depth;
    return fabsl((long double)got - expected->oracle) <= steps * unit / (1 - steps * unit) * expected->magnitude;
}

bool reference_agrees(const reference *expected, const jr_value *value, double depth) {
    const jr_type type = expected->value.type;
    if (expected->empty || value->type != type) return false;
    if (!is_float(type)) return integer_at(type, &expected->value.as, 0) == integer_at(type, &value->as, 0);
    const double got = float_at(type, &value->as, 0), wanted = float_at(type, &expected->value.as, 0);
    if (expected->rounds) return within_bound(expected, got, depth);
    return isnan(wanted) ? isnan(got) : got == wanted && !signbit(got) == !signbit(wanted);
}

void reference_assert(const reference *expected, const jr_value *value, double depth, const char *what) {
    char got[32] = "?", wanted[32] = "no value";
    if (reference_agrees(expected, value, depth)) return;
    jr_value_print(value, got, sizeof got);
    if (!expected->empty) jr_value_print(&expected->value, wanted, sizeof wanted);
    fail_msg("%s: got %s, expected %s (type %s, depth %g)", what, got, wanted, jr_type_name(value->type), depth);
}

/* vector: its elements pairwise; chain: a vector each round of the loop; then the chains, the head and the tail, the
 * block's threads by halving, the blocks' partial results by the threads of one, its threads again, and the initial. */
double reference_depth(const jr_spec *spec, uint64_t count, int grid, int block, int unroll) {
    const double per_vector = 16.0 / (double)jr_type_size(spec->type);
    const double vectors = ceil((double)count / per_vector);
    const double rounds = ceil(vectors / ((double)grid * block * unroll));
    const double halving = ceil(log2(block)) + 1;
    return log2(per_vector) + rounds + unroll + 2 + halving + ceil((double)grid / block) + halving + 1;
}
