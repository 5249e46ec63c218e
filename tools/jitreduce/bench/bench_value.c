/* Compares results. */
#include "bench_value.h"

#include <math.h>
#include <string.h>

static bool is_float(jr_type type) {
    return jr_type_class_of(type) == JR_CLASS_FLOAT;
}

/* Half the distance from 1 to the next number. */
static double unit_of(jr_type type) {
    return ldexp(0.5, -jr_type_fraction_bits(type));
}

/* Each element goes through about so many additions: a tree over 2^18 chains, of which each adds up its share. */
double cli_value_tolerance(jr_op op, jr_type ours, jr_type other, uint64_t count) {
    if (!is_float(ours) || !is_float(other) || (jr_op_flags(op) & JR_OP_FLAG_SELECTS)) return 0;
    const double unit = fmax(unit_of(ours), unit_of(other));
    return unit * (16 + 4 * log2((double)count + 1) + (double)count * 0x1p-18);
}

static double number_of(const jr_value *value) {
    double number;
    return jr_value_number(value, &number) == JR_OK ? number : (double)NAN;
}

bool cli_values_agree(jr_op op, const jr_value *ours, const jr_value *other, uint64_t count) {
    if (!is_float(ours->type) && !is_float(other->type)) {
        const size_t a = jr_type_size(ours->type), b = jr_type_size(other->type);
        return memcmp(&ours->as, &other->as, a < b ? a : b) == 0; /* little-endian: the low bytes */
    }
    const double x = number_of(ours), y = number_of(other);
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
    if (x == y || isinf(x) || isinf(y)) return x == y;
    return fabs(x - y) <= cli_value_tolerance(op, ours->type, other->type, count) * fmax(fabs(x), fabs(y));
}
