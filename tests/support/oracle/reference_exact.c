/* The CPU reference of operators whose results are exact: integers, extrema, flags, counts, indexes. */
#include <math.h>
#include <stddef.h>

#include "reference_parts.h"

/* Is a the better one? NaN is better than everything, so that it wins, or, when it is skipped, worse; -0 is below +0.
 */
static bool float_wins(const jr_spec *spec, double a, double b) {
    const bool least = spec->op == JR_OP_MIN;
    if (isnan(a) || isnan(b)) return spec->nan == JR_NAN_IGNORE ? !isnan(a) && isnan(b) : isnan(a) && !isnan(b);
    if (a == b) return least ? signbit(a) && !signbit(b) : !signbit(a) && signbit(b);
    return least ? a < b : a > b;
}

static bool integer_wins(jr_op op, jr_type type, uint64_t a, uint64_t b) {
    const bool below = element_is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
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

void reference_integers(const reference_input *in, reference *expected) {
    const jr_spec *spec = in->spec;
    uint64_t total = spec->op == JR_OP_PROD ? 1 : spec->op == JR_OP_AND ? UINT64_MAX : 0;
    bool begun = spec->op != JR_OP_MIN && spec->op != JR_OP_MAX;
    if (spec->initial != NULL) {
        total = element_integer(spec->initial->type, &spec->initial->as, 0);
        begun = true;
    }
    for (uint64_t i = 0; i < in->count; i++) {
        const uint64_t x = element_integer(spec->type, in->data[0], i);
        total = begun ? combine_integers(spec->op, spec->type, total, x) : x;
        begun = true;
    }
    expected->empty = !begun;
    if (expected->value.type == JR_BOOL) total = total != 0;
    element_store_integer(expected->value.type, &expected->value.as, total);
}

void reference_extremum(const reference_input *in, reference *expected) {
    const jr_spec *spec = in->spec;
    bool begun = spec->initial != NULL;
    double best = begun ? element_float(spec->type, &spec->initial->as, 0) : 0;
    for (uint64_t i = 0; i < in->count; i++) {
        const double x = element_float(spec->type, in->data[0], i);
        if (!begun || float_wins(spec, x, best)) best = x;
        begun = true;
    }
    expected->empty = !begun;
    element_store_float(expected->value.type, &expected->value.as, best);
}

/* any, all, count_nonzero: a NaN is not zero. */
void reference_nonzero(const reference_input *in, reference *expected) {
    uint64_t taken = 0, nonzero = 0;
    long double x;
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x)) {
            taken++;
            if (x != 0) nonzero++;
        }
    uint64_t result = nonzero;
    if (expected->op == JR_OP_ANY) result = nonzero > 0;
    if (expected->op == JR_OP_ALL) result = nonzero == taken;
    element_store_integer(expected->value.type, &expected->value.as, result);
}

/* Does x at a later place win? Only if it is better: ties go to the lowest index, and so do zeros of either sign. */
static bool index_wins(const jr_spec *spec, long double x, long double best) {
    if (isnan(x) || isnan(best)) return spec->nan == JR_NAN_IGNORE ? !isnan(x) : !isnan(best);
    return spec->op == JR_OP_ARGMIN ? x < best : x > best;
}

void reference_index(const reference_input *in, reference *expected) {
    const jr_spec *spec = in->spec;
    uint64_t at = 0;
    for (uint64_t i = 1; i < in->count; i++) {
        const long double x = element_number(spec->type, in->data[0], i);
        const long double best = element_number(spec->type, in->data[0], at);
        if (!(isnan(x) && isnan(best)) && index_wins(spec, x, best)) at = i;
    }
    const bool only_nan = in->count > 0 && isnan(element_number(spec->type, in->data[0], at));
    expected->empty = in->count == 0 || (spec->nan == JR_NAN_IGNORE && only_nan);
    element_store_integer(expected->value.type, &expected->value.as, at);
}

/* A 64-bit integer becomes the nearest double: rounding keeps the order. */
void reference_norminf(const reference_input *in, reference *expected) {
    long double most = 0, x;
    for (uint64_t i = 0; i < in->count; i++)
        if (reference_item(in, i, &x) && !isnan(most) && (isnan(x) || fabsl(x) > most)) most = fabsl(x);
    element_store_float(expected->value.type, &expected->value.as, (double)most);
}
