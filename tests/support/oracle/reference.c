/* The CPU reference: which part serves an operator, and whether a value agrees. */
#include "reference.h"

#include <float.h>
#include <math.h>

#include "reference_parts.h"
#include "support/fixtures/check.h"

bool reference_item(const reference_input *in, uint64_t i, long double *x) {
    *x = element_number(in->spec->type, in->data[0], i);
    if (in->spec->op == JR_OP_DOT) *x *= element_number(in->spec->type, in->data[1], i);
    return in->spec->nan == JR_NAN_PROPAGATE || !isnan(*x);
}

/* f32 for floats up to f32, else f64. */
static jr_type norm_type(jr_type type) {
    return element_is_float(type) && type != JR_F64 ? JR_F32 : JR_F64;
}

static bool adds_in_f64(jr_op op) {
    return op == JR_OP_MEAN || op == JR_OP_VAR || op == JR_OP_STD || op == JR_OP_NORM2;
}

jr_type reference_accumulator(const jr_spec *spec) {
    if (adds_in_f64(spec->op)) return JR_F64;
    return spec->accumulate != JR_TYPE_NONE ? spec->accumulate : norm_type(spec->type);
}

static jr_type sum_type(const jr_spec *spec) {
    if (element_is_float(spec->type)) return reference_accumulator(spec);
    return element_is_signed(spec->type) ? JR_I64 : JR_U64;
}

jr_type reference_result_type(const jr_spec *spec) {
    switch (spec->op) {
    case JR_OP_SUM:
    case JR_OP_PROD: return sum_type(spec);
    case JR_OP_ANY:
    case JR_OP_ALL: return JR_BOOL;
    case JR_OP_COUNT_NONZERO: return JR_U64;
    case JR_OP_ARGMIN:
    case JR_OP_ARGMAX: return JR_I64;
    case JR_OP_MEAN: return spec->accumulate != JR_TYPE_NONE ? JR_F64 : norm_type(spec->type);
    case JR_OP_NORM1:
    case JR_OP_SUMSQ:
    case JR_OP_DOT:
    case JR_OP_LOGSUMEXP: return reference_accumulator(spec);
    case JR_OP_VAR:
    case JR_OP_STD:
    case JR_OP_NORM2:
    case JR_OP_NORMINF: return norm_type(spec->type);
    case JR_OP_NONE:
    case JR_OP_MIN:
    case JR_OP_MAX:
    case JR_OP_AND:
    case JR_OP_OR:
    case JR_OP_XOR:
    case JR_OP_CUSTOM: return spec->type;
    }
    fail_msg("the reference does not know operator %s: add it to tests/support/oracle/reference.c",
             jr_op_name(spec->op));
    return spec->type;
}

bool reference_can_be_exact(jr_op op) {
    return op != JR_OP_VAR && op != JR_OP_STD && op != JR_OP_LOGSUMEXP;
}

long double reference_unit(jr_type type) {
    return type == JR_F64 ? (long double)DBL_EPSILON / 2 : (long double)FLT_EPSILON / 2;
}

long double reference_tiny(jr_type type) {
    return type == JR_F64 ? (long double)DBL_TRUE_MIN : (long double)FLT_TRUE_MIN;
}

long double reference_last(const reference *expected, long double size) {
    const jr_type type = expected->value.type;
    const long double converted = type == JR_F64 ? 0 : reference_unit(type);
    return (2 * reference_unit(JR_F64) + converted) * fabsl(size) + reference_tiny(type);
}

typedef void reference_part(const reference_input *in, reference *expected);

static reference_part *part_of(jr_op op, bool is_float) {
    switch (op) {
    case JR_OP_SUM: return is_float ? reference_floats : reference_integers;
    case JR_OP_PROD: return is_float ? reference_product : reference_integers;
    case JR_OP_MIN:
    case JR_OP_MAX: return is_float ? reference_extremum : reference_integers;
    case JR_OP_ANY:
    case JR_OP_ALL:
    case JR_OP_COUNT_NONZERO: return reference_nonzero;
    case JR_OP_ARGMIN:
    case JR_OP_ARGMAX: return reference_index;
    case JR_OP_MEAN: return reference_mean;
    case JR_OP_VAR:
    case JR_OP_STD: return reference_moments;
    case JR_OP_NORMINF: return reference_norminf;
    case JR_OP_NORM1:
    case JR_OP_NORM2:
    case JR_OP_SUMSQ:
    case JR_OP_DOT: return reference_norm;
    case JR_OP_LOGSUMEXP: return reference_exponential;
    default: return reference_integers;
    }
}

