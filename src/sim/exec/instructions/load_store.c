/* Loads and stores. Accesses of all lanes to one range of global memory are checked once; those of all lanes side by
 * side are copied as a block, others gathered. */
#include <string.h>

#include "atomics.h"
#include "interleave.h"
#include "lane_gather.h"
#include "sim/exec/judge/access.h"
#include "sim/exec/judge/lane_places.h"
#include "sim/exec/judge/lane_shared.h"
#include "sim/exec/judge/mbarrier.h"
#include "sim/exec/judge/ranges.h"
#include "sim/exec/judge/undefined.h"
#include "sim/exec/judge/watch.h"
#include "sim/ptx/handlers.h"

static uint64_t extend(uint64_t bits, unsigned bytes, bool sign) {
    unsigned shift = 64 - bytes * 8;
    return sign ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits;
}

/* ---- all lanes side by side ---- */

/* The host memory of an access by all lanes side by side in one range of global memory; NULL: take the slow path. */
static uint8_t *side_by_side(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, bool write) {
    const uint64_t each = (uint64_t)i->memory.bytes * i->memory.count;
    bool plain = mask == JRS_ALL_LANES && !warp->early && !(write && warp->careful) &&
                 i->memory.at.space <= JRS_SPACE_CONST && i->memory.at.bytes == 8 && !i->strong;
    if (!plain) return NULL;
    const lane_u64 *lanes = jrs_at(warp, i->memory.at.slot);
    uint64_t first = lanes[0], apart = 0;
    JRS_INDEPENDENT for (unsigned l = 1; l < JRS_LANES; l++) apart |= (lanes[l] - lanes[l - 1]) ^ each;
    first += (uint64_t)i->memory.at.offset;
    if (apart || (first & (each - 1)) || first >> JRS_WINDOW_SHIFT) return NULL;
    if (!jrs_ranges_find(warp->worker, first, each * JRS_LANES, write)) return NULL;
    if (warp->worker->found->watched && !jrs_watch_all(warp, i, (jrs_piece){first, (uint32_t)each * JRS_LANES, write}))
        return NULL;
    return (uint8_t *)(uintptr_t)first; /* device addresses are host addresses */
}

/* ---- lanes anywhere in one range of global memory, in shared or in local memory ---- */

static bool find_places(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, bool write,
                        uint8_t *places[JRS_LANES]) {
    return jrs_places_find(warp, i, mask, write, places) || jrs_lane_shared_find(warp, i, mask, write, places) ||
           (!(write && warp->careful) && jrs_places_find_local(warp, i, mask, places));
}

/* Local memory is no progress: nobody else sees it. */
static bool counts(const jrs_instruction *i) {
    return i->memory.at.space != JRS_SPACE_LOCAL && i->memory.at.space != JRS_SPACE_FRAME;
}

/* False, as from the next one: nothing was done, and the access is made lane by lane. */
static bool load_gathered(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint8_t *places[JRS_LANES];
    jrs_gatherer *gather = jrs_gather_load(i);
    if (!gather || !find_places(warp, i, mask, false, places)) return false;
    gather(warp, i, mask, places);
    return true;
}

static bool store_scattered(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint8_t *places[JRS_LANES];
    jrs_scatterer *scatter = jrs_gather_store(i);
    if (!scatter || !find_places(warp, i, mask, true, places)) return false;
    const bool changed = scatter(warp, i, mask, places, counts(i) && !warp->progress);
    warp->progress |= counts(i) && changed;
    return true;
}

/* ---- one lane at a time ---- */

#define PUT(T, value)                                                                                                  \
    do {                                                                                                               \
        lane_##T *to = jrs_at(warp, i->memory.slots[k]);                                                               \
        const lane_##T element = (lane_##T)(value);                                                                    \
        JRS_FOR_LANES(mask, to[l] = element);                                                                          \
    } while (0)

/* One value into the k-th register of the lanes of mask. */
static void put(const jrs_warp *warp, const jrs_instruction *i, unsigned k, uint32_t mask, jrs_wide value) {
    if (i->memory.bytes < 8) value.low = extend(value.low, i->memory.bytes, i->memory.sign_extended);
    switch (i->width) {
    case 2: PUT(u16, value.low); break;
    case 4: PUT(u32, value.low); break;
    case 8: PUT(u64, value.low); break;
    default: PUT(u128, (lane_u128)value.high << 64 | value.low); break;
    }
}

/* Kernels may race, and the host may watch for what they store: plain accesses of memory are atomic here, 16 bytes as
 * two halves. One of 4 or 8 bytes is seen whole or not at all, as on a GPU. */
