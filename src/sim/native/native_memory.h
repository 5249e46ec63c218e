/* Accesses of a warp to global memory that are plainly right; whatever else there is, handlers do. Compiled kernels
 * contain this text, and make of JRS_NATIVE_LOAD and JRS_NATIVE_STORE what they use. */
#ifndef JRS_NATIVE_MEMORY_H
#define JRS_NATIVE_MEMORY_H

#include "sim/exec/lane_types.h"
#include "sim/exec/native_abi.h"

typedef struct jrs_native_access {
    uint32_t at; /* where in the frame the addresses lie */
    uint32_t mask;
    uint64_t offset;
    const uint32_t *registers; /* where in the frame they lie */
} jrs_native_access;

typedef struct jrs_native_places {
    uint64_t addresses[32]; /* of lanes that take no part: that of one that does */
    uint64_t apart, beside; /* 0: all are one; 0: all lanes are side by side */
} jrs_native_places;

/* As jrs_ranges_touch does. */
static inline void jrs_native_touch(jrs_native *n, uint64_t address) {
    const uint64_t page = address >> n->page_shift;
    if (page == *n->page) return;
    const uint64_t hash = page * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    uint64_t *word = &n->touched[hash / 64 % JRS_NATIVE_TOUCHED_WORDS];
    *n->page = page;
    *n->fresh |= !(*word >> hash % 64 & 1);
    *word |= UINT64_C(1) << hash % 64;
}

static inline bool jrs_native_find_range(jrs_native *n, uint64_t first, uint64_t each, bool write) {
    for (uint32_t tries = 0; tries < JRS_NATIVE_RANGES; tries++) {
        const uint32_t k = n->used;
        if (first >= n->begin[k] && first < n->end[k] && each <= n->end[k] - n->begin[k])
            return !(write && n->read_only[k]);
        n->used = (k + 1) % JRS_NATIVE_RANGES;
    }
    return false;
}

/* False: a handler must look at it. */
static inline bool jrs_native_find(jrs_native *n, const jrs_native_access *access, uint64_t each, bool write,
                                   jrs_native_places *places) {
    if (!n->plain || (write && !*n->progress)) return false;
    const lane_u64 *lanes = (const lane_u64 *)(const void *)(n->frame + access->at);
    const uint64_t offset = access->offset, first = lanes[__builtin_ctz(access->mask)] + offset;
    if (!jrs_native_find_range(n, first, each, write)) return false;
    const uint64_t begin = n->begin[n->used], room = n->end[n->used] - begin - each;
    const uint32_t mask = access->mask;
    uint64_t wrong = 0, apart = 0, beside = ~mask;
    JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) {
        const uint64_t address = mask >> l & 1 ? lanes[l] + offset : first;
        wrong |= (address & (each - 1)) | (address - begin > room);
        apart |= address ^ first;
        beside |= address ^ (first + l * each);
        places->addresses[l] = address;
    }
    if (wrong) return false;
    jrs_native_touch(n, first);
    if (apart >> n->page_shift)
        for (uint32_t rest = mask; rest; rest &= rest - 1) jrs_native_touch(n, places->addresses[__builtin_ctz(rest)]);
    places->apart = apart;
    places->beside = beside;
    return true;
}

#define JRS_NATIVE_EACH_LANE(value)                                                                                    \
    do {                                                                                                               \
        if (access->mask == UINT32_MAX)                                                                                \
            JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) to[l] = (value);                                         \
        else                                                                                                           \
            JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) to[l] = access->mask >> l & 1 ? (value) : to[l];         \
    } while (0)

/* `count` elements E of each lane into registers of R. */
#define JRS_NATIVE_LOAD(name, E, R, count)                                                                             \
    static __attribute__((noinline)) bool name(jrs_native *n, const jrs_native_access *access) {                       \
        jrs_native_places places;                                                                                      \
        if (!jrs_native_find(n, access, sizeof(E) * (count), false, &places)) return false;                            \
        const E *first = (const E *)(uintptr_t)places.addresses[0];                                                    \
        for (uint32_t k = 0; k < (count); k++) {                                                                       \
            R *to = (R *)(void *)(n->frame + access->registers[k]);                                                    \
            if (!places.apart) {                                                                                       \
                const R value = (R)first[k];                                                                           \
                JRS_NATIVE_EACH_LANE(value);                                                                           \
            } else if (!places.beside) {                                                                               \
                JRS_NATIVE_EACH_LANE((R)first[l * (count) + k]);                                                       \
            } else {                                                                                                   \
                JRS_NATIVE_EACH_LANE((R)((const E *)(uintptr_t)places.addresses[l])[k]);                               \
            }                                                                                                          \
        }                                                                                                              \
        return true;                                                                                                   \
    }

/* And back. Of lanes that store to one place the last one wins. */
#define JRS_NATIVE_STORE(name, E, R, count)                                                                            \
    static __attribute__((noinline)) bool name(jrs_native *n, const jrs_native_access *access) {                       \
        jrs_native_places places;                                                                                      \
        if (!jrs_native_find(n, access, sizeof(E) * (count), true, &places)) return false;                             \
        E *first = (E *)(uintptr_t)places.addresses[0];                                                                \
        for (uint32_t k = 0; k < (count); k++) {                                                                       \
            const R *from = (const R *)(const void *)(n->frame + access->registers[k]);                                \
            if (!places.beside)                                                                                        \
                JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) first[l * (count) + k] = (E)from[l];                 \
            else                                                                                                       \
                for (uint32_t rest = access->mask; rest; rest &= rest - 1) {                                           \
                    const uint32_t l = (uint32_t)__builtin_ctz(rest);                                                  \
                    ((E *)(uintptr_t)places.addresses[l])[k] = (E)from[l];                                             \
                }                                                                                                      \
        }                                                                                                              \
        return true;                                                                                                   \
    }

#endif
