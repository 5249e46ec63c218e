/* Accesses of a warp to global and shared memory that are plainly right; whatever else there is, handlers do. Compiled
 * kernels contain this text, and make of JRS_NATIVE_LOAD and JRS_NATIVE_STORE what they use. */
#ifndef JRS_NATIVE_MEMORY_H
#define JRS_NATIVE_MEMORY_H

#include <stddef.h>

#include "sim/exec/lane_types.h"
#include "sim/exec/native_abi.h"

typedef struct jrs_native_access {
    uint32_t at; /* where in the frame the addresses lie */
    uint32_t mask;
    uint64_t offset;
    const uint32_t *registers; /* where in the frame they lie */
    uint32_t line;             /* of the PTX, as stamps have it */
} jrs_native_access;

/* Where the lanes lie. */
typedef enum jrs_native_shape { JRS_NATIVE_ONE, JRS_NATIVE_SIDE_BY_SIDE, JRS_NATIVE_ANYWHERE } jrs_native_shape;

typedef struct jrs_native_places {
    jrs_native_shape shape;
    uint64_t first;         /* the lowest lane's that takes part */
    uint64_t addresses[32]; /* anywhere: of lanes that take no part, first */
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

/* All lanes, one after the other: the commonest shape. */
static inline bool jrs_native_find_row(jrs_native *n, const lane_u64 *lanes, uint64_t first, uint64_t each) {
    const uint64_t begin = n->begin[n->used], room = n->end[n->used] - begin, all = 32 * each;
    uint64_t wrong = first & (each - 1);
    JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) wrong |= (lanes[l] - lanes[0]) ^ l * each;
    if (wrong || all > room || first - begin > room - all) return false;
    jrs_native_touch(n, first);
    if ((first ^ (first + all - each)) >> n->page_shift)
        for (uint32_t l = 1; l < 32; l++) jrs_native_touch(n, first + l * each);
    return true;
}

/* False: a handler must look at it. */
static inline bool jrs_native_find_global(jrs_native *n, const jrs_native_access *access, uint64_t each, bool write,
                                          jrs_native_places *places) {
    if (!n->plain || (write && !*n->progress)) return false;
    const uint32_t mask = access->mask;
    const lane_u64 *lanes = (const lane_u64 *)(const void *)(n->frame + access->at);
    const uint64_t offset = access->offset, first = lanes[__builtin_ctz(mask)] + offset;
    if (!jrs_native_find_range(n, first, each, write)) return false;
    places->first = first;
    places->shape = JRS_NATIVE_SIDE_BY_SIDE;
    if (mask == UINT32_MAX && jrs_native_find_row(n, lanes, first, each)) return true;
    const uint64_t begin = n->begin[n->used], room = n->end[n->used] - begin - each;
    uint64_t wrong = 0, apart = 0;
    JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) {
        const uint64_t address = mask >> l & 1 ? lanes[l] + offset : first;
        wrong |= (address & (each - 1)) | (address - begin > room);
        apart |= address ^ first;
        places->addresses[l] = address;
    }
    if (wrong) return false;
    jrs_native_touch(n, first);
    if (apart >> n->page_shift)
        for (uint32_t rest = mask; rest; rest &= rest - 1) jrs_native_touch(n, places->addresses[__builtin_ctz(rest)]);
    places->shape = apart ? JRS_NATIVE_ANYWHERE : JRS_NATIVE_ONE;
    return true;
}

/* ---- shared memory: what judge/lane_shared.c does for accesses whose words the warp has seen to the last one ---- */

static inline bool jrs_native_seen(const jrs_native *n, uint64_t stamp) {
    return stamp >> 32 < n->clocks[stamp >> 5 & 31];
}

/* Words words[at[l]] of the first lanes. */
static inline bool jrs_native_may_read(const jrs_native *n, const jrs_native_shadow *words, const uint32_t *at,
                                       uint32_t lanes) {
    uint32_t wrong = 0;
    for (uint32_t l = 0; l < lanes; l++) {
        const uint64_t writer = words[at[l]].writer;
        wrong |= !jrs_native_seen(n, writer) || writer < n->first_stamp || writer >> 31 & 1;
    }
    return !wrong;
}

