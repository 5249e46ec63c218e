/* The mbarrier instructions: init, inval, arrivals, bytes expected or complete, waits. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/exec/judge/access.h"
#include "sim/exec/judge/flight.h"
#include "sim/exec/judge/mbarrier.h"
#include "sim/exec/judge/shadow_stamp.h"
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"

enum { TOKEN_SHIFT = 20 }; /* below: arrivals pending; above: the phase */

/* ---- init, inval, arrive, expect_tx, complete_tx ---- */

static uint32_t operand(const jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    return i->source_count ? ((const lane_u32 *)jrs_at(warp, i->s[0]))[lane] : 1;
}

/* Only arrivals may be made on an mbarrier of another block. */
static bool is_own(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_block *block) {
    char owner[JRS_OWNER_BYTES];
    if (block == warp->block) return true;
    jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER, "the mbarrier is in the shared memory%s, where others only arrive",
              jrs_shadow_owner(warp, block, owner));
    return false;
}

static jrs_mbarrier *make_room(jrs_block *block) {
    if (block->mbarrier_count == block->mbarrier_capacity) {
        uint32_t capacity = block->mbarrier_capacity ? 2 * block->mbarrier_capacity : 8;
        jrs_mbarrier *larger = realloc(block->mbarriers, capacity * sizeof *larger);
        if (!larger) return NULL;
        memset(larger + block->mbarrier_capacity, 0, (capacity - block->mbarrier_capacity) * sizeof *larger);
        block->mbarriers = larger;
        block->mbarrier_capacity = capacity;
    }
    jrs_mbarrier *made = &block->mbarriers[block->mbarrier_count];
    const size_t bytes = block->run->clock_count * sizeof *made->clock;
    if (!made->clock) made->clock = malloc(2 * bytes);
    if (!made->clock) return NULL;
    made->done = made->clock + block->run->clock_count;
    memset(made->clock, 0, 2 * bytes);
    return made;
}

static bool initialise(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    uint32_t offset, count = operand(warp, i, lane);
    jrs_block *block = jrs_mbarrier_place(warp, i, lane, 0, &offset);
    if (!block || !is_own(warp, i, lane, block)) return false;
    const jrs_extent extent = {offset, JRS_MBARRIER_BYTES, JRS_MBARRIER_BYTES, JRS_SPACE_SHARED};
    if (count == 0 || count > JRS_MBARRIER_COUNT_MAX) {
        jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER, "a count of %u; it must be 1 to %d", count,
                  JRS_MBARRIER_COUNT_MAX);
        return false;
    }
    if (!jrs_access_extent(warp, i, lane, &extent, JRS_HOLD)) return false;
    jrs_mbarrier *made = make_room(block);
    if (!made) {
        jrs_fault(warp, i, lane, JRS_FAULT_NO_MEMORY, "for an mbarrier");
        return false;
    }
    block->mbarrier_count++;
    *made = (jrs_mbarrier){.block = block,
                           .offset = offset,
                           .expected = count,
                           .pending = count,
                           .clock = made->clock,
                           .done = made->done,
                           .initialised = jrs_shadow_stamp(warp, i, lane, jrs_now(warp))};
    return true;
}

static bool invalidate(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    jrs_block *block = warp->block;
    jrs_mbarrier *mbarrier = jrs_mbarrier_at(warp, i, lane, 0);
    if (!mbarrier || !is_own(warp, i, lane, mbarrier->block)) return false;
    jrs_shadow_forget(block, mbarrier->offset, JRS_MBARRIER_BYTES);
    jrs_mbarrier *last = &block->mbarriers[--block->mbarrier_count];
    const jrs_mbarrier ended = *mbarrier;
    *mbarrier = *last;
    *last = ended; /* whose clocks are used again */
    return true;
}

static void put_token(const jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_mbarrier *mbarrier) {
    if (i->has_d) ((lane_u64 *)jrs_at(warp, i->d))[lane] = mbarrier->phase << TOKEN_SHIFT | mbarrier->pending;
}

