/* Special registers, and the addresses that only a launch or a frame knows. */
#include "sim/ptx/special.h"
#include "sim/exec/fault.h"

#include <string.h>
#include <time.h>

#include "sim/exec/lanes.h"
#include "sim/exec/shared.h"
#include "sim/ptx/handlers.h"

enum {
#define ENUM(id, name, value) SPECIAL_##id,
    JRS_SPECIALS(ENUM)
#undef ENUM
};

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static uint64_t value_of(const jrs_warp *warp, unsigned special, unsigned lane, const uint32_t thread[3],
                         uint64_t now) {
    const jrs_block *block = warp->block;
    const jrs_run *run = block->run;
    const jrs_launch *launch = run->launch;
    unsigned multiprocessors = launch->multiprocessors ? launch->multiprocessors : 1;
    switch (special) {
#define CASE(id, name, value)                                                                                          \
    case SPECIAL_##id: return value;
        JRS_SPECIALS(CASE) /* NOLINT(bugprone-branch-clone): neighbours in the list may have the same value */
#undef CASE
    default: return 0;
    }
}

static void put(jrs_warp *warp, const jrs_instruction *i, unsigned lane, uint64_t value) {
    if (!i->width) {
        jrs_put_predicate(warp, i->d, 1u << lane, value ? JRS_ALL_LANES : 0);
        return;
    }
    uint8_t *at = (uint8_t *)jrs_at(warp, i->d) + (size_t)lane * i->width;
    memcpy(at, &value, i->width < 8 ? i->width : 8);
    if (i->width > 8) memset(at + 8, 0, i->width - 8u);
}

/* One value for all lanes of mask. */
static void put_all(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint64_t value) {
    lane_u32 *to = jrs_at(warp, i->d);
    if (i->width == 4)
        JRS_FOR_LANES(mask, to[l] = (lane_u32)value);
    else
        for (uint32_t rest = mask; rest; rest &= rest - 1) put(warp, i, jrs_first(rest), value);
}

static bool differs_by_lane(unsigned special) {
    return special <= SPECIAL_TID_Z || special == SPECIAL_LANEID ||
           (special >= SPECIAL_LANEMASK_EQ && special <= SPECIAL_LANEMASK_GE);
}

/* The index of the next thread. */
static void advance(const unsigned block[3], uint32_t thread[3]) {
    if (++thread[0] < block[0]) return;
    thread[0] = 0;
    if (++thread[1] < block[1]) return;
    thread[1] = 0;
    thread[2]++;
}

jrs_next jrs_op_special(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const bool timed = i->operation >= SPECIAL_CLOCK && i->operation <= SPECIAL_GLOBALTIMER_HI;
    const uint64_t now = timed ? now_ns() : 0;
    uint32_t thread[3] = {0, 0, 0};
    warp->polls += timed; /* a loop that waits for the clock lets others run */
    if (!differs_by_lane(i->operation)) {
        put_all(warp, i, mask, value_of(warp, i->operation, 0, thread, now));
        return JRS_STEP;
    }
    jrs_thread_index(warp, 0, thread);
    for (unsigned lane = 0; lane < JRS_LANES; lane++, advance(warp->block->run->launch->block, thread))
        if (mask >> lane & 1) put(warp, i, lane, value_of(warp, i->operation, lane, thread, now));
    return JRS_STEP;
}

jrs_next jrs_op_dynamic_shared(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const jrs_block *block = warp->block;
    uint64_t address = block->run->dynamic_shared + (uint64_t)i->offset;
    if (block->cluster->count > 1) address += jrs_shared_address(block, 0);
    put_all(warp, i, mask, address);
    return JRS_STEP;
}

jrs_next jrs_op_frame_address(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint64_t address = warp->group->frame->local_base + (uint64_t)i->offset;
    put_all(warp, i, mask, address);
    return JRS_STEP;
}

jrs_next jrs_op_grid_wait(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    (void)i;
    warp->early &= ~mask;
    return JRS_STEP;
}

jrs_next jrs_op_nothing(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    (void)warp, (void)i, (void)mask;
    return JRS_STEP;
}