static jrs_wide plain_load(const uint8_t *at, unsigned bytes) {
    const void *p = at;
    switch (bytes) {
    case 1: return (jrs_wide){__atomic_load_n((const lane_u8 *)p, __ATOMIC_RELAXED), 0};
    case 2: return (jrs_wide){__atomic_load_n((const lane_u16 *)p, __ATOMIC_RELAXED), 0};
    case 4: return (jrs_wide){__atomic_load_n((const lane_u32 *)p, __ATOMIC_RELAXED), 0};
    case 8: return (jrs_wide){__atomic_load_n((const lane_u64 *)p, __ATOMIC_RELAXED), 0};
    default:
        return (jrs_wide){__atomic_load_n((const lane_u64 *)p, __ATOMIC_RELAXED),
                          __atomic_load_n((const lane_u64 *)p + 1, __ATOMIC_RELAXED)};
    }
}

static jrs_wide get_lane(const jrs_warp *warp, const jrs_instruction *i, unsigned k, size_t lane) {
    return plain_load((const uint8_t *)jrs_at(warp, i->memory.slots[k]) + lane * i->width, i->memory.bytes);
}

static void plain_store(uint8_t *at, unsigned bytes, jrs_wide value) {
    void *p = at;
    switch (bytes) {
    case 1: __atomic_store_n((lane_u8 *)p, (lane_u8)value.low, __ATOMIC_RELEASE); break;
    case 2: __atomic_store_n((lane_u16 *)p, (lane_u16)value.low, __ATOMIC_RELEASE); break;
    case 4: __atomic_store_n((lane_u32 *)p, (lane_u32)value.low, __ATOMIC_RELEASE); break;
    case 8: __atomic_store_n((lane_u64 *)p, value.low, __ATOMIC_RELEASE); break;
    default:
        __atomic_store_n((lane_u64 *)p, value.low, __ATOMIC_RELEASE);
        __atomic_store_n((lane_u64 *)p + 1, value.high, __ATOMIC_RELEASE);
        break;
    }
}

static bool would_change(const uint8_t *at, unsigned bytes, jrs_wide value) {
    const jrs_wide old = plain_load(at, bytes);
    return old.low != value.low || old.high != value.high;
}

/* Elements with bytes that nobody wrote are undefined. */
static bool mark_unwritten(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    const jrs_finding found = warp->finding;
    const uint32_t first = found.offset + jrs_first(found.bytes);
    const uint64_t element = (UINT64_C(1) << i->memory.bytes) - 1;
    bool good = true;
    warp->finding.bytes = 0;
    for (unsigned k = 0; k < i->memory.count && good; k++)
        if (found.bytes & element << k * i->memory.bytes)
            good = jrs_undefined_load(warp, i, lane, i->memory.slots[k], first);
    return good;
}

/* For all lanes of mask, which read one place: one lane, or as many as only the address decides about. */
static bool load_lanes(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const unsigned lane = jrs_first(mask), bytes = i->memory.bytes;
    uint64_t address = jrs_locate(warp, &i->memory.at, lane);
    const uint8_t *at = jrs_access(warp, i, lane, address, bytes * i->memory.count, JRS_LOAD);
    if (!at) return false;
    if (i->strong) jrs_clock_sync(warp, i, address);
    for (unsigned k = 0; k < i->memory.count; k++, at += bytes)
        put(warp, i, k, mask, i->strong ? jrs_strong_load(at, bytes) : plain_load(at, bytes));
    if (i->system) jrs_watch_acquire(warp, address);
    return !warp->finding.bytes || mark_unwritten(warp, i, lane);
}

/* What a lane's store would put into memory. */
static void collect_lane(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint8_t bytes[32]) {
    for (unsigned k = 0; k < i->memory.count; k++) {
        jrs_wide value = get_lane(warp, i, k, lane);
        memcpy(bytes + (size_t)k * i->memory.bytes, &value, i->memory.bytes);
    }
}

/* Whether what two threads wrote to one place, with no barrier between, is one value. */
static bool settle(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const uint8_t *at) {
    uint8_t stored[32]; /* the widest vector */
    collect_lane(warp, i, lane, stored);
    return jrs_shadow_settle(warp, i, lane, at, stored);
}

/* Undefined values may go to shared memory, where they are as if never written, and nowhere else. */
static bool store_undefined(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address) {
    const bool shared = jrs_is_shared(&i->memory.at, address);
    for (uint32_t rest = jrs_undefined_elements(warp, i, lane); rest; rest &= rest - 1) {
        const unsigned k = jrs_first(rest);
        if (shared)
            jrs_shadow_unwrite(jrs_shared_block(warp, address), jrs_shared_offset(address) + k * i->memory.bytes,
                               i->memory.bytes);
        else if (!jrs_undefined_use(warp, i, 1u << lane, i->memory.slots[k]))
            return false;
    }
    return true;
}

