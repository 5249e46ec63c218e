/* The elements of 32 lanes, side by side in memory, to and from registers. */
#include "interleave.h"

#include "lanes.h"

/* Kernels may race for global memory: that is no race of the simulator. Atomic accesses, as one lane's are, would keep
 * the compiler from taking many elements at once; so ThreadSanitizer is told to look away, and no memcpy is called. */
#define RACED_FOR __attribute__((no_sanitize("thread")))

/* Elements k of `count` interleaved ones, for 32 lanes. */
#define SPREAD(T)                                                                                                      \
    RACED_FOR static void spread_##T(const jrs_warp *warp, const jrs_instruction *i, const uint8_t *from) {            \
        const lane_##T *elements = (const void *)from;                                                                 \
        const size_t count = i->memory.count;                                                                          \
        for (size_t k = 0; k < count; k++) {                                                                           \
            lane_##T *to = jrs_at(warp, i->memory.slots[k]);                                                           \
            if (count == 1)                                                                                            \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = elements[l];                            \
            else if (count == 2)                                                                                       \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = elements[l * 2 + k];                    \
            else if (count == 4)                                                                                       \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = elements[l * 4 + k];                    \
            else                                                                                                       \
                for (size_t l = 0; l < JRS_LANES; l++) to[l] = elements[l * count + k];                                \
        }                                                                                                              \
    }                                                                                                                  \
    RACED_FOR static void collect_##T(const jrs_warp *warp, const jrs_instruction *i, uint8_t *to) {                   \
        lane_##T *elements = (void *)to;                                                                               \
        const size_t count = i->memory.count;                                                                          \
        for (size_t k = 0; k < count; k++) {                                                                           \
            const lane_##T *from = jrs_at(warp, i->memory.slots[k]);                                                   \
            for (size_t l = 0; l < JRS_LANES; l++) elements[l * count + k] = from[l];                                  \
        }                                                                                                              \
    }

SPREAD(u16)
SPREAD(u32)
SPREAD(u64)
SPREAD(u128)

/* Loads into wider registers. */
#define WIDEN(T, R)                                                                                                    \
    RACED_FOR static void widen_##T##_##R(const jrs_warp *warp, const jrs_instruction *i, const uint8_t *from) {       \
        for (size_t k = 0; k < i->memory.count; k++) {                                                                 \
            lane_##R *to = jrs_at(warp, i->memory.slots[k]);                                                           \
            const size_t count = i->memory.count;                                                                      \
            for (size_t l = 0; l < JRS_LANES; l++) {                                                                   \
                T element;                                                                                             \
                memcpy(&element, from + (l * count + k) * sizeof element, sizeof element);                             \
                to[l] = (lane_##R)element;                                                                             \
            }                                                                                                          \
        }                                                                                                              \
    }

WIDEN(uint8_t, u16)
WIDEN(int8_t, u16)
WIDEN(uint8_t, u32)
WIDEN(int8_t, u32)
WIDEN(uint16_t, u32)
WIDEN(int16_t, u32)

/* Stores of narrower elements than their registers. */
#define NARROW(T, R)                                                                                                   \
    RACED_FOR static void narrow_##T##_##R(const jrs_warp *warp, const jrs_instruction *i, uint8_t *to) {              \
        const size_t count = i->memory.count;                                                                          \
        for (size_t k = 0; k < count; k++) {                                                                           \
            const lane_##R *from = jrs_at(warp, i->memory.slots[k]);                                                   \
            for (size_t l = 0; l < JRS_LANES; l++) {                                                                   \
                const T element = (T)from[l];                                                                          \
                memcpy(to + (l * count + k) * sizeof element, &element, sizeof element);                               \
            }                                                                                                          \
        }                                                                                                              \
    }

NARROW(uint8_t, u16)
NARROW(uint8_t, u32)
NARROW(uint16_t, u32)

jrs_spreader *jrs_interleave_load(const jrs_instruction *i) {
    const uint8_t bytes = i->memory.bytes;
    if (bytes == i->width)
        return bytes == 2 ? spread_u16 : bytes == 4 ? spread_u32 : bytes == 8 ? spread_u64 : spread_u128;
    if (bytes == 1 && i->width == 2) return i->memory.sign_extended ? widen_int8_t_u16 : widen_uint8_t_u16;
    if (bytes == 1 && i->width == 4) return i->memory.sign_extended ? widen_int8_t_u32 : widen_uint8_t_u32;
    if (bytes == 2 && i->width == 4) return i->memory.sign_extended ? widen_int16_t_u32 : widen_uint16_t_u32;
    return NULL;
}

jrs_collector *jrs_interleave_store(const jrs_instruction *i) {
    const uint8_t bytes = i->memory.bytes;
    if (bytes == i->width)
        return bytes == 2 ? collect_u16 : bytes == 4 ? collect_u32 : bytes == 8 ? collect_u64 : collect_u128;
    if (bytes == 1 && i->width == 2) return narrow_uint8_t_u16;
    if (bytes == 1 && i->width == 4) return narrow_uint8_t_u32;
    return bytes == 2 && i->width == 4 ? narrow_uint16_t_u32 : NULL;
}
