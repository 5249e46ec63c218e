/* Input for reductions. */
#include "reduce_data.h"

#include <float.h>
#include <math.h>

#include "element.h"
#include "support/fixtures/open_context.h"

/* What is being filled. */
typedef struct filling {
    jr_op op;
    jr_type type;
    bool exact;
    int shift; /* of exponents: where the elements of one array lie */
} filling;

static double unit(uint64_t *seed) {
    return (double)(random_bits(seed) >> 11) * 0x1p-53;
}

/* exact: integers so small that 2^21 of them, or of their squares, stay below 2^24. */
static double sum_term(const filling *f, uint64_t *seed) {
    const bool squared = f->op == JR_OP_SUMSQ || f->op == JR_OP_DOT || f->op == JR_OP_NORM2;
    if (f->exact) return squared ? (double)random_below(seed, 5) - 2 : (double)random_below(seed, 15) - 7;
    const double term = (2 * unit(seed) - 1) * exp2((double)random_below(seed, 17) - 8);
    return f->op == JR_OP_VAR || f->op == JR_OP_STD ? term + exp2(f->shift) : ldexp(term, f->shift);
}

/* exact: signs and powers of two, frequent at the beginning and then so rare that no partial product leaves f32's
 * range. Otherwise near one, nearer further on. */
static double factor(bool exact, uint64_t i, uint64_t *seed) {
    const uint64_t bits = random_bits(seed);
    const double sign = bits & 1 ? -1 : 1;
    if (!exact) return sign * (1 + (2 * unit(seed) - 1) / (i < 256 ? 64 : 8192));
    if ((bits >> 8) % (i < 1024 ? 16 : 32768) != 0) return sign;
    return sign * (bits & 2 ? 2 : 0.5);
}

static uint64_t infinite_bits(jr_type type) {
    switch (type) {
    case JR_F16: return 0x7c00u;
    case JR_BF16: return 0x7f80u;
    case JR_F32: return 0x7f800000u;
    default: return 0x7ff0000000000000u;
    }
}

/* Any finite bits. */
static void store_finite(jr_type type, void *to, uint64_t *seed) {
    uint64_t bits = random_bits(seed);
    const uint64_t exponent = infinite_bits(type);
    if ((bits & exponent) == exponent || random_below(seed, 64) == 0) bits &= ~exponent; /* a subnormal */
    element_store_integer(type, to, bits);
}

/* Zeros of either sign and few others. */
static double tie(uint64_t *seed) {
    static const double few[] = {0.0, -0.0, 1, -1, 2, -2};
    return few[random_below(seed, 6)];
}

/* Zero or not, one kind rare where it decides; zeros of either sign. */
static bool is_zero(jr_op op, uint64_t *seed) {
    const bool rare = random_below(seed, 100000) == 0;
    return op == JR_OP_ANY ? !rare : op == JR_OP_ALL ? rare : random_bits(seed) & 1;
}

static bool tells_zero(jr_op op) {
    return op == JR_OP_ANY || op == JR_OP_ALL || op == JR_OP_COUNT_NONZERO;
}

static bool picks(jr_op op) {
    return op == JR_OP_MIN || op == JR_OP_MAX || op == JR_OP_ARGMIN || op == JR_OP_ARGMAX;
}

static void store_float(const filling *f, void *to, uint64_t i, uint64_t *seed) {
    if (picks(f->op) || f->op == JR_OP_NORMINF) {
        if (f->exact)
            element_store_float(f->type, to, tie(seed));
        else
            store_finite(f->type, to, seed);
    } else if (tells_zero(f->op)) {
        const double x = is_zero(f->op, seed) ? 0 : 0x1p-14 * (double)(1 + random_below(seed, 100));
        element_store_float(f->type, to, random_bits(seed) & 1 ? -x : x);
    } else if (f->op == JR_OP_PROD) {
        element_store_float(f->type, to, factor(f->exact, i, seed));
    } else if (f->op == JR_OP_LOGSUMEXP) {
        element_store_float(f->type, to, 40 * unit(seed) - 20 + 20 * f->shift);
    } else {
        element_store_float(f->type, to, sum_term(f, seed));
    }
}

/* Integers that are added up in f64: small where sums must be exact, and where exponentials must not all vanish. */
static bool needs_small(const filling *f) {
    const bool norm = f->op == JR_OP_NORM1 || f->op == JR_OP_NORM2 || f->op == JR_OP_SUMSQ || f->op == JR_OP_DOT;
    return f->op == JR_OP_LOGSUMEXP || (f->exact && (norm || f->op == JR_OP_ARGMIN || f->op == JR_OP_ARGMAX));
}

