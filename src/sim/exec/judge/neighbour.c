/* Shared memory of other blocks of the cluster: it may be touched once they are known to have begun, and until they
 * end.
 *
 * That a block has begun is known to those who have passed a barrier of the cluster, or have seen by other means
 * something that one of its threads did. A block must not end before it has seen, in the same sense, all that others
 * did to its memory. */
#include <inttypes.h>

#include "neighbour.h"
#include "shadow.h"
#include "shadow_stamp.h"
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"

static bool has_begun(jrs_warp *warp, const jrs_block *block) {
    const uint32_t start = block->first_clock + (block->rank & block->run->rank_mask);
    const uint32_t *seen = warp->clock + (size_t)block->rank * block->warp_count;
    bool begun = warp->met >> block->rank & 1;
    for (uint32_t w = 0; w < block->warp_count && !begun; w++) begun = seen[w] > start;
    warp->met |= (uint32_t)begun << block->rank;
    return begun;
}

jrs_block *jrs_neighbour_reach(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t address, bool cta) {
    jrs_block *block = jrs_shared_block(warp, address);
    const uint32_t offset = jrs_shared_offset(address);
    char owner[JRS_OWNER_BYTES];
    if (block == warp->block) return block;
    jrs_shadow_owner(warp, block, owner);
    if (cta) {
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS,
                  "address 0x%" PRIx32 "%s: only .shared::cluster or a generic address reaches another block's "
                  "shared memory",
                  offset, owner);
        return NULL;
    }
    if (!block->active) {
        jrs_fault(warp, i, lane, JRS_FAULT_BOUNDS, "address 0x%" PRIx32 "%s, which has exited", offset, owner);
        return NULL;
    }
    if (warp->block->run->launch->judge == JRS_JUDGE_OFF) return block;
    if (!has_begun(warp, block) &&
        jrs_fault(warp, i, lane, JRS_FAULT_RACE,
                  "address 0x%" PRIx32 "%s, which may not have begun: a barrier of the cluster must come before",
                  offset, owner) == JRS_FAULT)
        return NULL;
    block->visits[warp->entry] = jrs_shadow_stamp(warp, i, lane, jrs_now(warp));
    return block;
}

bool jrs_neighbour_leave(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    const jrs_block *block = warp->block;
    char name[JRS_NAME_BYTES], source[JRS_SOURCE_BYTES];
    for (uint32_t entry = 0; entry < block->run->clock_count; entry++) {
        bool seen = block->visits[entry] == 0;
        for (uint32_t w = 0; w < block->warp_count && !seen; w++)
            seen = jrs_shadow_seen(&block->warps[w], block->visits[entry]);
        if (seen) continue;
        return jrs_fault(warp, i, lane, JRS_FAULT_RACE,
                         "the block ends, and %s uses its shared memory at %s with no barrier between",
                         jrs_shadow_name(warp, block->visits[entry], name),
                         jrs_shadow_place(block, block->visits[entry], source)) == JRS_STEP;
    }
    return true;
}

/* ---- mapa, getctarank ---- */

static uint64_t source(const jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    const void *lanes = jrs_at(warp, i->s[0]);
    return i->width == 4 ? ((const lane_u32 *)lanes)[lane] : ((const lane_u64 *)lanes)[lane];
}

/* Takes the window off a shared address; false: the address is not in the shared window. */
static bool strip(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t *address) {
    const uint64_t given = *address;
    *address &= (UINT64_C(1) << JRS_WINDOW_SHIFT) - 1;
    if (given >> JRS_WINDOW_SHIFT == i->window && jrs_shared_block(warp, *address)) return true;
    return jrs_fault(warp, i, lane, JRS_FAULT_RANK, "address 0x%" PRIx64 " is not in shared memory", given) == JRS_STEP;
}

jrs_next jrs_op_map_rank(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u32 *ranks = jrs_at(warp, i->s[1]);
    const uint32_t count = warp->block->cluster->count;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned l = jrs_first(rest);
        const uint32_t rank = ranks[l];
        uint64_t address = source(warp, i, l);
        if (!strip(warp, i, l, &address)) return JRS_FAULT;
        if (rank >= count &&
            jrs_fault(warp, i, l, JRS_FAULT_RANK, "rank %u in a cluster of %u blocks", rank, count) == JRS_FAULT)
            return JRS_FAULT;
        address = (uint64_t)i->window << JRS_WINDOW_SHIFT | (rank + 1) << JRS_RANK_SHIFT | jrs_shared_offset(address);
        if (i->width == 4)
            ((lane_u32 *)jrs_at(warp, i->d))[l] = (uint32_t)address;
        else
            ((lane_u64 *)jrs_at(warp, i->d))[l] = address;
    }
    return JRS_STEP;
}

jrs_next jrs_op_get_rank(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    lane_u32 *ds = jrs_at(warp, i->d);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const unsigned l = jrs_first(rest);
        uint64_t address = source(warp, i, l);
        if (!strip(warp, i, l, &address)) return JRS_FAULT;
        const uint64_t owner = address >> JRS_RANK_SHIFT;
        ds[l] = owner ? (uint32_t)owner - 1 : warp->block->rank;
    }
    return JRS_STEP;
}
