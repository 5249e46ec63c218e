/* Integer arithmetic: add, sub, div, rem, min, max, abs, neg, sad; add, min and max of two 16-bit integers in a word,
 * and what clamps a result at zero. */
#include "sim/exec/lanes.h"

/* Quotient and remainder of a division by zero are all ones, as the device's own division routines do. */
#define DIVIDE(a, b)                ((b) == 0 ? -1 : (b) == -1 ? 0 - (a) : (a) / (b))
#define REMAINDER(a, b)             ((b) == 0 ? -1 : (b) == -1 ? 0 : (a) % (b))
#define DIVIDE_UNSIGNED(T, a, b)    ((b) == 0 ? (lane_##T) ~(lane_##T)0 : (a) / (b))
#define REMAINDER_UNSIGNED(T, a, b) ((b) == 0 ? (lane_##T) ~(lane_##T)0 : (a) % (b))
#define SATURATE(wide)              ((wide) > INT32_MAX ? INT32_MAX : (wide) < INT32_MIN ? INT32_MIN : (wide))

/* Sums and differences wrap: computed unsigned, U. */
#define COMMON(XX, T, U)                                                                                               \
    XX(BINARY, add_##T, U, U, U, a + b)                                                                                \
    XX(BINARY, sub_##T, U, U, U, a - b)                                                                                \
    XX(BINARY, min_##T, T, T, T, a < b ? a : b)                                                                        \
    XX(BINARY, max_##T, T, T, T, a > b ? a : b)                                                                        \
    XX(TERNARY, sad_##T, U, T, T, U, c + (lane_##U)(a < b ? (lane_##U)b - (lane_##U)a : (lane_##U)a - (lane_##U)b))

#define ONLY_SIGNED(XX, T, U)                                                                                          \
    XX(UNARY, abs_##T, U, T, a < 0 ? (lane_##U)0 - (lane_##U)a : (lane_##U)a)                                          \
    XX(UNARY, neg_##T, U, U, (lane_##U)0 - a)

/* The two integers of a word. */
#define LOW(T, a)        ((T)(uint16_t)(a))
#define HIGH(T, a)       ((T)(uint16_t)((a) >> 16))
#define JOIN(high, low)  ((uint32_t)(uint16_t)(high) << 16 | (uint16_t)(low))
#define EACH(f, T, a, b) JOIN(f(HIGH(T, a), HIGH(T, b)), f(LOW(T, a), LOW(T, b)))

#define SUM(a, b)            ((a) + (b))
#define LEAST(a, b)          ((a) < (b) ? (a) : (b))
#define MOST(a, b)           ((a) > (b) ? (a) : (b))
#define POSITIVE(a)          ((a) > 0 ? (a) : 0)
#define LEAST_POSITIVE(a, b) POSITIVE(LEAST(a, b))
#define MOST_POSITIVE(a, b)  POSITIVE(MOST(a, b))

#define PAIRS(XX)                                                                                                      \
    XX(BINARY, add_u16x2, u32, u32, u32, EACH(SUM, uint16_t, a, b))                                                    \
    XX(BINARY, add_s16x2, u32, u32, u32, EACH(SUM, uint16_t, a, b))                                                    \
    XX(BINARY, min_u16x2, u32, u32, u32, EACH(LEAST, uint16_t, a, b))                                                  \
    XX(BINARY, max_u16x2, u32, u32, u32, EACH(MOST, uint16_t, a, b))                                                   \
    XX(BINARY, min_s16x2, u32, u32, u32, EACH(LEAST, int16_t, a, b))                                                   \
    XX(BINARY, max_s16x2, u32, u32, u32, EACH(MOST, int16_t, a, b))                                                    \
    XX(BINARY, min_relu_s16x2, u32, u32, u32, EACH(LEAST_POSITIVE, int16_t, a, b))                                     \
    XX(BINARY, max_relu_s16x2, u32, u32, u32, EACH(MOST_POSITIVE, int16_t, a, b))                                      \
    XX(BINARY, min_relu_s32, s32, s32, s32, LEAST_POSITIVE(a, b))                                                      \
    XX(BINARY, max_relu_s32, s32, s32, s32, MOST_POSITIVE(a, b))

#define FORMS(XX)                                                                                                      \
    COMMON(XX, u16, u16)                                                                                               \
    COMMON(XX, s16, u16)                                                                                               \
    COMMON(XX, u32, u32)                                                                                               \
    COMMON(XX, s32, u32)                                                                                               \
    COMMON(XX, u64, u64)                                                                                               \
    COMMON(XX, s64, u64)                                                                                               \
    ONLY_SIGNED(XX, s16, u16)                                                                                          \
    ONLY_SIGNED(XX, s32, u32)                                                                                          \
    ONLY_SIGNED(XX, s64, u64)                                                                                          \
    XX(BINARY, add_sat_s32, s32, s32, s32, SATURATE((int64_t)a + b))                                                   \
    XX(BINARY, sub_sat_s32, s32, s32, s32, SATURATE((int64_t)a - b))                                                   \
    XX(BINARY, div_u16, u16, u16, u16, DIVIDE_UNSIGNED(u16, a, b))                                                     \
    XX(BINARY, div_u32, u32, u32, u32, DIVIDE_UNSIGNED(u32, a, b))                                                     \
    XX(BINARY, div_u64, u64, u64, u64, DIVIDE_UNSIGNED(u64, a, b))                                                     \
    XX(BINARY, div_s16, s16, s16, s16, DIVIDE(a, b))                                                                   \
    XX(BINARY, div_s32, s32, s32, s32, DIVIDE((int64_t)a, b))                                                          \
    XX(BINARY, div_s64, s64, s64, s64, b == -1 ? (int64_t)(0 - (uint64_t)a) : DIVIDE(a, b + (b == -1) * 2))            \
    XX(BINARY, rem_u16, u16, u16, u16, REMAINDER_UNSIGNED(u16, a, b))                                                  \
    XX(BINARY, rem_u32, u32, u32, u32, REMAINDER_UNSIGNED(u32, a, b))                                                  \
    XX(BINARY, rem_u64, u64, u64, u64, REMAINDER_UNSIGNED(u64, a, b))                                                  \
    XX(BINARY, rem_s16, s16, s16, s16, REMAINDER(a, b))                                                                \
    XX(BINARY, rem_s32, s32, s32, s32, REMAINDER(a, b))                                                                \
    XX(BINARY, rem_s64, s64, s64, s64, REMAINDER(a, b))                                                                \
    PAIRS(XX)

JRS_HANDLERS_AND_TABLE(integer, FORMS)
