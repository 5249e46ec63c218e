/* Input for reductions. */
#include "support/reduce_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "support/open_context.h"

static bool is_float(jr_type type) {
    return type == JR_F32 || type == JR_F64;
}

static void store_float(jr_type type, void *to, double x) {
    const float narrow = (float)x;
    if (type == JR_F32)
        memcpy(to, &narrow, sizeof narrow);
    else
        memcpy(to, &x, sizeof x);
}

/* Integers of either size: the low bytes are kept. */
static void store_bits(jr_type type, void *to, uint64_t bits) {
    memcpy(to, &bits, jr_type_size(type)); /* little-endian, as every machine with a CUDA driver */
}

static double unit(uint64_t *seed) {
    return (double)(random_bits(seed) >> 11) * 0x1p-53;
}

/* exact: integers so small that 2^21 of them stay below 2^24. */
static double sum_term(bool exact, uint64_t *seed) {
    if (exact) return (double)random_below(seed, 15) - 7;
    return (2 * unit(seed) - 1) * exp2((double)random_below(seed, 17) - 8);
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

/* Any finite bits. */
static void store_finite(jr_type type, void *to, uint64_t *seed) {
    uint64_t bits = random_bits(seed);
    const uint64_t exponent = type == JR_F32 ? 0x7f800000u : 0x7ff0000000000000u;
    if ((bits & exponent) == exponent || random_below(seed, 64) == 0) bits &= ~exponent; /* a subnormal */
    store_bits(type, to, bits);
}

static uint64_t integer(jr_op op, uint64_t *seed) {
    const uint64_t rare = random_below(seed, 100000) == 0 ? 1ull << random_below(seed, 64) : 0;
    switch (op) {
    case JR_OP_AND: return ~rare;
    case JR_OP_OR: return rare;
    case JR_OP_PROD: return random_bits(seed) | 1; /* odd: a product of even numbers soon is 0 modulo 2^64 */
    default: return random_bits(seed);
    }
}

void reduce_data_fill(jr_op op, jr_type type, bool exact, void *data, uint64_t count, uint64_t *seed) {
    const size_t bytes = jr_type_size(type);
    char *to = data;
    for (uint64_t i = 0; i < count; i++, to += bytes) {
        if (!is_float(type))
            store_bits(type, to, integer(op, seed));
        else if (op == JR_OP_SUM)
            store_float(type, to, sum_term(exact, seed));
        else if (op == JR_OP_PROD)
            store_float(type, to, factor(exact, i, seed));
        else
            store_finite(type, to, seed);
    }
}

static double extreme_float(jr_op op, jr_type type, uint64_t *seed) {
    const double most = type == JR_F32 ? (double)FLT_MAX : DBL_MAX;
    const double candidates[] = {NAN, INFINITY, most};
    const double x = candidates[random_below(seed, 3)];
    return op == JR_OP_MIN ? -x : x;
}

static uint64_t lowest_integer(jr_type type) {
    return type == JR_I32 ? (uint64_t)INT32_MIN : type == JR_I64 ? (uint64_t)INT64_MIN : 0;
}

bool reduce_data_plant(jr_op op, jr_type type, void *element, uint64_t *seed) {
    const bool picks = op == JR_OP_MIN || op == JR_OP_MAX;
    const uint64_t bit = 1ull << random_below(seed, 8 * jr_type_size(type));
    if (picks && is_float(type))
        store_float(type, element, extreme_float(op, type, seed));
    else if (picks)
        store_bits(type, element, op == JR_OP_MIN ? lowest_integer(type) : ~lowest_integer(type));
    else if (op == JR_OP_AND || op == JR_OP_OR)
        store_bits(type, element, op == JR_OP_AND ? ~bit : bit);
    else
        return false;
    return true;
}