static bool store_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint64_t address = jrs_locate(warp, &i->memory.at, lane);
    uint8_t *at = jrs_access(warp, i, lane, address, (uint32_t)i->memory.bytes * i->memory.count, JRS_STORE);
    if (!at || (warp->finding.bytes && !settle(warp, i, lane, at))) return false;
    if (warp->careful && !store_undefined(warp, i, lane, address)) return false;
    if (i->strong) jrs_clock_sync(warp, i, address);
    for (unsigned k = 0; k < i->memory.count; k++) {
        uint8_t *element = at + (size_t)k * i->memory.bytes;
        jrs_wide value = get_lane(warp, i, k, lane);
        bool changed = true;
        if (i->strong)
            changed = jrs_strong_store(element, i->memory.bytes, value);
        else if (counts(i) && !warp->progress)
            changed = would_change(element, i->memory.bytes, value);
        if (!i->strong) plain_store(element, i->memory.bytes, value);
        warp->progress |= counts(i) && changed;
    }
    return true;
}

/* Whether the lanes of mask read one place that only the address decides about: then one access stands for all. */
static bool same_place(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    if (i->strong || warp->early || i->memory.at.bytes != 8) return false;
    const lane_u64 *lanes = jrs_at(warp, i->memory.at.slot);
    const uint64_t first = lanes[jrs_first(mask)], window = (first + (uint64_t)i->memory.at.offset) >> JRS_WINDOW_SHIFT;
    uint64_t differ = 0;
    for (uint32_t rest = mask; rest && !differ; rest &= rest - 1) differ = lanes[jrs_first(rest)] ^ first;
    const bool generic = i->memory.at.space == JRS_SPACE_GENERIC;
    const bool plain = i->memory.at.space == JRS_SPACE_GLOBAL || i->memory.at.space == JRS_SPACE_CONST ||
                       i->memory.at.space == JRS_SPACE_PARAMETER;
    return !differ && (plain || (generic && window == JRS_WINDOW_GLOBAL));
}

jrs_next jrs_op_load(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const uint8_t *block = side_by_side(warp, i, mask, false);
    jrs_spreader *spread = block ? jrs_interleave_load(i) : NULL;
    if (spread) {
        spread(warp, i, block);
        return JRS_STEP;
    }
    if (same_place(warp, i, mask)) return load_lanes(warp, i, mask) ? JRS_STEP : JRS_FAULT;
    if (load_gathered(warp, i, mask)) return JRS_STEP;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!load_lanes(warp, i, rest & -rest)) return JRS_FAULT;
    return i->strong ? jrs_polled(warp) : JRS_STEP;
}

jrs_next jrs_op_store(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint8_t *block = warp->progress ? side_by_side(warp, i, mask, true) : NULL;
    jrs_collector *collect = block ? jrs_interleave_store(i) : NULL;
    if (collect) {
        collect(warp, i, block);
        return JRS_STEP;
    }
    if (store_scattered(warp, i, mask)) return JRS_STEP;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!store_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    return JRS_STEP;
}

/* A parameter of the kernel at a constant offset: the same for all lanes. */
jrs_next jrs_op_load_parameter(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const jrs_run *run = warp->block->run;
    uint64_t offset = (uint64_t)i->memory.at.offset, bytes = (uint64_t)i->memory.bytes * i->memory.count;
    if (offset > run->function->parameter_bytes || bytes > run->function->parameter_bytes - offset)
        return jrs_fault(warp, i, jrs_first(mask), JRS_FAULT_BOUNDS, "offset %llu of the kernel's parameters",
                         (unsigned long long)offset);
    const uint8_t *from = (const uint8_t *)run->launch->parameters + offset;
    for (unsigned k = 0; k < i->memory.count; k++, from += i->memory.bytes) {
        jrs_wide value = {0, 0};
        memcpy(&value, from, i->memory.bytes);
        put(warp, i, k, mask, value);
    }
    return JRS_STEP;
}

/* Orders this host thread's accesses: a locked exchange is a full barrier, and one ThreadSanitizer understands. */
jrs_next jrs_op_fence(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    (void)mask;
    __atomic_fetch_add(&warp->worker->fence, 1, __ATOMIC_SEQ_CST);
    if (i->operation == JRS_FENCE_PROXY)
        jrs_shadow_fence_proxy(warp);
    else if (i->operation == JRS_FENCE_MBARRIER)
        jrs_mbarrier_publish(warp);
    else
        jrs_clock_fence(warp);
    return JRS_STEP;
}
