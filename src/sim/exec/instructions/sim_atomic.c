/* atom and red: read, compute, exchange, until nobody came in between. */
#include <string.h>

#include "atomics.h"
#include "sim/exec/judge/access.h"
#include "sim/exec/judge/watch.h"
#include "sim/ptx/handlers.h"
#include "sim_number.h"

/* ---- one operation on bits ---- */

static uint16_t add_half(uint16_t a, uint16_t b, bool brain) {
    if (brain) return jrs_to_bf16(jrs_fma_odd((double)jrs_bf16_to_f32(a), 1.0, (double)jrs_bf16_to_f32(b)));
    return jrs_to_f16((double)jrs_f16_to_f32(a) + (double)jrs_f16_to_f32(b));
}

static uint32_t add_halves(uint32_t a, uint32_t b, bool brain) {
    uint32_t low = add_half((uint16_t)a, (uint16_t)b, brain);
    return (uint32_t)add_half((uint16_t)(a >> 16), (uint16_t)(b >> 16), brain) << 16 | low;
}

static uint32_t flush(uint32_t bits) {
    return bits & 0x7f800000u ? bits : bits & 0x80000000u;
}

static uint32_t add_single(uint32_t a, uint32_t b) {
    return jrs_f32_bits(jrs_nan_f32(jrs_f32_of(a) + jrs_f32_of(b)));
}

/* flushes: f32 sums in global memory make zeros of subnormals, those in shared memory keep them (PTX manual, atom). */
static uint64_t add(uint64_t a, uint64_t b, jrs_type type, bool flushes) {
    switch (type) {
    case JRS_TYPE_f32:
        if (flushes) return flush(add_single(flush((uint32_t)a), flush((uint32_t)b)));
        return add_single((uint32_t)a, (uint32_t)b);
    case JRS_TYPE_f64: return jrs_f64_bits(jrs_f64_of(a) + jrs_f64_of(b));
    case JRS_TYPE_f16:
    case JRS_TYPE_bf16: return add_half((uint16_t)a, (uint16_t)b, type == JRS_TYPE_bf16);
    case JRS_TYPE_f16x2:
    case JRS_TYPE_bf16x2: return add_halves((uint32_t)a, (uint32_t)b, type == JRS_TYPE_bf16x2);
    default: return a + b;
    }
}

static bool less(uint64_t a, uint64_t b, jrs_type type) {
    if (type == JRS_TYPE_s32) return (int32_t)a < (int32_t)b;
    if (type == JRS_TYPE_s64) return (int64_t)a < (int64_t)b;
    return a < b;
}

static jrs_wide result(const jrs_instruction *i, jrs_wide old, jrs_wide b, jrs_wide c, bool flushes) {
    jrs_type type = (jrs_type)i->type;
    uint64_t low = 0;
    switch (i->operation) {
    case JRS_ATOMIC_add: low = add(old.low, b.low, type, flushes); break;
    case JRS_ATOMIC_and: low = old.low & b.low; break;
    case JRS_ATOMIC_or: low = old.low | b.low; break;
    case JRS_ATOMIC_xor: low = old.low ^ b.low; break;
    case JRS_ATOMIC_min: low = less(b.low, old.low, type) ? b.low : old.low; break;
    case JRS_ATOMIC_max: low = less(old.low, b.low, type) ? b.low : old.low; break;
    case JRS_ATOMIC_exch: return b;
    case JRS_ATOMIC_cas: return old.low == b.low && old.high == b.high ? c : old;
    case JRS_ATOMIC_inc: low = old.low >= b.low ? 0 : old.low + 1; break;
    default: low = old.low == 0 || old.low > b.low ? b.low : old.low - 1; break; /* dec */
    }
    if (i->memory.bytes < 8) low &= (UINT64_C(1) << (i->memory.bytes * 8)) - 1;
    return (jrs_wide){low, 0};
}

/* ---- lanes, one after another ---- */

