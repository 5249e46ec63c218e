/* Computes with fractions of 64 bits. */
#include "fraction.h"

__extension__ typedef __int128 jr_wide;

/* Neither is INT64_MIN. */
static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* below is not 0. */
static bool reduce(jr_fraction *value) {
    if (value->above == INT64_MIN || value->below == INT64_MIN) {
        if (value->below == 1) return true;
        return false;
    }
    const int64_t common = common_divisor(value->above, value->below), sign = value->below < 0 ? -1 : 1;
    value->above = value->above / common * sign;
    value->below = value->below / common * sign;
    return true;
}

/* a + sign * b */
bool jr_fraction_add(jr_fraction a, jr_fraction b, int sign, jr_fraction *sum) {
    int64_t left, right;
    if (__builtin_mul_overflow(a.above, b.below, &left) || __builtin_mul_overflow(b.above, a.below, &right) ||
        __builtin_mul_overflow(a.below, b.below, &sum->below))
        return false;
    const bool over =
        sign > 0 ? __builtin_add_overflow(left, right, &sum->above) : __builtin_sub_overflow(left, right, &sum->above);
    return !over && reduce(sum);
}

bool jr_fraction_multiply(jr_fraction a, jr_fraction b, jr_fraction *product) {
    return !__builtin_mul_overflow(a.above, b.above, &product->above) &&
           !__builtin_mul_overflow(a.below, b.below, &product->below) && reduce(product);
}

bool jr_fraction_less(jr_fraction a, jr_fraction b) {
    return (jr_wide)a.above * b.below < (jr_wide)b.above * a.below;
}

int64_t jr_fraction_ceiling(jr_fraction value) {
    return value.above / value.below + (value.above % value.below > 0);
}