static inline bool jrs_native_may_write(const jrs_native *n, const jrs_native_shadow *words, const uint32_t *at) {
    uint32_t wrong = 0;
    for (uint32_t l = 0; l < 32; l++) {
        const jrs_native_shadow *word = &words[at[l]];
        const bool seen = jrs_native_seen(n, word->writer) && jrs_native_seen(n, word->reader);
        wrong |= !(seen && jrs_native_seen(n, word->other_reader));
    }
    return !wrong;
}

/* As jrs_shadow_read_by does for each lane in turn. */
static inline void jrs_native_reads(const jrs_native *n, jrs_native_shadow *words, const uint32_t *at, uint32_t mask,
                                    uint64_t now) {
    const uint64_t many = 1 << 10;
    uint32_t last = UINT32_MAX;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t l = (uint32_t)__builtin_ctz(rest);
        jrs_native_shadow *word = &words[at[l]];
        const uint64_t reader = word->reader;
        if (at[l] == last) {
            word->reader = now | l | many;
            continue;
        }
        last = at[l];
        const bool own = (reader >> 5 & 31) == n->number;
        const bool again = own && reader >> 32 == now >> 32 && (reader ^ l) & (many | 31);
        word->other_reader = own ? word->other_reader : reader;
        word->reader = now | l | (again ? many : 0);
    }
}

/* Judges and remembers an access of `count` words a lane from at[l] on. False: nothing was remembered. */
static inline bool jrs_native_judge(const jrs_native *n, const jrs_native_access *access, uint32_t count, bool write,
                                    const uint32_t at[32]) {
    const uint64_t now = n->now | (uint64_t)access->line << 12;
    for (uint32_t k = 0; k < count; k++)
        if (!(write ? jrs_native_may_write(n, n->shadow + k, at) : jrs_native_may_read(n, n->shadow + k, at, 32)))
            return false;
    for (uint32_t k = 0; k < count; k++) {
        if (!write)
            jrs_native_reads(n, n->shadow + k, at, access->mask, now);
        else
            for (uint32_t rest = access->mask; rest; rest &= rest - 1)
                n->shadow[k + at[__builtin_ctz(rest)]].writer = now | (uint32_t)__builtin_ctz(rest);
    }
    return true;
}

/* All lanes read one place: what the first and the last of them leave is what all leave. */
static inline bool jrs_native_judge_one(const jrs_native *n, const jrs_native_access *access, uint32_t count,
                                        const uint32_t at[32]) {
    const uint64_t now = n->now | (uint64_t)access->line << 12;
    const uint32_t ends = 1u << __builtin_ctz(access->mask) | 1u << (31 - __builtin_clz(access->mask));
    for (uint32_t k = 0; k < count; k++)
        if (!jrs_native_may_read(n, n->shadow + k, at, 1)) return false;
    for (uint32_t k = 0; k < count; k++) jrs_native_reads(n, n->shadow + k, at, ends, now);
    return true;
}

/* addresses: of all lanes, offset included, in 32 bits as they are or in 64. */
static inline bool jrs_native_find_words(jrs_native *n, const jrs_native_access *access, uint64_t each, bool write,
                                         jrs_native_places *places, const lane_u64 *wide, const lane_u32 *narrow) {
    if (!n->alone || (write && (!*n->progress || *n->copies))) return false;
    const uint64_t offset = access->offset, room = n->shared_bytes - each;
    const uint32_t mask = access->mask, lowest = (uint32_t)__builtin_ctz(mask);
    const uint64_t first = wide ? wide[lowest] + offset : (uint32_t)(narrow[lowest] + (uint32_t)offset);
    uint64_t wrong = n->shared_bytes < each, apart = 0;
    uint32_t at[32];
    JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) {
        const uint64_t mine = wide ? wide[l] + offset : (uint32_t)(narrow[l] + (uint32_t)offset);
        const uint64_t address = mask >> l & 1 ? mine : first;
        wrong |= (address & (each - 1)) | (address > room);
        apart |= address ^ first;
        at[l] = (uint32_t)address / 4;
        places->addresses[l] = (uint64_t)(uintptr_t)n->shared + address;
    }
    if (wrong) return false;
    places->first = (uint64_t)(uintptr_t)n->shared + first;
    places->shape = apart || write ? JRS_NATIVE_ANYWHERE : JRS_NATIVE_ONE;
    if (!n->judged) return true;
    if (!apart && !write) return jrs_native_judge_one(n, access, (uint32_t)each / 4, at);
    return jrs_native_judge(n, access, (uint32_t)each / 4, write, at);
}

