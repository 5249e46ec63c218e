/* Elements of lanes that lie anywhere in memory, to and from registers. As a single lane's, these accesses are atomic:
 * kernels may race. */
#include "lane_gather.h"

#include "sim/exec/lanes.h"

/* Elements E of memory into registers of R. */
#define GATHER(E, R)                                                                                                   \
    static void gather_##E##_##R(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask,                        \
                                 uint8_t *const places[JRS_LANES]) {                                                   \
        for (size_t k = 0; k < i->memory.count; k++) {                                                                 \
            lane_##R *to = jrs_at(warp, i->memory.slots[k]);                                                           \
            JRS_FOR_LANES(mask, const void *from = places[l] + k * sizeof(lane_##E);                                   \
                          to[l] = (lane_##R)__atomic_load_n((const lane_##E *)from, __ATOMIC_RELAXED));                \
        }                                                                                                              \
    }

GATHER(u8, u16)
GATHER(s8, u16)
GATHER(u16, u16)
GATHER(u8, u32)
GATHER(s8, u32)
GATHER(u16, u32)
GATHER(s16, u32)
GATHER(u32, u32)
GATHER(u8, u64)
GATHER(s8, u64)
GATHER(u16, u64)
GATHER(s16, u64)
GATHER(u32, u64)
GATHER(s32, u64)
GATHER(u64, u64)

jrs_gatherer *jrs_gather_load(const jrs_instruction *i) {
    static jrs_gatherer *const rows[3][4][2] = {
        [0] = {[0] = {gather_u8_u16, gather_s8_u16}, [1] = {gather_u16_u16, gather_u16_u16}},
        [1] = {[0] = {gather_u8_u32, gather_s8_u32},
               [1] = {gather_u16_u32, gather_s16_u32},
               [2] = {gather_u32_u32, gather_u32_u32}},
        [2] = {[0] = {gather_u8_u64, gather_s8_u64},
               [1] = {gather_u16_u64, gather_s16_u64},
               [2] = {gather_u32_u64, gather_s32_u64},
               [3] = {gather_u64_u64, gather_u64_u64}}};
    if (i->width < 2 || i->width > 8) return NULL;
    return rows[jrs_first(i->width) - 1][jrs_first(i->memory.bytes)][i->memory.sign_extended];
}

/* And back: the lowest bytes of the registers. Two lanes may store to one place: they change it if one of them stores
 * something else than what was there. */
#define SCATTER(E, R)                                                                                                  \
    static bool scatter_##E##_##R(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask,                       \
                                  uint8_t *const places[JRS_LANES], bool compares) {                                   \
        lane_##E changed = !compares;                                                                                  \
        for (size_t k = 0; k < i->memory.count; k++) {                                                                 \
            const lane_##R *from = jrs_at(warp, i->memory.slots[k]);                                                   \
            for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                       \
                const unsigned l = jrs_first(rest);                                                                    \
                void *to = places[l] + k * sizeof(lane_##E);                                                           \
                if (compares) changed |= __atomic_load_n((lane_##E *)to, __ATOMIC_RELAXED) ^ (lane_##E)from[l];        \
                __atomic_store_n((lane_##E *)to, (lane_##E)from[l], __ATOMIC_RELEASE);                                 \
            }                                                                                                          \
        }                                                                                                              \
        return changed != 0;                                                                                           \
    }

SCATTER(u8, u16)
SCATTER(u16, u16)
SCATTER(u8, u32)
SCATTER(u16, u32)
SCATTER(u32, u32)
SCATTER(u8, u64)
SCATTER(u16, u64)
SCATTER(u32, u64)
SCATTER(u64, u64)

jrs_scatterer *jrs_gather_store(const jrs_instruction *i) {
    static jrs_scatterer *const rows[3][4] = {
        {scatter_u8_u16, scatter_u16_u16, NULL, NULL},
        {scatter_u8_u32, scatter_u16_u32, scatter_u32_u32, NULL},
        {scatter_u8_u64, scatter_u16_u64, scatter_u32_u64, scatter_u64_u64},
    };
    if (i->width < 2 || i->width > 8) return NULL;
    return rows[jrs_first(i->width) - 1][jrs_first(i->memory.bytes)];
}
