/* Arithmetic of f16, bf16 and their pairs: exact or rounded to odd in double, then rounded once. */
#include "lanes.h"
#include "number.h"

static uint16_t f16_fma(uint16_t a, uint16_t b, uint16_t c) {
    return jrs_to_f16(jrs_fma_odd((double)jrs_f16_to_f32(a), (double)jrs_f16_to_f32(b), (double)jrs_f16_to_f32(c)));
}

static uint16_t bf16_fma(uint16_t a, uint16_t b, uint16_t c) {
    return jrs_to_bf16(jrs_fma_odd((double)jrs_bf16_to_f32(a), (double)jrs_bf16_to_f32(b), (double)jrs_bf16_to_f32(c)));
}

/* Flips the sign; a NaN becomes the one NaN. */
static uint16_t flip(uint16_t a, uint32_t sign, uint16_t infinity) {
    return (a & 0x7fffu) > infinity ? JRS_NAN_F16 : (uint16_t)(a ^ sign);
}

static uint16_t f16_sign(uint16_t a, uint32_t sign) {
    return flip(a, sign, 0x7c00u);
}

static uint16_t bf16_sign(uint16_t a, uint32_t sign) {
    return flip(a, sign, 0x7f80u);
}

/* Sums are products with one; products are exact in double. */
#define ARITHMETIC(T, one)                                                                                             \
    static uint16_t T##_add(uint16_t a, uint16_t b) {                                                                  \
        return T##_fma(a, one, b);                                                                                     \
    }                                                                                                                  \
    static uint16_t T##_sub(uint16_t a, uint16_t b) {                                                                  \
        return T##_fma(b, (uint16_t)((one) | 0x8000u), a);                                                             \
    }                                                                                                                  \
    static uint16_t T##_mul(uint16_t a, uint16_t b) {                                                                  \
        return jrs_to_##T((double)jrs_##T##_to_f32(a) * (double)jrs_##T##_to_f32(b));                                  \
    }                                                                                                                  \
    static uint16_t T##_fma_relu(uint16_t a, uint16_t b, uint16_t c) {                                                 \
        uint16_t sum = T##_fma(a, b, c);                                                                               \
        return sum & 0x8000u ? 0 : sum;                                                                                \
    }                                                                                                                  \
    static uint16_t T##_choose(uint16_t a, uint16_t b, bool least, bool nan_wins) {                                    \
        float x = jrs_##T##_to_f32(a), y = jrs_##T##_to_f32(b);                                                        \
        return jrs_to_##T((double)(least ? jrs_min_f32(x, y, nan_wins) : jrs_max_f32(x, y, nan_wins)));                \
    }                                                                                                                  \
    static uint16_t T##_cross(uint16_t a, uint16_t b, bool least, bool nan_wins) {                                     \
        uint16_t magnitude = T##_choose(a & 0x7fffu, b & 0x7fffu, least, nan_wins);                                    \
        return magnitude == JRS_NAN_F16 ? magnitude : (uint16_t)(magnitude | ((a ^ b) & 0x8000u));                     \
    }

ARITHMETIC(f16, 0x3c00u)
ARITHMETIC(bf16, 0x3f80u)

/* The same on both halves of a word. */
#define LOW(a)                       ((uint16_t)(a))
#define HIGH(a)                      ((uint16_t)((a) >> 16))
#define JOIN(high, low)              ((uint32_t)(high) << 16 | (low))
#define EACH2(f, a, b)               JOIN(f(HIGH(a), HIGH(b)), f(LOW(a), LOW(b)))
#define EACH3(f, a, b, c)            JOIN(f(HIGH(a), HIGH(b), HIGH(c)), f(LOW(a), LOW(b), LOW(c)))
#define CHOOSE2(f, a, b, least, nan) JOIN(f(HIGH(a), HIGH(b), least, nan), f(LOW(a), LOW(b), least, nan))

