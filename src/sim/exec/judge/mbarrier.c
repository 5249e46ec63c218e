/* mbarriers: objects in shared memory that count arrivals and the bytes of copies, phase after phase.
 *
 * A phase is complete when no arrival and no byte is pending. Arriving releases what the warp has seen, and finding a
 * phase complete acquires what all its arrivals released. */
#include <inttypes.h>
#include <stdio.h>

#include "mbarrier.h"
#include "neighbour.h"
#include "shadow.h"

/* ---- which one ---- */

jrs_block *jrs_mbarrier_place(jrs_warp *warp, const jrs_instruction *i, unsigned lane, unsigned location,
                              uint32_t *offset) {
    const jrs_location *at = &i->async.places[location];
    const uint64_t address = jrs_locate(warp, at, lane);
    *offset = jrs_shared_offset(address);
    if (!jrs_is_shared(at, address) || !jrs_shared_block(warp, address) || *offset >= warp->block->run->shared_bytes) {
        jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER, "address 0x%" PRIx64 " is not in shared memory", address);
        return NULL;
    }
    return jrs_neighbour_reach(warp, i, lane, address, at->space == JRS_SPACE_SHARED);
}

static jrs_mbarrier *look_up(const jrs_block *block, uint32_t offset) {
    for (uint32_t k = 0; k < block->mbarrier_count; k++)
        if (block->mbarriers[k].offset == offset) return &block->mbarriers[k];
    return NULL;
}

jrs_mbarrier *jrs_mbarrier_in(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_block *block,
                              uint32_t offset) {
    jrs_mbarrier *found = look_up(block, offset);
    char owner[JRS_OWNER_BYTES];
    if (!found)
        jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER, "at address 0x%" PRIx32 "%s no mbarrier was initialised", offset,
                  jrs_shadow_owner(warp, block, owner));
    else if (found->published && warp->passed >= found->published)
        return found;
    else if (!jrs_shadow_after(warp, i, lane, found))
        return NULL;
    return found;
}

jrs_mbarrier *jrs_mbarrier_at(jrs_warp *warp, const jrs_instruction *i, unsigned lane, unsigned location) {
    uint32_t offset;
    const jrs_block *block = jrs_mbarrier_place(warp, i, lane, location, &offset);
    return block ? jrs_mbarrier_in(warp, i, lane, block, offset) : NULL;
}

void jrs_mbarrier_publish(jrs_warp *warp) {
    const jrs_block *block = warp->block;
    jrs_clock_tick(warp);
    for (uint32_t k = 0; k < block->mbarrier_count; k++) {
        jrs_mbarrier *mbarrier = &block->mbarriers[k];
        if (!mbarrier->published && jrs_shadow_seen(warp, mbarrier->initialised))
            mbarrier->published = block->cluster->phase + 1;
    }
}

/* ---- counting ---- */

static void advance(jrs_warp *warp, jrs_mbarrier *mbarrier) {
    if (mbarrier->pending || mbarrier->transfer_bytes) return;
    mbarrier->phase++;
    mbarrier->pending = mbarrier->expected;
    jrs_clock_join(mbarrier->done, mbarrier->clock, warp->block->run->clock_count);
    warp->progress = true;
}

bool jrs_mbarrier_arrive(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_mbarrier *mbarrier,
                         uint32_t count) {
    if (count == 0 || count > mbarrier->pending) {
        jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER, "%u arrivals at address 0x%" PRIx32 ", which waits for %u of %u",
                  count, mbarrier->offset, mbarrier->pending, mbarrier->expected);
        return false;
    }
    mbarrier->pending -= count;
    advance(warp, mbarrier);
    return true;
}

bool jrs_mbarrier_transfer(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_mbarrier *mbarrier,
                           int64_t bytes) {
    int64_t sum = mbarrier->transfer_bytes + bytes;
    if (sum > JRS_MBARRIER_COUNT_MAX || sum < -JRS_MBARRIER_COUNT_MAX) {
        jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER,
                  "address 0x%" PRIx32 " would count %" PRId64 " bytes; an mbarrier counts up to %d", mbarrier->offset,
                  sum, JRS_MBARRIER_COUNT_MAX);
        return false;
    }
    mbarrier->transfer_bytes = (int32_t)sum;
    advance(warp, mbarrier);
    return true;
}

void jrs_mbarrier_describe(const jrs_block *block, uint32_t offset, char out[160]) {
    const jrs_mbarrier *mbarrier = look_up(block, offset);
    out[0] = '\0';
    if (mbarrier)
        snprintf(out, 160,
                 "; the mbarrier at address 0x%" PRIx32 " waits in phase %" PRIu64
                 " for %u of %u arrivals and %d bytes",
                 offset, mbarrier->phase, mbarrier->pending, mbarrier->expected, mbarrier->transfer_bytes);
}
