/* Number formats: rounding to narrow ones, and directed rounding. */
#include "sim_number.h"

#include <fenv.h>
#include <math.h>

enum { DOUBLE_MANTISSA = 52, DOUBLE_BIAS = 1023, DOUBLE_SPECIAL = 2047, LARGEST_SHIFT = 60 };

static bool rounds_up(uint64_t kept, uint64_t rest, unsigned shift, bool negative, jrs_rounding rounding) {
    uint64_t half = UINT64_C(1) << (shift - 1);
    switch (rounding) {
    case JRS_ROUND_ZERO: return false;
    case JRS_ROUND_DOWN: return negative && rest;
    case JRS_ROUND_UP: return !negative && rest;
    case JRS_ROUND_AWAY: return rest >= half;
    default: return rest > half || (rest == half && (kept & 1));
    }
}

static bool overflows_to_infinity(bool negative, jrs_rounding rounding) {
    if (rounding == JRS_ROUND_ZERO) return false;
    if (rounding == JRS_ROUND_DOWN) return negative;
    if (rounding == JRS_ROUND_UP) return !negative;
    return true;
}

uint16_t jrs_narrow(double value, unsigned mantissa_bits, unsigned exponent_bits, jrs_rounding rounding) {
    uint64_t bits = jrs_f64_bits(value);
    bool negative = bits >> 63;
    uint32_t sign = (uint32_t)negative << (mantissa_bits + exponent_bits);
    uint32_t infinity = ((1u << exponent_bits) - 1) << mantissa_bits;
    int bias = (1 << (exponent_bits - 1)) - 1, field = (int)(bits >> DOUBLE_MANTISSA & DOUBLE_SPECIAL);
    uint64_t mantissa = bits & ((UINT64_C(1) << DOUBLE_MANTISSA) - 1);
    if (field == DOUBLE_SPECIAL) return (uint16_t)(mantissa ? JRS_NAN_F16 : (sign | infinity));
    if (field == 0 && mantissa == 0) return (uint16_t)sign;
    if (field) mantissa |= UINT64_C(1) << DOUBLE_MANTISSA;
    int exponent = field ? field - DOUBLE_BIAS : 1 - DOUBLE_BIAS, least = 1 - bias;
    unsigned shift = DOUBLE_MANTISSA - mantissa_bits;
    if (exponent < least) shift += (unsigned)(least - exponent);
    if (shift > LARGEST_SHIFT) shift = LARGEST_SHIFT; /* nothing but a trace is left */
    uint64_t kept = mantissa >> shift, rest = mantissa & ((UINT64_C(1) << shift) - 1);
    kept += rounds_up(kept, rest, shift, negative, rounding);
    if (exponent >= least) kept += ((uint64_t)(exponent + bias - 1)) << mantissa_bits; /* the hidden bit adds one */
    if (kept >= infinity) kept = infinity - !overflows_to_infinity(negative, rounding);
    return (uint16_t)(sign | (uint32_t)kept);
}

double jrs_fma_odd(double a, double b, double c) {
    double product = a * b, sum = product + c;
    if (!isfinite(sum)) return sum;
    double part = sum - product; /* Knuth's two-sum: the exact error */
    double error = (product - (sum - part)) + (c - part);
    uint64_t bits = jrs_f64_bits(sum);
    if (error == 0 || (bits & 1)) return sum;
    bool outward = (error > 0) == (sum > 0);
    return jrs_f64_of(outward ? bits + 1 : bits - 1);
}

static int mode_of(jrs_rounding rounding) {
    switch (rounding) {
    case JRS_ROUND_ZERO: return FE_TOWARDZERO;
    case JRS_ROUND_DOWN: return FE_DOWNWARD;
    case JRS_ROUND_UP: return FE_UPWARD;
    default: return FE_TONEAREST;
    }
}

jrs_next jrs_with_rounding(jrs_rounding rounding, jrs_handler *run, jrs_warp *warp, const jrs_instruction *instruction,
                           uint32_t mask) {
    if (rounding <= JRS_ROUND_NEAREST) return run(warp, instruction, mask);
    fesetround(mode_of(rounding));
    jrs_next next = run(warp, instruction, mask);
    fesetround(FE_TONEAREST);
    return next;
}

float jrs_narrow_f32(double value, jrs_rounding rounding) {
    float nearest = (float)value;
    if (rounding <= JRS_ROUND_NEAREST || (double)nearest == value || value != value) return nearest;
    bool above = (double)nearest > value;
    bool want_below = rounding == JRS_ROUND_DOWN || (rounding == JRS_ROUND_ZERO && value > 0);
    if (above && want_below) return nextafterf(nearest, -INFINITY);
    if (!above && !want_below) return nextafterf(nearest, INFINITY);
    return nearest;
}

double jrs_integral(double value, jrs_rounding rounding) {
    switch (rounding) {
    case JRS_ROUND_ZERO: return trunc(value);
    case JRS_ROUND_DOWN: return floor(value);
    case JRS_ROUND_UP: return ceil(value);
    case JRS_ROUND_AWAY: return round(value);
    default: return rint(value);
    }
}