static inline bool jrs_native_find_shared(jrs_native *n, const jrs_native_access *access, uint64_t each, bool write,
                                          jrs_native_places *places) {
    return jrs_native_find_words(n, access, each, write, places, NULL,
                                 (const lane_u32 *)(const void *)(n->frame + access->at));
}

static inline bool jrs_native_find_shared_wide(jrs_native *n, const jrs_native_access *access, uint64_t each,
                                               bool write, jrs_native_places *places) {
    return jrs_native_find_words(n, access, each, write, places,
                                 (const lane_u64 *)(const void *)(n->frame + access->at), NULL);
}

#define JRS_NATIVE_EACH_LANE(value)                                                                                    \
    do {                                                                                                               \
        if (access->mask == UINT32_MAX)                                                                                \
            JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) to[l] = (value);                                         \
        else                                                                                                           \
            JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) to[l] = access->mask >> l & 1 ? (value) : to[l];         \
    } while (0)

/* `count` elements E of each lane into registers of R; `find` says where they are. */
#define JRS_NATIVE_LOAD(name, find, E, R, count)                                                                       \
    static __attribute__((noinline)) bool name(jrs_native *n, const jrs_native_access *access) {                       \
        jrs_native_places places;                                                                                      \
        if (!find(n, access, sizeof(E) * (count), false, &places)) return false;                                       \
        const E *first = (const E *)(uintptr_t)places.first;                                                           \
        for (uint32_t k = 0; k < (count); k++) {                                                                       \
            R *to = (R *)(void *)(n->frame + access->registers[k]);                                                    \
            if (places.shape == JRS_NATIVE_ONE) {                                                                      \
                const R value = (R)first[k];                                                                           \
                JRS_NATIVE_EACH_LANE(value);                                                                           \
            } else if (places.shape == JRS_NATIVE_SIDE_BY_SIDE) {                                                      \
                JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) to[l] = (R)first[l * (count) + k];                   \
            } else {                                                                                                   \
                JRS_NATIVE_EACH_LANE((R)((const E *)(uintptr_t)places.addresses[l])[k]);                               \
            }                                                                                                          \
        }                                                                                                              \
        return true;                                                                                                   \
    }

/* And back. Of lanes that store to one place the last one wins. */
#define JRS_NATIVE_STORE(name, find, E, R, count)                                                                      \
    static __attribute__((noinline)) bool name(jrs_native *n, const jrs_native_access *access) {                       \
        jrs_native_places places;                                                                                      \
        if (!find(n, access, sizeof(E) * (count), true, &places)) return false;                                        \
        E *first = (E *)(uintptr_t)places.first;                                                                       \
        for (uint32_t k = 0; k < (count); k++) {                                                                       \
            const R *from = (const R *)(const void *)(n->frame + access->registers[k]);                                \
            if (places.shape == JRS_NATIVE_SIDE_BY_SIDE)                                                               \
                JRS_INDEPENDENT for (uint32_t l = 0; l < 32; l++) first[l * (count) + k] = (E)from[l];                 \
            else                                                                                                       \
                for (uint32_t rest = access->mask; rest; rest &= rest - 1) {                                           \
                    const uint32_t l = (uint32_t)__builtin_ctz(rest);                                                  \
                    E *to = places.shape == JRS_NATIVE_ONE ? first : (E *)(uintptr_t)places.addresses[l];              \
                    to[k] = (E)from[l];                                                                                \
                }                                                                                                      \
        }                                                                                                              \
        return true;                                                                                                   \
    }

#endif
