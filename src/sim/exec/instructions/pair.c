/* Arithmetic of two 16-bit integers in a word, and what clamps an integer result at zero. */
#include "sim/exec/lanes.h"

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

#define FORMS(XX)                                                                                                      \
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

JRS_HANDLERS_AND_TABLE(pair, FORMS)
