/* The elements of 32 lanes, side by side in memory, to and from registers. */
#include "interleave.h"

#include "sim/exec/lanes.h"

/* A kernel's race for global memory is not a race of the simulator. Atomic accesses, which a single lane uses, would
 * keep the compiler from vectorising these loops; so the attribute excludes them from ThreadSanitizer, and they do not
 * call memcpy, which ThreadSanitizer intercepts. */
#define RACED_FOR __attribute__((no_sanitize("thread")))

/* Elements E of memory into registers of R: `count` of each lane, interleaved. */
#define SPREAD(E, R)                                                                                                   \
    RACED_FOR static void spread_##E##_##R(const jrs_warp *warp, const jrs_instruction *i, const uint8_t *from) {      \
        const lane_##E *elements = (const void *)from;                                                                 \
        const size_t count = i->memory.count;                                                                          \
        for (size_t k = 0; k < count; k++) {                                                                           \
            lane_##R *to = jrs_at(warp, i->memory.slots[k]);                                                           \
            if (count == 1)                                                                                            \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = (lane_##R)elements[l];                  \
            else if (count == 2)                                                                                       \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = (lane_##R)elements[l * 2 + k];          \
            else if (count == 4)                                                                                       \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = (lane_##R)elements[l * 4 + k];          \
            else                                                                                                       \
                for (size_t l = 0; l < JRS_LANES; l++) to[l] = (lane_##R)elements[l * count + k];                      \
        }                                                                                                              \
    }

SPREAD(u16, u16)
SPREAD(u32, u32)
SPREAD(u64, u64)
SPREAD(u128, u128)
SPREAD(u8, u16)
SPREAD(s8, u16)
SPREAD(u8, u32)
SPREAD(s8, u32)
SPREAD(u16, u32)
SPREAD(s16, u32)

/* And back. */
#define COLLECT(E, R)                                                                                                  \
    RACED_FOR static void collect_##E##_##R(const jrs_warp *warp, const jrs_instruction *i, uint8_t *to) {             \
        lane_##E *elements = (void *)to;                                                                               \
        const size_t count = i->memory.count;                                                                          \
        for (size_t k = 0; k < count; k++) {                                                                           \
            const lane_##R *from = jrs_at(warp, i->memory.slots[k]);                                                   \
            for (size_t l = 0; l < JRS_LANES; l++) elements[l * count + k] = (lane_##E)from[l];                        \
        }                                                                                                              \
    }

COLLECT(u16, u16)
COLLECT(u32, u32)
COLLECT(u64, u64)
COLLECT(u128, u128)
COLLECT(u8, u16)
COLLECT(u8, u32)
COLLECT(u16, u32)

jrs_spreader *jrs_interleave_load(const jrs_instruction *i) {
    const uint8_t bytes = i->memory.bytes, width = i->width;
    const bool sign = i->memory.sign_extended;
    if (bytes == width)
        return bytes == 2   ? spread_u16_u16
               : bytes == 4 ? spread_u32_u32
               : bytes == 8 ? spread_u64_u64
                            : spread_u128_u128;
    if (bytes == 1 && width == 2) return sign ? spread_s8_u16 : spread_u8_u16;
    if (bytes == 1 && width == 4) return sign ? spread_s8_u32 : spread_u8_u32;
    if (bytes == 2 && width == 4) return sign ? spread_s16_u32 : spread_u16_u32;
    return NULL;
}

jrs_collector *jrs_interleave_store(const jrs_instruction *i) {
    const uint8_t bytes = i->memory.bytes, width = i->width;
    if (bytes == width)
        return bytes == 2   ? collect_u16_u16
               : bytes == 4 ? collect_u32_u32
               : bytes == 8 ? collect_u64_u64
                            : collect_u128_u128;
    if (bytes == 1 && width == 2) return collect_u8_u16;
    if (bytes == 1 && width == 4) return collect_u8_u32;
    return bytes == 2 && width == 4 ? collect_u16_u32 : NULL;
}
