/* cp.async, cp.async.bulk and st.async: what is checked when a copy is issued, groups, and waits. */
#include <inttypes.h>
#include <string.h>

#include "sim/exec/judge/access.h"
#include "sim/exec/judge/flight.h"
#include "sim/exec/judge/mbarrier.h"
#include "sim/exec/judge/neighbour.h"
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"

enum { BULK_UNIT = 16 };

static uint32_t value_of(const jrs_warp *warp, jrs_slot slot, unsigned lane) {
    return ((const lane_u32 *)jrs_at(warp, slot))[lane];
}

/* Judges an access of the copy as if it were made now; 0 bytes are always fine. */
static bool check(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_extent *extent,
                  jrs_intent intent) {
    return extent->bytes == 0 || jrs_access_extent(warp, i, lane, extent, intent) != NULL;
}

/* Reports a fault unless a copy into a block's shared memory completes on an mbarrier of the same block. block: NULL if
 * it copies nothing. */
static bool same_block(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_block *block,
                       const jrs_mbarrier *mbarrier) {
    char owner[JRS_OWNER_BYTES], other[JRS_OWNER_BYTES];
    if (!block || block == mbarrier->block) return true;
    jrs_fault(warp, i, lane, JRS_FAULT_COPY, "it writes shared memory%s, and its mbarrier is in that%s",
              jrs_shadow_owner(warp, block, owner), jrs_shadow_owner(warp, mbarrier->block, other));
    return false;
}

/* ---- cp.async ---- */

/* Bytes that are read: all, as many as an operand says, or none when a predicate says so. */
static bool source_bytes(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint32_t *bytes) {
    *bytes = i->async.bytes;
    if (i->async.ignores && (jrs_predicate(warp, i->s[0]) >> lane & 1)) *bytes = 0;
    if (i->source_count && !i->async.ignores) *bytes = value_of(warp, i->s[0], lane);
    if (*bytes <= i->async.bytes) return true;
    jrs_fault(warp, i, lane, JRS_FAULT_COPY, "%u bytes of the source for a copy of %u", *bytes, i->async.bytes);
    return false;
}

static bool copy_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint32_t bytes;
    if (!source_bytes(warp, i, lane, &bytes)) return false;
    const jrs_extent to = {jrs_locate(warp, &i->async.places[0], lane), i->async.bytes, i->async.bytes,
                           JRS_SPACE_SHARED};
    const jrs_extent from = {jrs_locate(warp, &i->async.places[1], lane), bytes, i->async.bytes, JRS_SPACE_GLOBAL};
    if (!check(warp, i, lane, &from, JRS_READ) || !check(warp, i, lane, &to, JRS_FILL)) return false;
    return jrs_flight_begin(warp, i, lane, &warp->loads,
                            &(jrs_flight){.global = from.address,
                                          .shared = jrs_shared_offset(to.address),
                                          .bytes = i->async.bytes,
                                          .source_bytes = bytes});
}

jrs_next jrs_op_copy_async(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!copy_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    return JRS_STEP;
}

/* An arrival when the lane's copies up to here have been made; without .noinc it is expected from now on. */
jrs_next jrs_op_copy_arrive(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        unsigned lane = jrs_first(rest);
        jrs_mbarrier *mbarrier = jrs_mbarrier_at(warp, i, lane, 0);
        if (!mbarrier || !same_block(warp, i, lane, warp->block, mbarrier)) return JRS_FAULT;
        if (!(i->async.flags & JRS_MBARRIER_COUNTED)) mbarrier->pending++;
        if (!jrs_flight_begin(warp, i, lane, &warp->block->bulk, &(jrs_flight){.mbarrier = mbarrier->offset}))
            return JRS_FAULT;
    }
    jrs_clock_tick(warp);
    return JRS_STEP;
}

/* ---- groups, of both kinds ---- */

static jrs_flights *flights_of(jrs_warp *warp, const jrs_instruction *i) {
    return i->operation == JRS_COPY_BULK ? &warp->stores : &warp->loads;
}

jrs_next jrs_op_copy_commit(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_flights *flights = flights_of(warp, i);
    for (uint32_t rest = mask; rest; rest &= rest - 1) flights->committed[jrs_first(rest)]++;
    return JRS_STEP;
}

/* kept: groups that may stay in flight; negative: none, whether committed or not. */
jrs_next jrs_op_copy_wait(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    bool open = i->async.kept < 0;
    return jrs_flights_wait(warp, mask, flights_of(warp, i), open ? 0 : (uint32_t)i->async.kept, open) ? JRS_STEP
                                                                                                       : JRS_FAULT;
}

/* ---- cp.async.bulk ---- */

static bool bulk_size(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint32_t *bytes) {
    *bytes = value_of(warp, i->s[0], lane);
    if (*bytes % BULK_UNIT == 0) return true;
    jrs_fault(warp, i, lane, JRS_FAULT_COPY, "%u bytes are not a multiple of %d", *bytes, BULK_UNIT);
    return false;
}

