/* Integers of thousands of bits, and the nearest float. */
#include "exact_number.h"

#include <stddef.h>

const exact_format *exact_format_of(jr_type type) {
    static const exact_format formats[] = {{JR_F16, 10, 5}, {JR_BF16, 7, 8}, {JR_F32, 23, 8}, {JR_F64, 52, 11}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].type == type) return &formats[i];
    return NULL;
}

static int field_most(const exact_format *format) {
    return (1 << format->exponent_bits) - 1;
}

/* The exponent of the last bit of subnormal numbers. */
static int lowest_exponent(const exact_format *format) {
    return 2 - (1 << (format->exponent_bits - 1)) - format->fraction_bits;
}

exact_float exact_take_apart(const exact_format *format, uint64_t bits) {
    const int field = (int)(bits >> format->fraction_bits) & field_most(format);
    const uint64_t fraction = bits & ((1ull << format->fraction_bits) - 1);
    exact_float x = {EXACT_FINITE, bits >> (format->fraction_bits + format->exponent_bits) & 1, fraction,
                     lowest_exponent(format)};
    if (field == field_most(format)) x.kind = fraction != 0 ? EXACT_NAN : EXACT_INFINITE;
    if (field > 0) {
        x.magnitude |= 1ull << format->fraction_bits;
        x.exponent += field - 1;
    }
    return x;
}

/* ---- integers ---- */

void exact_add(exact_number *sum, bool negative, exact_wide magnitude, int exponent) {
    const int shift = exponent - sum->least, bits = shift % 64;
    exact_wide carry = 0;
    for (int i = shift / 64, part = 0; i < EXACT_LIMBS; i++, part++) {
        uint64_t limb = 0; /* of the magnitude, shifted */
        if (part == 0) limb = (uint64_t)(magnitude << bits);
        if (part == 1) limb = (uint64_t)(magnitude >> (64 - bits)); /* bits may be 0: of 128 bits that is right */
        if (part == 2 && bits > 0) limb = (uint64_t)(magnitude >> (128 - bits));
        const exact_wide with = (exact_wide)limb + carry;
        const exact_wide so_far = sum->limbs[i];
        carry = negative ? with > so_far : (so_far + with) >> 64;
        sum->limbs[i] = (uint64_t)(negative ? so_far - with : so_far + with);
    }
}

bool exact_is_zero(const exact_number *a) {
    for (int i = 0; i < EXACT_LIMBS; i++)
        if (a->limbs[i] != 0) return false;
    return true;
}

bool exact_is_negative(const exact_number *a) {
    return a->limbs[EXACT_LIMBS - 1] >> 63;
}

exact_number exact_less(const exact_number *a, const exact_number *b) {
    exact_number result = *a;
    exact_wide borrow = 0;
    for (int i = 0; i < EXACT_LIMBS; i++) {
        const exact_wide with = (exact_wide)b->limbs[i] + borrow;
        borrow = with > a->limbs[i];
        result.limbs[i] = (uint64_t)(a->limbs[i] - with);
    }
    return result;
}

static exact_number magnitude_of(const exact_number *a) {
    const exact_number zero = {.least = a->least};
    return exact_is_negative(a) ? exact_less(&zero, a) : *a;
}

/* Modulo 2^(64 * EXACT_LIMBS), so that signs need no care. */
exact_number exact_times(const exact_number *a, uint64_t n) {
    exact_number result = {.least = a->least};
    exact_wide carry = 0;
    for (int i = 0; i < EXACT_LIMBS; i++) {
        carry += (exact_wide)a->limbs[i] * n;
        result.limbs[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return result;
}

exact_number exact_square(const exact_number *a) {
    const exact_number size = magnitude_of(a);
    exact_number result = {.least = 2 * a->least};
    for (int i = 0; i < EXACT_LIMBS; i++) {
        exact_wide carry = 0;
        for (int k = 0; i + k < EXACT_LIMBS; k++) {
            carry += (exact_wide)size.limbs[i] * size.limbs[k] + result.limbs[i + k];
            result.limbs[i + k] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    return result;
}

/* ---- the nearest float ---- */

/* Below, at or above: |value| against (middle, squared of a root) * divisor; the middle is m * 2^exponent. */
static int against_middle(const exact_number *size, uint64_t divisor, bool root, uint64_t m, int exponent) {
    exact_number middle = {.least = size->least};
    const exact_wide product = root ? (exact_wide)m * m * divisor : (exact_wide)m * divisor;
    exact_add(&middle, false, product, root ? 2 * exponent : exponent);
    const exact_number rest = exact_less(size, &middle);
    return exact_is_negative(&rest) ? -1 : !exact_is_zero(&rest);
}

bool exact_is_nearest(const exact_number *value, uint64_t divisor, bool root, const exact_format *format,
                      uint64_t result) {
    const exact_float x = exact_take_apart(format, result);
    const exact_number size = magnitude_of(value);
    const bool even = x.magnitude % 2 == 0;
    if (exact_is_zero(value)) return x.kind == EXACT_FINITE && x.magnitude == 0;
    if (x.kind == EXACT_NAN || x.negative != exact_is_negative(value)) return false;
    if (x.kind == EXACT_FINITE) {
        const int above = against_middle(&size, divisor, root, 2 * x.magnitude + 1, x.exponent - 1);
        if (above > 0 || (above == 0 && !even)) return false;
        if (x.magnitude == 0) return true;
    }
    /* Below a power of two numbers lie twice as close; infinity is taken apart as the power above the greatest. */
    const bool closer = x.magnitude == 1ull << format->fraction_bits && x.exponent > lowest_exponent(format);
    const int below = closer ? against_middle(&size, divisor, root, 4 * x.magnitude - 1, x.exponent - 2)
                             : against_middle(&size, divisor, root, 2 * x.magnitude - 1, x.exponent - 1);
    return below > 0 || (below == 0 && even);
}