static uint64_t integer(const filling *f, uint64_t *seed) {
    const uint64_t rare = random_below(seed, 100000) == 0 ? 1ull << random_below(seed, 64) : 0;
    if (tells_zero(f->op)) return is_zero(f->op, seed) ? 0 : random_bits(seed) | 1;
    if (needs_small(f)) return random_below(seed, 5) - (element_is_signed(f->type) ? 2 : 0);
    switch (f->op) {
    case JR_OP_AND: return ~rare;
    case JR_OP_OR: return rare;
    case JR_OP_PROD: return random_bits(seed) | 1; /* odd: a product of even numbers soon is 0 modulo 2^64 */
    default: return random_bits(seed);
    }
}

/* Any byte but zero is true. */
static uint64_t boolean(const filling *f, uint64_t *seed) {
    const uint64_t truth = 1 + (random_below(seed, 8) == 0 ? random_below(seed, 255) : 0);
    switch (f->op) {
    case JR_OP_AND:
    case JR_OP_PROD:
    case JR_OP_MIN:
    case JR_OP_ALL: return random_below(seed, 100000) == 0 ? 0 : truth;
    case JR_OP_OR:
    case JR_OP_MAX:
    case JR_OP_ANY: return random_below(seed, 100000) == 0 ? truth : 0;
    default: return random_bits(seed) & 1 ? truth : 0;
    }
}

/* Norms of f64 must not overflow, nor lose small elements, so some arrays are at the ends of the range and at the
 * bounds of scales. Variances get a mean that is up to 2^6 times as large; exponentials get values beyond f32's
 * range. */
static int shift_of(jr_op op, jr_type type, uint64_t *seed) {
    static const int shifts[] = {0, -1000, -511, 486, 900};
    if (op == JR_OP_NORM2 && type == JR_F64) return shifts[random_below(seed, 5)];
    if (op == JR_OP_VAR || op == JR_OP_STD) return (int)random_below(seed, 7);
    return op == JR_OP_LOGSUMEXP ? (int)random_below(seed, 6) : 0;
}

void reduce_data_fill(jr_op op, jr_type type, bool exact, void *data, uint64_t count, uint64_t *seed) {
    const size_t bytes = element_bytes(type);
    const filling f = {op, type, exact, shift_of(op, type, seed)};
    char *to = data;
    for (uint64_t i = 0; i < count; i++, to += bytes) {
        if (element_is_float(type))
            store_float(&f, to, i, seed);
        else
            element_store_integer(type, to, type == JR_BOOL ? boolean(&f, seed) : integer(&f, seed));
    }
}

/* The greatest finite number has the bits just below infinity's. */
static void plant_extreme_float(jr_op op, jr_type type, void *element, uint64_t *seed) {
    const bool least = op == JR_OP_MIN || op == JR_OP_ARGMIN;
    const uint64_t sign = least ? 1ull << (8 * element_bytes(type) - 1) : 0;
    const uint64_t infinite = infinite_bits(type), candidates[] = {infinite + 1, infinite, infinite - 1};
    element_store_integer(type, element, candidates[random_below(seed, 3)] | sign);
}

static uint64_t lowest_integer(jr_type type) {
    return element_is_signed(type) ? ~0ull << (8 * element_bytes(type) - 1) : 0;
}

static bool plant_integer(jr_op op, jr_type type, void *element, uint64_t *seed) {
    const uint64_t bit = 1ull << random_below(seed, type == JR_BOOL ? 1 : 8 * element_bytes(type));
    const uint64_t lowest = type == JR_BOOL ? 0 : lowest_integer(type), highest = type == JR_BOOL ? 1 : ~lowest;
    if (picks(op))
        element_store_integer(type, element, op == JR_OP_MIN || op == JR_OP_ARGMIN ? lowest : highest);
    else if (op == JR_OP_AND || op == JR_OP_OR)
        element_store_integer(type, element, type == JR_BOOL ? op == JR_OP_OR : op == JR_OP_AND ? ~bit : bit);
    else if (op == JR_OP_ANY || op == JR_OP_ALL)
        element_store_integer(type, element, op == JR_OP_ANY);
    else
        return false;
    return true;
}

bool reduce_data_plant(jr_op op, jr_type type, void *element, uint64_t *seed) {
    static const double strange[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    if (!element_is_float(type)) return plant_integer(op, type, element, seed);
    if (picks(op) || op == JR_OP_NORMINF)
        plant_extreme_float(op, type, element, seed);
    else if (op == JR_OP_ANY || op == JR_OP_ALL)
        element_store_float(type, element, op == JR_OP_ANY);
    else
        element_store_float(type, element, strange[random_below(seed, 3)]);
    return true;
}

void reduce_data_sprinkle_nan(jr_type type, void *data, uint64_t count, uint64_t one_in, uint64_t *seed) {
    char *to = data;
    for (uint64_t i = random_below(seed, one_in); i < count; i += 1 + random_below(seed, 2 * one_in))
        element_store_float(type, to + i * element_bytes(type), (double)NAN);
}
