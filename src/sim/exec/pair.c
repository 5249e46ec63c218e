/* Arithmetic of two 16-bit integers in a word, and what clamps an integer result at zero. */
#include "lanes.h"

typedef uint32_t u32;
typedef int32_t s32;

#define LOW(T, a)        ((T)(uint16_t)(a))
#define HIGH(T, a)       ((T)(uint16_t)((a) >> 16))
#define JOIN(high, low)  ((u32)(uint16_t)(high) << 16 | (uint16_t)(low))
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

FORMS(JRS_RUN)

const jrs_form jrs_pair_forms[] = {FORMS(JRS_ROW){NULL, NULL, 0, {0}}};
