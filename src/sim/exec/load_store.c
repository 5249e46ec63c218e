/* Loads and stores. Accesses of all lanes side by side in global memory are checked once and copied as a block. */
#include <string.h>

#include "access.h"
#include "atomics.h"
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

/* Elements k of `count` interleaved ones, for 32 lanes. */
#define SPREAD(T)                                                                                                      \
    static void spread_##T(const jrs_warp *warp, const jrs_instruction *i, const uint8_t *from) {                      \
        const lane_##T *elements = (const void *)from;                                                                 \
        const size_t count = i->memory.count;                                                                          \
        for (size_t k = 0; k < count; k++) {                                                                           \
            lane_##T *to = jrs_at(warp, i->memory.slots[k]);                                                           \
            if (count == 1)                                                                                            \
                memcpy(to, from, JRS_LANES * sizeof(lane_##T));                                                        \
            else if (count == 2)                                                                                       \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = elements[l * 2 + k];                    \
            else if (count == 4)                                                                                       \
                JRS_INDEPENDENT for (size_t l = 0; l < JRS_LANES; l++) to[l] = elements[l * 4 + k];                    \
            else                                                                                                       \
                for (size_t l = 0; l < JRS_LANES; l++) to[l] = elements[l * count + k];                                \
        }                                                                                                              \
    }                                                                                                                  \
    static void collect_##T(const jrs_warp *warp, const jrs_instruction *i, uint8_t *to) {                             \
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
    static void widen_##T##_##R(const jrs_warp *warp, const jrs_instruction *i, const uint8_t *from) {                 \
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

typedef void spreader(const jrs_warp *warp, const jrs_instruction *i, const uint8_t *from);

static spreader *spreader_of(const jrs_instruction *i) {
    if (i->memory.bytes == i->width)
        return i->memory.bytes == 2   ? spread_u16
               : i->memory.bytes == 4 ? spread_u32
               : i->memory.bytes == 8 ? spread_u64
                                      : spread_u128;
    if (i->memory.bytes == 1 && i->width == 2) return i->memory.sign_extended ? widen_int8_t_u16 : widen_uint8_t_u16;
    if (i->memory.bytes == 1 && i->width == 4) return i->memory.sign_extended ? widen_int8_t_u32 : widen_uint8_t_u32;
    if (i->memory.bytes == 2 && i->width == 4) return i->memory.sign_extended ? widen_int16_t_u32 : widen_uint16_t_u32;
    return NULL;
}

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

static jrs_wide get_lane(const jrs_warp *warp, const jrs_instruction *i, unsigned k, size_t lane) {
    jrs_wide value = {0, 0};
    memcpy(&value, (const uint8_t *)jrs_at(warp, i->memory.slots[k]) + lane * i->width, i->memory.bytes);
    return value;
}

static jrs_wide plain_load(const uint8_t *at, unsigned bytes) {
    jrs_wide value = {0, 0};
    memcpy(&value, at, bytes);
    return value;
}

/* One store of 4 or 8 bytes is seen whole or not at all, as on a GPU, also by a host that watches for it. */
static void plain_store(uint8_t *at, unsigned bytes, const jrs_wide *value) {
    if (bytes == 4)
        __atomic_store_n((uint32_t *)(void *)at, (uint32_t)value->low, __ATOMIC_RELEASE);
    else if (bytes == 8)
        __atomic_store_n((uint64_t *)(void *)at, value->low, __ATOMIC_RELEASE);
    else
        memcpy(at, value, bytes);
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
            changed = memcmp(element, &value, i->memory.bytes) != 0;
        if (!i->strong) plain_store(element, i->memory.bytes, &value);
        warp->progress |= counts && changed;
    }
    return true;
}

jrs_next jrs_op_load(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const uint8_t *block = side_by_side(warp, i, mask, false);
    spreader *spread = block ? spreader_of(i) : NULL;
    if (spread) {
        spread(warp, i, block);
        return JRS_STEP;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!load_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    return i->strong && ++warp->polls % POLLS_PER_SLICE == 0 ? JRS_YIELD : JRS_STEP;
}

jrs_next jrs_op_store(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint8_t *block = i->memory.bytes == i->width ? side_by_side(warp, i, mask, true) : NULL;
    if (!block || !warp->progress) {
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            if (!store_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    } else if (i->memory.bytes == 2) {
        collect_u16(warp, i, block);
    } else if (i->memory.bytes == 4) {
        collect_u32(warp, i, block);
    } else if (i->memory.bytes == 8) {
        collect_u64(warp, i, block);
    } else {
        collect_u128(warp, i, block);
    }
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
            put_lane(warp, i, k, jrs_first(rest), plain_load(from + (size_t)k * i->memory.bytes, i->memory.bytes));
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
