/* Numbers as bits: f16 and bf16, NaNs, minimum and maximum as PTX wants them. Compiled kernels contain this text. */
#ifndef JRS_INSTRUCTIONS_NUMBER_BITS_H
#define JRS_INSTRUCTIONS_NUMBER_BITS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define JRS_NAN_F32 0x7fffffffu
#define JRS_NAN_F16 0x7fffu /* of bf16 too */

static inline uint32_t jrs_f32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float jrs_f32_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t jrs_f64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double jrs_f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The device makes one NaN only in f32 arithmetic. */
static inline float jrs_nan_f32(float value) {
    return value == value ? value : jrs_f32_of(JRS_NAN_F32);
}

static inline float jrs_bf16_to_f32(uint16_t bits) {
    return jrs_f32_of((uint32_t)bits << 16);
}

static inline float jrs_f16_to_f32(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000u) << 16, rest = half & 0x7fffu;
    /* Normal numbers by moving the exponent; subnormal ones by a subtraction that normalises. */
    uint32_t normal = (rest << 13) + (UINT32_C(112) << 23);
    float subnormal = jrs_f32_of((UINT32_C(113) << 23) + (rest << 13)) - jrs_f32_of(UINT32_C(113) << 23);
    uint32_t special = (rest << 13) | 0x7f800000u;
    uint32_t magnitude = rest >= 0x7c00u ? special : rest < 0x400u ? jrs_f32_bits(subnormal) : normal;
    return jrs_f32_of(sign | magnitude);
}

/* The operand, quieted, if it is a NaN, else the value: compilers exchange the operands of sums and products. Bits are
 * chosen by a mask, since a branch would keep the compiler from vectorising. */
static inline double jrs_first_nan(double operand, double value) {
    const uint64_t quieted = jrs_f64_bits(operand) | UINT64_C(0x8000000000000);
    const uint64_t nan = 0 - (uint64_t)(operand != operand);
    return jrs_f64_of((quieted & nan) | (jrs_f64_bits(value) & ~nan));
}

/* a times the reciprocal of b, which is 0 where it would be subnormal (PTX manual, div.approx: |b| above 2^126). */
static inline float jrs_divide_near(float a, float b) {
    return fabsf(b) > 0x1p126f && !isinf(b) ? a * copysignf(0.0f, b) : a / b;
}

/* -0 < +0; a NaN gives the other operand, and with nan_wins a NaN. */
#define JRS_MIN_MAX(name, T, B, bits_of, of_bits, canonical, compare, zeros)                                           \
    static inline T name(T a, T b, bool nan_wins) {                                                                    \
        T chosen = a compare b ? a : b;                                                                                \
        T equal = of_bits((B)(bits_of(a) zeros bits_of(b)));                                                           \
        T numbers = a == b ? equal : chosen;                                                                           \
        T one = a != a ? b : a;                                                                                        \
        T unordered = (nan_wins || (a != a && b != b)) ? of_bits(canonical) : one;                                     \
        return (a != a || b != b) ? unordered : numbers;                                                               \
    }

JRS_MIN_MAX(jrs_min_f32, float, uint32_t, jrs_f32_bits, jrs_f32_of, JRS_NAN_F32, <, |)
JRS_MIN_MAX(jrs_max_f32, float, uint32_t, jrs_f32_bits, jrs_f32_of, JRS_NAN_F32, >, &)
JRS_MIN_MAX(jrs_min_f64, double, uint64_t, jrs_f64_bits, jrs_f64_of, UINT64_C(0x7fffffffffffffff), <, |)
JRS_MIN_MAX(jrs_max_f64, double, uint64_t, jrs_f64_bits, jrs_f64_of, UINT64_C(0x7fffffffffffffff), >, &)

#endif