#define SCALAR(XX, T)                                                                                                  \
    XX(BINARY, add_##T, u16, u16, u16, T##_add(a, b))                                                                  \
    XX(BINARY, sub_##T, u16, u16, u16, T##_sub(a, b))                                                                  \
    XX(BINARY, mul_##T, u16, u16, u16, T##_mul(a, b))                                                                  \
    XX(TERNARY, fma_##T, u16, u16, u16, u16, T##_fma(a, b, c))                                                         \
    XX(BINARY, min_##T, u16, u16, u16, T##_choose(a, b, true, false))                                                  \
    XX(BINARY, max_##T, u16, u16, u16, T##_choose(a, b, false, false))                                                 \
    XX(BINARY, min_NaN_##T, u16, u16, u16, T##_choose(a, b, true, true))                                               \
    XX(BINARY, max_NaN_##T, u16, u16, u16, T##_choose(a, b, false, true))                                              \
    XX(BINARY, min_xorsign_abs_##T, u16, u16, u16, T##_cross(a, b, true, false))                                       \
    XX(BINARY, max_xorsign_abs_##T, u16, u16, u16, T##_cross(a, b, false, false))                                      \
    XX(BINARY, min_NaN_xorsign_abs_##T, u16, u16, u16, T##_cross(a, b, true, true))                                    \
    XX(BINARY, max_NaN_xorsign_abs_##T, u16, u16, u16, T##_cross(a, b, false, true))                                   \
    XX(TERNARY, fma_relu_##T, u16, u16, u16, u16, T##_fma_relu(a, b, c))                                               \
    XX(UNARY, neg_##T, u16, u16, T##_sign(a, 0x8000u))                                                                 \
    XX(UNARY, abs_##T, u16, u16, T##_sign(a, a & 0x8000u))

#define PAIRED(XX, T)                                                                                                  \
    XX(BINARY, add_##T##x2, u32, u32, u32, EACH2(T##_add, a, b))                                                       \
    XX(BINARY, sub_##T##x2, u32, u32, u32, EACH2(T##_sub, a, b))                                                       \
    XX(BINARY, mul_##T##x2, u32, u32, u32, EACH2(T##_mul, a, b))                                                       \
    XX(TERNARY, fma_##T##x2, u32, u32, u32, u32, EACH3(T##_fma, a, b, c))                                              \
    XX(BINARY, min_##T##x2, u32, u32, u32, CHOOSE2(T##_choose, a, b, true, false))                                     \
    XX(BINARY, max_##T##x2, u32, u32, u32, CHOOSE2(T##_choose, a, b, false, false))                                    \
    XX(BINARY, min_NaN_##T##x2, u32, u32, u32, CHOOSE2(T##_choose, a, b, true, true))                                  \
    XX(BINARY, max_NaN_##T##x2, u32, u32, u32, CHOOSE2(T##_choose, a, b, false, true))                                 \
    XX(BINARY, min_xorsign_abs_##T##x2, u32, u32, u32, CHOOSE2(T##_cross, a, b, true, false))                          \
    XX(BINARY, max_xorsign_abs_##T##x2, u32, u32, u32, CHOOSE2(T##_cross, a, b, false, false))                         \
    XX(BINARY, min_NaN_xorsign_abs_##T##x2, u32, u32, u32, CHOOSE2(T##_cross, a, b, true, true))                       \
    XX(BINARY, max_NaN_xorsign_abs_##T##x2, u32, u32, u32, CHOOSE2(T##_cross, a, b, false, true))                      \
    XX(TERNARY, fma_relu_##T##x2, u32, u32, u32, u32, EACH3(T##_fma_relu, a, b, c))                                    \
    XX(UNARY, neg_##T##x2, u32, u32, JOIN(T##_sign(HIGH(a), 0x8000u), T##_sign(LOW(a), 0x8000u)))                      \
    XX(UNARY, abs_##T##x2, u32, u32, JOIN(T##_sign(HIGH(a), HIGH(a) & 0x8000u), T##_sign(LOW(a), LOW(a) & 0x8000u)))

#define FORMS(XX)                                                                                                      \
    SCALAR(XX, f16)                                                                                                    \
    SCALAR(XX, bf16)                                                                                                   \
    PAIRED(XX, f16)                                                                                                    \
    PAIRED(XX, bf16)

FORMS(JRS_RUN)

const jrs_form jrs_half_forms[] = {FORMS(JRS_ROW){NULL, NULL, 0, {0}}};
