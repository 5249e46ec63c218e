/* Loads and stores. Accesses of all lanes side by side in global memory are checked once and copied as a block. */
#include <string.h>

#include "access.h"
#include "atomics.h"
#include "interleave.h"
#include "ranges.h"
#include "shadow.h"
#include "sim/ptx/handlers.h"
#include "undefined.h"

enum { POLLS_PER_SLICE = 16 };

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
    return (uint8_t *)(uintptr_t)first; /* NOLINT(performance-no-int-to-ptr): device addresses are host addresses */
}

/* ---- one lane at a time ---- */

static void put_lane(const jrs_warp *warp, const jrs_instruction *i, unsigned k, size_t lane, jrs_wide value) {
    uint8_t *to = (uint8_t *)jrs_at(warp, i->memory.slots[k]) + lane * i->width;
    if (i->memory.bytes < 8) value.low = extend(value.low, i->memory.bytes, i->memory.sign_extended);
    memcpy(to, &value, i->width);
}

/* Of registers or parameters. Of constant sizes, so that no call is made. */
static jrs_wide read_bytes(const uint8_t *at, unsigned bytes) {
    jrs_wide value = {0, 0};
    switch (bytes) {
    case 1: value.low = *at; break;
    case 2: memcpy(&value, at, 2); break;
    case 4: memcpy(&value, at, 4); break;
    case 8: memcpy(&value, at, 8); break;
    default: memcpy(&value, at, 16); break;
    }
    return value;
}

static jrs_wide get_lane(const jrs_warp *warp, const jrs_instruction *i, unsigned k, size_t lane) {
    return read_bytes((const uint8_t *)jrs_at(warp, i->memory.slots[k]) + lane * i->width, i->memory.bytes);
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

static bool load_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint64_t address = jrs_locate(warp, &i->memory.at, lane);
    const uint8_t *at = jrs_access(warp, i, lane, address, (uint32_t)i->memory.bytes * i->memory.count, JRS_LOAD);
    if (!at) return false;
    if (i->strong) jrs_clock_sync(warp, address);
    for (unsigned k = 0; k < i->memory.count; k++) {
        const uint8_t *element = at + (size_t)k * i->memory.bytes;
        put_lane(warp, i, k, lane,
                 i->strong ? jrs_strong_load(element, i->memory.bytes) : plain_load(element, i->memory.bytes));
    }
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
            jrs_shadow_unwrite(warp->block, (uint32_t)address + k * i->memory.bytes, i->memory.bytes);
        else if (!jrs_undefined_use(warp, i, lane, i->memory.slots[k]))
            return false;
    }
    return true;
}

static bool store_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint64_t address = jrs_locate(warp, &i->memory.at, lane);
    uint8_t *at = jrs_access(warp, i, lane, address, (uint32_t)i->memory.bytes * i->memory.count, JRS_STORE);
    if (!at || (warp->finding.bytes && !settle(warp, i, lane, at))) return false;
    if (warp->careful && !store_undefined(warp, i, lane, address)) return false;
    if (i->strong) jrs_clock_sync(warp, address);
    bool counts = i->memory.at.space != JRS_SPACE_LOCAL && i->memory.at.space != JRS_SPACE_FRAME;
    for (unsigned k = 0; k < i->memory.count; k++) {
        uint8_t *element = at + (size_t)k * i->memory.bytes;
        jrs_wide value = get_lane(warp, i, k, lane);
        bool changed = true;
        if (i->strong)
            changed = jrs_strong_store(element, i->memory.bytes, value);
        else if (counts && !warp->progress)
            changed = would_change(element, i->memory.bytes, value);
        if (!i->strong) plain_store(element, i->memory.bytes, value);
        warp->progress |= counts && changed;
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

#define BROADCAST(T)                                                                                                   \
    static void broadcast_##T(lane_##T *lanes, uint32_t mask) {                                                        \
        const lane_##T value = lanes[jrs_first(mask)];                                                                 \
        JRS_FOR_LANES(mask, lanes[l] = value);                                                                         \
    }

BROADCAST(u16)
BROADCAST(u32)
BROADCAST(u64)
BROADCAST(u128)

/* The first lane's values for the others. */
static void broadcast(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (unsigned k = 0; k < i->memory.count; k++) {
        void *lanes = jrs_at(warp, i->memory.slots[k]);
        switch (i->width) {
        case 2: broadcast_u16(lanes, mask); break;
        case 4: broadcast_u32(lanes, mask); break;
        case 8: broadcast_u64(lanes, mask); break;
        default: broadcast_u128(lanes, mask); break;
        }
    }
}

jrs_next jrs_op_load(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const uint8_t *block = side_by_side(warp, i, mask, false);
    jrs_spreader *spread = block ? jrs_interleave_load(i) : NULL;
    if (spread) {
        spread(warp, i, block);
        return JRS_STEP;
    }
    const bool same = same_place(warp, i, mask);
    for (uint32_t rest = same ? mask & -mask : mask; rest; rest &= rest - 1)
        if (!load_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    if (same) broadcast(warp, i, mask);
    return i->strong && ++warp->polls % POLLS_PER_SLICE == 0 ? JRS_YIELD : JRS_STEP;
}

jrs_next jrs_op_store(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint8_t *block = warp->progress ? side_by_side(warp, i, mask, true) : NULL;
    jrs_collector *collect = block ? jrs_interleave_store(i) : NULL;
    if (collect) {
        collect(warp, i, block);
        return JRS_STEP;
    }
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
    for (unsigned k = 0; k < i->memory.count; k++)
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            put_lane(warp, i, k, jrs_first(rest), read_bytes(from + (size_t)k * i->memory.bytes, i->memory.bytes));
    return JRS_STEP;
}

/* Orders this host thread's accesses: a locked exchange is a full barrier, and one ThreadSanitizer understands. */
jrs_next jrs_op_fence(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    (void)mask;
    __atomic_fetch_add(&warp->worker->fence, 1, __ATOMIC_SEQ_CST);
    if (i->operation == JRS_FENCE_PROXY)
        jrs_shadow_fence_proxy(warp);
    else
        jrs_clock_tick(warp);
    return JRS_STEP;
}
