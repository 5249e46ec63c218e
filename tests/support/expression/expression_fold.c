/* Folds of the reference, by the table of operators. Floats add up and multiply to one value only where no order of the
 * operations rounds, or where there are no more than two of them; the caller leaves all others out. */
#include "expression_fold.h"

#include <math.h>

#include "support/oracle/element.h"

__extension__ typedef __int128 wide;

static bool is_left_out(const fold_values *values, uint64_t i) {
    return values->ignores_nan && isnan(values->values[i].floating);
}

static jr_type sum_type(jr_type type) {
    if (element_is_float(type)) return type == JR_F64 ? JR_F64 : JR_F32;
    return element_is_signed(type) ? JR_I64 : JR_U64;
}

jr_type fold_result_type(jr_op op, jr_type type) {
    switch (op) {
    case JR_OP_SUM:
    case JR_OP_PROD: return sum_type(type);
    case JR_OP_ANY:
    case JR_OP_ALL: return JR_BOOL;
    case JR_OP_COUNT_NONZERO: return JR_U64;
    case JR_OP_ARGMIN:
    case JR_OP_ARGMAX: return JR_I64;
    case JR_OP_MEAN: return element_is_float(type) && type != JR_F64 ? JR_F32 : JR_F64;
    default: return type;
    }
}

bool fold_takes(jr_op op, jr_type type) {
    return !element_is_float(type) || (op != JR_OP_AND && op != JR_OP_OR && op != JR_OP_XOR);
}

/* ---- sums and products ---- */

/* Is the sum the same in every order? Then all numbers are multiples of a power of two of which so few make them all up
 * that the type holds every partial sum; or there are at most two. */
static bool adds_exactly(const fold_values *values, int digits) {
    double sizes = 0, least = (double)INFINITY;
    uint64_t count = 0;
    for (uint64_t i = 0; i < values->count; i++) {
        const double x = values->values[i].floating;
        int exponent = 0;
        if (is_left_out(values, i)) continue;
        count++;
        if (isnan(x) || isinf(x) || x == 0) continue;
        (void)frexp(x, &exponent);
        double step = ldexp(1, exponent - 1);
        while (fmod(x, step) != 0) step /= 2;
        least = fmin(least, step);
        sizes += fabs(x);
    }
    return count <= 2 || sizes == 0 || sizes / least <= ldexp(1, digits);
}

/* Likewise for products: odd factors of all of them that fit together. */
static bool multiplies_exactly(const fold_values *values, int digits) {
    double odd = 1, size = 1, most = 1, least = 1;
    uint64_t count = 0;
    for (uint64_t i = 0; i < values->count; i++) {
        const double x = fabs(values->values[i].floating);
        int exponent = 0;
        if (is_left_out(values, i)) continue;
        count++;
        if (isnan(x) || isinf(x) || x == 0) return count <= 2 && values->count <= 2;
        double fraction = frexp(x, &exponent);
        while (fraction != trunc(fraction)) fraction *= 2;
        odd *= fraction;
        size *= x;
        most *= fmax(x, 1);
        least *= fmin(x, 1);
    }
    return count <= 2 || (odd < ldexp(1, digits) && most < 1e30 && least > 1e-30 && size > 0);
}

static c_number fold_floats(jr_op op, const fold_values *values, jr_type type, c_notes *notes) {
    const int digits = type == JR_F64 ? 53 : 24;
    c_number total = c_floating(c_element_type(type), op == JR_OP_PROD ? 1 : -0.0);
    uint64_t count = 0;
    for (uint64_t i = 0; i < values->count; i++) {
        if (is_left_out(values, i)) continue;
        total = c_binary(op == JR_OP_PROD ? '*' : '+', total, c_element_converted(type, values->values[i]), notes);
        total.product = op == JR_OP_PROD && total.product;
        count++;
    }
    if (op == JR_OP_PROD ? !multiplies_exactly(values, digits) : !adds_exactly(values, digits)) notes->undefined = true;
    return count == 0 && op != JR_OP_PROD ? c_floating(total.type, 0) : total;
}

static c_number fold_integers(jr_op op, const fold_values *values, jr_type type) {
    uint64_t total = op == JR_OP_PROD ? 1 : 0;
    for (uint64_t i = 0; i < values->count; i++) {
        const uint64_t x = values->values[i].integer;
        total = op == JR_OP_PROD ? total * x : total + x;
    }
    return c_integer(c_element_type(type), total);
}

static c_number fold_sum(jr_op op, const fold_values *values, c_notes *notes) {
    const jr_type type = fold_result_type(op, values->type);
    return element_is_float(values->type) ? fold_floats(op, values, type, notes) : fold_integers(op, values, type);
}