/* Bytes of known counts are copied without a call. */
static jrs_wide bits_at(const uint8_t *at, unsigned bytes) {
    jrs_wide value = {0, 0};
    switch (bytes) {
    case 4: memcpy(&value, at, 4); break;
    case 8: memcpy(&value, at, 8); break;
    default: memcpy(&value, at, bytes); break;
    }
    return value;
}

static void put_bits(uint8_t *at, unsigned bytes, jrs_wide value) {
    switch (bytes) {
    case 4: memcpy(at, &value, 4); break;
    case 8: memcpy(at, &value, 8); break;
    default: memcpy(at, &value, bytes); break;
    }
}

/* A register of width bytes may be wider than the element in memory. */
static jrs_wide get(const jrs_warp *warp, const jrs_instruction *i, jrs_slot slot, size_t lane) {
    return bits_at((const uint8_t *)jrs_at(warp, slot) + lane * i->width, i->memory.bytes);
}

static void put(const jrs_warp *warp, const jrs_instruction *i, jrs_slot slot, size_t lane, jrs_wide value) {
    put_bits((uint8_t *)jrs_at(warp, slot) + lane * i->width, i->width, value);
}

static bool is_global(const jrs_instruction *i, uint64_t address) {
    return i->memory.at.space == JRS_SPACE_GLOBAL ||
           (i->memory.at.space == JRS_SPACE_GENERIC && !(address >> JRS_WINDOW_SHIFT));
}

/* Shared memory is touched by one thread of the host alone: that of its block's worker. */
static jrs_wide exchange_shared(const jrs_instruction *i, uint8_t *at, const jrs_wide operands[2], jrs_wide *wanted) {
    const jrs_wide old = bits_at(at, i->memory.bytes);
    *wanted = result(i, old, operands[0], operands[1], false);
    put_bits(at, i->memory.bytes, *wanted);
    return old;
}

static jrs_wide exchange_global(const jrs_instruction *i, uint8_t *at, const jrs_wide operands[2], jrs_wide *wanted) {
    jrs_wide old = jrs_strong_load(at, i->memory.bytes);
    do *wanted = result(i, old, operands[0], operands[1], true);
    while (!jrs_strong_swap(at, i->memory.bytes, &old, *wanted));
    return old;
}

/* What was there before. */
static jrs_wide exchange(jrs_warp *warp, const jrs_instruction *i, uint8_t *at, const jrs_wide operands[2],
                         bool global) {
    jrs_wide wanted;
    const jrs_wide old = global ? exchange_global(i, at, operands, &wanted) : exchange_shared(i, at, operands, &wanted);
    warp->progress |= wanted.low != old.low || wanted.high != old.high;
    return old;
}

/* All elements of a vector are read before one is written: registers may stand in both. */
static bool atomic_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    const jrs_slot *values = i->memory.slots ? i->memory.slots : &i->s[0];
    const jrs_slot *previous = i->memory.slots ? i->memory.previous : &i->d;
    const uint64_t address = jrs_locate(warp, &i->memory.at, lane);
    uint8_t *at = jrs_access(warp, i, lane, address, (uint32_t)i->memory.bytes * i->memory.count, JRS_MODIFY);
    jrs_wide old[JRS_VECTOR_MAX];
    if (!at) return false;
    jrs_clock_sync(warp, i, address);
    for (unsigned k = 0; k < i->memory.count; k++) {
        jrs_wide operands[2] = {get(warp, i, values[k], lane), {0, 0}};
        if (i->operation == JRS_ATOMIC_cas) operands[1] = get(warp, i, i->s[1], lane);
        old[k] = exchange(warp, i, at + (size_t)k * i->memory.bytes, operands, is_global(i, address));
    }
    if (i->system) jrs_watch_acquire(warp, address);
    for (unsigned k = 0; i->has_d && k < i->memory.count; k++) put(warp, i, previous[k], lane, old[k]);
    return true;
}

jrs_next jrs_op_atomic(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!atomic_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    return jrs_polled(warp);
}