void reference_reduce_arrays(const jr_spec *spec, const void *const *data, uint64_t count, reference *expected) {
    const reference_input in = {spec, data, count};
    *expected = (reference){.op = spec->op, .value = {.type = reference_result_type(spec)}};
    part_of(spec->op, element_is_float(spec->type))(&in, expected);
    if (expected->rounds) element_store_float(expected->value.type, &expected->value.as, (double)expected->oracle);
}

void reference_reduce(const jr_spec *spec, const void *data, uint64_t count, reference *expected) {
    reference_reduce_arrays(spec, &data, count, expected);
}

static long double bound_of(const reference_bound *bound, double depth) {
    if (depth <= 0) return bound->last;
    const long double steps = bound->unit * (long double)depth, gamma = steps / (1 - steps);
    return gamma * bound->magnitude + gamma * gamma * bound->second + bound->own + bound->last;
}

static bool within_bound(const reference *expected, double got, double depth) {
    const double wanted = element_float(expected->value.type, &expected->value.as, 0);
    if (isnan(wanted) || isnan(got)) return isnan(wanted) && isnan(got);
    if (isinf(wanted) || isinf(got)) return wanted == got;
    if (got == wanted) return true;
    return fabsl((long double)got - expected->oracle) <= bound_of(&expected->bound, depth);
}

bool reference_agrees(const reference *expected, const jr_value *value, double depth) {
    const jr_type type = expected->value.type;
    if (expected->empty || value->type != type) return false;
    if (!element_is_float(type))
        return element_integer(type, &expected->value.as, 0) == element_integer(type, &value->as, 0);
    const double got = element_float(type, &value->as, 0), wanted = element_float(type, &expected->value.as, 0);
    if (expected->rounds) return within_bound(expected, got, depth);
    return isnan(wanted) ? isnan(got) : got == wanted && !signbit(got) == !signbit(wanted);
}

void reference_assert(const reference *expected, const jr_value *value, double depth, const char *what) {
    char got[32] = "?", wanted[32] = "no value";
    if (reference_agrees(expected, value, depth)) return;
    jr_value_print(value, got, sizeof got);
    if (!expected->empty) jr_value_print(&expected->value, wanted, sizeof wanted);
    fail_msg("%s: got %s, expected %s (type %s, depth %g, bound %Lg)", what, got, wanted, jr_type_name(value->type),
             depth, bound_of(&expected->bound, depth));
}

/* vector: its elements pairwise; chain: a vector each round of the loop; then the chains, the head and the tail, the
 * block's threads (a column a lane, then the lanes), the blocks' partial results by the threads of one, its threads
 * again, and the initial value. */
static double tree_depth(const jr_spec *spec, double rounds, int grid, int block, int unroll) {
    const double threads = block / 32.0 + 5;
    return log2(16.0 / (double)element_bytes(spec->type)) + rounds + unroll + 1 + threads + ceil((double)grid / block) +
           threads + 1;
}

double reference_depth(const jr_spec *spec, uint64_t count, int grid, int block, int unroll) {
    enum { BLOCK_STEPS = 64 }; /* an ordered fold of the block in every round: two levels of 32 */
    const double vectors = ceil((double)count * (double)element_bytes(spec->type) / 16);
    const double rounds = ceil(vectors / ((double)grid * block * unroll));
    const double tree = tree_depth(spec, rounds, grid, block, unroll);
    if (spec->algorithm <= JR_ALGORITHM_ONE_BLOCK) return tree;
    return tree + rounds * (unroll + BLOCK_STEPS) + grid + (unroll + 2) * (log2((double)count + 1) + 1);
}