/* Into the memory of the block in which the mbarrier is. */
static bool load_into(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address,
                      const jrs_mbarrier *mbarrier) {
    uint32_t bytes;
    if (!mbarrier || !bulk_size(warp, i, lane, &bytes)) return false;
    const jrs_extent to = {address, bytes, BULK_UNIT, (jrs_space)i->async.places[0].space};
    const jrs_extent from = {jrs_locate(warp, &i->async.places[1], lane), bytes, BULK_UNIT, JRS_SPACE_GLOBAL};
    if (!check(warp, i, lane, &from, JRS_READ) || !check(warp, i, lane, &to, JRS_FILL)) return false;
    if (!same_block(warp, i, lane, jrs_shared_block(warp, to.address), mbarrier)) return false;
    return bytes == 0 || jrs_flight_begin(warp, i, lane, &mbarrier->block->bulk,
                                          &(jrs_flight){.block = mbarrier->block,
                                                        .global = from.address,
                                                        .shared = jrs_shared_offset(to.address),
                                                        .mbarrier = mbarrier->offset,
                                                        .bytes = bytes,
                                                        .source_bytes = bytes});
}

/* .multicast::cluster: to the same places of all blocks whose ranks are in the mask, with an mbarrier in each. */
static bool load_all(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address) {
    const uint32_t ranks = ((const lane_u16 *)jrs_at(warp, i->s[1]))[lane], count = warp->block->cluster->count;
    uint32_t at;
    if (ranks >> count &&
        jrs_fault(warp, i, lane, JRS_FAULT_RANK, "the mask 0x%x for a cluster of %u blocks", ranks, count) == JRS_FAULT)
        return false;
    if (!jrs_mbarrier_place(warp, i, lane, 2, &at)) return false;
    for (uint32_t rank = 0; rank < count; rank++) {
        const jrs_block *block = &warp->block->cluster->blocks[rank];
        if (!(ranks >> rank & 1)) continue;
        if (!jrs_neighbour_reach(warp, i, lane, jrs_shared_address(block, at), false)) return false;
        const uint64_t there = jrs_shared_address(block, jrs_shared_offset(address));
        if (!load_into(warp, i, lane, there, jrs_mbarrier_in(warp, i, lane, block, at))) return false;
    }
    return true;
}

static bool load_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    const uint64_t address = jrs_locate(warp, &i->async.places[0], lane);
    if (i->source_count > 1) return load_all(warp, i, lane, address);
    return load_into(warp, i, lane, address, jrs_mbarrier_at(warp, i, lane, 2));
}

jrs_next jrs_op_bulk_load(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!load_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    jrs_clock_tick(warp);
    return JRS_STEP;
}

/* ---- st.async ---- */

/* Issues a lane's st.async: the value is taken now; memory and the mbarrier receive it when a thread waits for the
 * mbarrier. */
static bool send_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    const uint32_t each = i->async.bytes, bytes = each * i->source_count;
    const jrs_extent to = {jrs_locate(warp, &i->async.places[0], lane), bytes, bytes,
                           (jrs_space)i->async.places[0].space};
    const jrs_mbarrier *mbarrier = jrs_mbarrier_at(warp, i, lane, 1);
    jrs_flight flight = {.bytes = bytes, .source_bytes = bytes, .shared = jrs_shared_offset(to.address)};
    if (!mbarrier) return false;
    if (!jrs_is_shared(&i->async.places[0], to.address)) {
        jrs_fault(warp, i, lane, JRS_FAULT_COPY, "address 0x%" PRIx64 " is not in shared memory", to.address);
        return false;
    }
    if (!check(warp, i, lane, &to, JRS_FILL) ||
        !same_block(warp, i, lane, jrs_shared_block(warp, to.address), mbarrier))
        return false;
    flight.block = mbarrier->block;
    flight.mbarrier = mbarrier->offset;
    for (unsigned k = 0; k < i->source_count; k++)
        memcpy(flight.value + (size_t)k * each, (const uint8_t *)jrs_at(warp, i->s[k]) + (size_t)lane * each, each);
    return jrs_flight_begin(warp, i, lane, &mbarrier->block->bulk, &flight);
}

jrs_next jrs_op_store_async(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!send_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    jrs_clock_tick(warp);
    return JRS_STEP;
}

/* ---- cp.async.bulk to global memory ---- */

static bool store_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint32_t bytes;
    if (!bulk_size(warp, i, lane, &bytes)) return false;
    const jrs_extent to = {jrs_locate(warp, &i->async.places[0], lane), bytes, BULK_UNIT, JRS_SPACE_GLOBAL};
    const jrs_extent from = {jrs_locate(warp, &i->async.places[1], lane), bytes, BULK_UNIT, JRS_SPACE_SHARED};
    if (!check(warp, i, lane, &from, JRS_READ) || !check(warp, i, lane, &to, JRS_WRITE)) return false;
    if (!jrs_shadow_proxied(warp, i, lane, (jrs_span){warp->block, jrs_shared_offset(from.address), bytes}))
        return false;
    if (bytes == 0) return true;
    warp->block->stores++; /* until it is made, nobody may write what it reads: see jrs_flights_spare */
    return jrs_flight_begin(
        warp, i, lane, &warp->stores,
        &(jrs_flight){.global = to.address, .shared = jrs_shared_offset(from.address), .bytes = bytes});
}

jrs_next jrs_op_bulk_store(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!store_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    return JRS_STEP;
}