static bool arrive(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_mbarrier *mbarrier) {
    const uint32_t value = operand(warp, i, lane), count = i->async.flags & JRS_MBARRIER_EXPECTS ? 1 : value;
    jrs_clock_tick(warp);
    if (!(i->async.flags & JRS_MBARRIER_RELAXED))
        jrs_clock_join(mbarrier->clock, warp->clock, warp->block->run->clock_count);
    put_token(warp, i, lane, mbarrier);
    if ((i->async.flags & JRS_MBARRIER_EXPECTS) && !jrs_mbarrier_transfer(warp, i, lane, mbarrier, value)) return false;
    if ((i->async.flags & JRS_MBARRIER_INCOMPLETE) && count >= mbarrier->pending) {
        jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER,
                  ".noComplete, but %u arrivals complete the phase at address 0x%" PRIx32, count, mbarrier->offset);
        return false;
    }
    if (i->operation == JRS_MBARRIER_arrive_drop && count <= mbarrier->pending) mbarrier->expected -= count;
    return jrs_mbarrier_arrive(warp, i, lane, mbarrier, count);
}

static bool run_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    if (i->operation == JRS_MBARRIER_init) return initialise(warp, i, lane);
    if (i->operation == JRS_MBARRIER_inval) return invalidate(warp, i, lane);
    jrs_mbarrier *mbarrier = jrs_mbarrier_at(warp, i, lane, 0);
    if (!mbarrier) return false;
    const int64_t bytes = operand(warp, i, lane);
    if (i->operation == JRS_MBARRIER_expect_tx) return jrs_mbarrier_transfer(warp, i, lane, mbarrier, bytes);
    if (i->operation == JRS_MBARRIER_complete_tx) return jrs_mbarrier_transfer(warp, i, lane, mbarrier, -bytes);
    return arrive(warp, i, lane, mbarrier);
}

jrs_next jrs_op_mbarrier(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (!run_lane(warp, i, jrs_first(rest))) return JRS_FAULT;
    return JRS_STEP;
}

/* ---- test_wait, try_wait ---- */

typedef enum answer { COMPLETE, INCOMPLETE, WRONG } answer;

/* By a parity: whether the phase of that parity is the last complete one. By a token: of this phase or the last. */
static answer ask(jrs_warp *warp, const jrs_instruction *i, unsigned lane, const jrs_mbarrier *mbarrier) {
    if (i->async.flags & JRS_MBARRIER_PARITY)
        return (operand(warp, i, lane) & 1) != (mbarrier->phase & 1) ? COMPLETE : INCOMPLETE;
    uint64_t phase = ((const lane_u64 *)jrs_at(warp, i->s[0]))[lane] >> TOKEN_SHIFT;
    if (phase == mbarrier->phase) return INCOMPLETE;
    if (phase + 1 == mbarrier->phase) return COMPLETE;
    jrs_fault(warp, i, lane, JRS_FAULT_MBARRIER,
              "the state is of phase %" PRIu64 "; at address 0x%" PRIx32 " phase %" PRIu64 " is under way", phase,
              mbarrier->offset, mbarrier->phase);
    return WRONG;
}

static answer wait_lane(jrs_warp *warp, const jrs_instruction *i, unsigned lane) {
    jrs_mbarrier *mbarrier = jrs_mbarrier_at(warp, i, lane, 0);
    if (!mbarrier || !is_own(warp, i, lane, mbarrier->block)) return WRONG;
    answer found = ask(warp, i, lane, mbarrier);
    if (found == INCOMPLETE) {
        if (!jrs_flights_settle(mbarrier)) return WRONG;
        found = ask(warp, i, lane, mbarrier);
    }
    if (found == INCOMPLETE) warp->awaited = mbarrier->offset + 1;
    if (found == COMPLETE && !(i->async.flags & JRS_MBARRIER_RELAXED))
        jrs_clock_join(warp->clock, mbarrier->done, warp->block->run->clock_count);
    return found;
}

jrs_next jrs_op_mbarrier_wait(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint32_t complete = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        answer found = wait_lane(warp, i, jrs_first(rest));
        if (found == WRONG) return JRS_FAULT;
        complete |= (uint32_t)(found == COMPLETE) << jrs_first(rest);
    }
    jrs_clock_tick(warp);
    jrs_put_predicate(warp, i->d, mask, complete);
    if (complete != mask) return JRS_YIELD;
    warp->awaited = 0;
    return JRS_STEP;
}

jrs_next jrs_op_mbarrier_pending(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u64 *tokens = jrs_at(warp, i->s[0]);
    lane_u32 *ds = jrs_at(warp, i->d);
    JRS_FOR_LANES(mask, ds[l] = (uint32_t)tokens[l] & JRS_MBARRIER_COUNT_MAX);
    return JRS_STEP;
}
