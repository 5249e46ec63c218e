/* Arithmetic of f16, bf16 and their pairs: exact or rounded to odd in double, then rounded once. */
#include "sim/exec/lanes.h"
#include "sim_number.h"

static uint16_t f16_fma(uint16_t a, uint16_t b, uint16_t c) {
    return jrs_to_f16(jrs_fma_odd((double)jrs_f16_to_f32(a), (double)jrs_f16_to_f32(b), (double)jrs_f16_to_f32(c)));
}

static uint16_t bf16_fma(uint16_t a, uint16_t b, uint16_t c) {
    return jrs_to_bf16(jrs_fma_odd((double)jrs_bf16_to_f32(a), (double)jrs_bf16_to_f32(b), (double)jrs_bf16_to_f32(c)));
}

/* Sums are products with one; products are exact in double. */
#define ARITHMETIC(T, one, infinity)                                                                                   \
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
    }                                                                                                                  \
    static uint16_t T##_neg(uint16_t a) {                                                                              \
        return (a & 0x7fffu) > (infinity) ? JRS_NAN_F16 : a ^ 0x8000u;                                                 \
    }                                                                                                                  \
    static uint16_t T##_abs(uint16_t a) {                                                                              \
        return (a & 0x7fffu) > (infinity) ? JRS_NAN_F16 : a & 0x7fffu;                                                 \
    }

ARITHMETIC(f16, 0x3c00u, 0x7c00u)
ARITHMETIC(bf16, 0x3f80u, 0x7f80u)

/* Each of a 16-bit number, and of both halves of a word. */
#define LOW(a)          ((uint16_t)(a))
#define HIGH(a)         ((uint16_t)((a) >> 16))
#define JOIN(high, low) ((uint32_t)(high) << 16 | (low))
#define EACH1(XX, T, f)                                                                                                \
    XX(UNARY, f##_##T, u16, u16, T##_##f(a))                                                                           \
    XX(UNARY, f##_##T##x2, u32, u32, JOIN(T##_##f(HIGH(a)), T##_##f(LOW(a))))
#define EACH2(XX, T, f)                                                                                                \
    XX(BINARY, f##_##T, u16, u16, u16, T##_##f(a, b))                                                                  \
    XX(BINARY, f##_##T##x2, u32, u32, u32, JOIN(T##_##f(HIGH(a), HIGH(b)), T##_##f(LOW(a), LOW(b))))
#define EACH3(XX, T, f)                                                                                                \
    XX(TERNARY, f##_##T, u16, u16, u16, u16, T##_##f(a, b, c))                                                         \
    XX(TERNARY, f##_##T##x2, u32, u32, u32, u32,                                                                       \
       JOIN(T##_##f(HIGH(a), HIGH(b), HIGH(c)), T##_##f(LOW(a), LOW(b), LOW(c))))

#define CHOICE(XX, T, name, way, least, nan_wins)                                                                      \
    XX(BINARY, name##_##T, u16, u16, u16, T##_##way(a, b, least, nan_wins))                                            \
    XX(BINARY, name##_##T##x2, u32, u32, u32,                                                                          \
       JOIN(T##_##way(HIGH(a), HIGH(b), least, nan_wins), T##_##way(LOW(a), LOW(b), least, nan_wins)))

#define OF_TYPE(XX, T)                                                                                                 \
    EACH2(XX, T, add)                                                                                                  \
    EACH2(XX, T, sub)                                                                                                  \
    EACH2(XX, T, mul)                                                                                                  \
    EACH3(XX, T, fma)                                                                                                  \
    EACH3(XX, T, fma_relu)                                                                                             \
    CHOICE(XX, T, min, choose, true, false)                                                                            \
    CHOICE(XX, T, max, choose, false, false)                                                                           \
    CHOICE(XX, T, min_NaN, choose, true, true)                                                                         \
    CHOICE(XX, T, max_NaN, choose, false, true)                                                                        \
    CHOICE(XX, T, min_xorsign_abs, cross, true, false)                                                                 \
    CHOICE(XX, T, max_xorsign_abs, cross, false, false)                                                                \
    CHOICE(XX, T, min_NaN_xorsign_abs, cross, true, true)                                                              \
    CHOICE(XX, T, max_NaN_xorsign_abs, cross, false, true)                                                             \
    EACH1(XX, T, neg)                                                                                                  \
    EACH1(XX, T, abs)

#define FORMS(XX)                                                                                                      \
    OF_TYPE(XX, f16)                                                                                                   \
    OF_TYPE(XX, bf16)

JRS_HANDLERS_AND_TABLE(half, FORMS)