/* The exact sum of integers, or the sum in f64, over the count; rounded into the result. */
static c_number fold_mean(const fold_values *values, c_notes *notes) {
    const jr_type type = fold_result_type(JR_OP_MEAN, values->type);
    uint64_t count = 0;
    for (uint64_t i = 0; i < values->count; i++) count += !is_left_out(values, i);
    if (count == 0) return c_floating(c_element_type(type), (double)NAN);
    if (element_is_float(values->type)) {
        const c_number sum = fold_floats(JR_OP_SUM, values, JR_F64, notes);
        return c_element_converted(type, c_floating(C_DOUBLE, sum.floating / (double)count));
    }
    wide sum = 0;
    for (uint64_t i = 0; i < values->count; i++) {
        const uint64_t x = values->values[i].integer;
        sum += c_is_signed(values->values[i].type) ? (wide)(int64_t)x : (wide)x;
    }
    if (count > 1 && (sum >> 53 > 0 || sum >> 53 < -1)) notes->undefined = true;
    return c_floating(C_DOUBLE, (double)sum / (double)count);
}

/* ---- extrema, flags ---- */

/* True if a comes before b. NaN comes before numbers, or after them where it is ignored. */
static bool precedes(bool least, bool ignores_nan, c_number a, c_number b) {
    if (!c_is_float(a.type)) {
        if (a.integer == b.integer) return false;
        const bool less = c_is_signed(a.type) ? (int64_t)a.integer < (int64_t)b.integer : a.integer < b.integer;
        return less == least;
    }
    const double x = a.floating, y = b.floating;
    if (isnan(x) || isnan(y)) return ignores_nan ? isnan(y) && !isnan(x) : isnan(x) && !isnan(y);
    return x != y && (x < y) == least;
}

/* -0 below +0. But for an index zeros are equal, as NumPy has it. */
static bool precedes_as_zero(bool least, c_number a, c_number b) {
    if (!c_is_float(a.type) || a.floating != 0 || b.floating != 0) return false;
    return signbit(a.floating) != signbit(b.floating) && (signbit(a.floating) != 0) == least;
}

static bool fold_extremum(jr_op op, const fold_values *values, c_number *result) {
    const bool least = op == JR_OP_MIN || op == JR_OP_ARGMIN;
    uint64_t best = 0;
    const bool is_index = op == JR_OP_ARGMIN || op == JR_OP_ARGMAX;
    if (values->count == 0) return false;
    for (uint64_t i = 1; i < values->count; i++) {
        const c_number a = values->values[i], b = values->values[best];
        if (precedes(least, values->ignores_nan, a, b) || (!is_index && precedes_as_zero(least, a, b))) best = i;
    }
    const bool only_nan = c_is_float(values->values[best].type) && isnan(values->values[best].floating);
    if (is_index && values->ignores_nan && only_nan) return false;
    *result = is_index ? c_integer(C_LLONG, values->indices[best]) : values->values[best];
    return true;
}

static c_number fold_flags(jr_op op, const fold_values *values) {
    uint64_t total = 0, count = 0;
    for (uint64_t i = 0; i < values->count; i++) {
        if (is_left_out(values, i)) continue;
        count++;
        total += c_is_true(values->values[i]);
    }
    if (op == JR_OP_COUNT_NONZERO) return c_integer(C_ULLONG, total);
    return c_integer(C_INT, op == JR_OP_ANY ? total > 0 : total == count);
}

static c_number fold_bits(jr_op op, const fold_values *values) {
    uint64_t total = op == JR_OP_AND ? ~UINT64_C(0) : 0;
    for (uint64_t i = 0; i < values->count; i++) {
        const uint64_t x = values->values[i].integer;
        total = op == JR_OP_AND ? total & x : op == JR_OP_OR ? total | x : total ^ x;
    }
    return c_element_converted(values->type, c_integer(C_ULLONG, total));
}

bool fold_reduce(jr_op op, const fold_values *values, c_number *result, c_notes *notes) {
    switch (op) {
    case JR_OP_SUM:
    case JR_OP_PROD: *result = fold_sum(op, values, notes); return true;
    case JR_OP_MEAN: *result = fold_mean(values, notes); return true;
    case JR_OP_AND:
    case JR_OP_OR:
    case JR_OP_XOR: *result = fold_bits(op, values); return true;
    case JR_OP_ANY:
    case JR_OP_ALL:
    case JR_OP_COUNT_NONZERO: *result = fold_flags(op, values); return true;
    default: return fold_extremum(op, values, result);
    }
}
