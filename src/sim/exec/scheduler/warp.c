/* The heart: a warp runs a slice of instructions. */
#include "schedule.h"
#include "sim/exec/judge/undefined.h"
#include "sim/exec/lane_group.h"
#include "sim/exec/lanes.h"
#include "sim/exec/observe/observer.h"
#include "sim/native/native.h"

enum { SLICE_STEPS = 512, PATIENCE_SLICES = 8 };

/* Runs an instruction and watches what it does. */
static jrs_next run_watched(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const jrs_frame *frame = warp->group->frame;
    const bool in_rounds = mask && warp->block->kinds;
    jrs_rounds_addresses before;
    if (!jrs_undefined_step(warp, i, mask)) return JRS_FAULT;
    if (in_rounds) jrs_rounds_before(warp, i, &before);
    jrs_next next = mask ? i->run(warp, i, mask) : JRS_STEP;
    if (in_rounds && (next == JRS_STEP || next == JRS_YIELD)) jrs_rounds_write(warp, i, mask, &before);
    if (warp->traced) jrs_trace(warp, frame, i, mask);
    return next;
}

/* Runs the entered group until it must make way: JRS_JUMP choose again, JRS_STEP the slice is over, or as handlers say.
 * A slice ends where instructions do not follow one another, so that compiled code ends it there, too. Inline, so that
 * the loop that does not watch has no part in watching. */
static inline jrs_next run_group(jrs_warp *warp, int32_t *left, bool careful) {
    const jrs_instruction *code = warp->group->frame->function->code;
    for (;;) {
        jrs_group *group = warp->group;
        const jrs_instruction *i = &code[group->pc];
        uint32_t mask = group->mask;
        --*left;
        if (i->guarded) {
            uint32_t guard = *(const lane_u32 *)jrs_at(warp, i->guard);
            mask &= i->guard_negated ? ~guard : guard;
        }
        jrs_next next = careful ? run_watched(warp, i, mask) : mask ? i->run(warp, i, mask) : JRS_STEP;
        if (next == JRS_STEP) {
            group = warp->group;
            group->pc++;
            if (group->pc >= warp->limit) return JRS_JUMP;
        } else if (next == JRS_JUMP) {
            if (warp->limit == 0 || group->pc >= warp->limit) return JRS_JUMP;
            if (*left <= 0) return JRS_STEP;
        } else {
            if (next == JRS_YIELD) warp->group->pc++;
            return next;
        }
    }
}

/* The same by compiled code, where there is some. */
static jrs_next run_fast(jrs_warp *warp, int32_t *left) {
    const jrs_run *run = warp->block->run;
    jrs_native_run *native = atomic_load_explicit(&run->native, memory_order_acquire);
    jrs_next next;
    if (native && warp->group->frame->function == run->function && jrs_native_group(warp, native, left, &next))
        return next;
    return run_group(warp, left, false);
}

/* One of several groups has used up its turn or polls: the others' turn comes. */
static void consider_rotation(jrs_warp *warp, jrs_next why) {
    if (warp->group_count < 2) return;
    if (why != JRS_YIELD && warp->patience-- > 0) return;
    warp->rotate = true;
    warp->patience = PATIENCE_SLICES;
}

jrs_outcome jrs_warp_run(jrs_warp *warp) {
    int32_t left = SLICE_STEPS;
    jrs_next next = JRS_JUMP;
    while (next == JRS_JUMP && left > 0) {
        if (!jrs_group_choose(warp)) break;
        next = warp->careful ? run_group(warp, &left, true) : run_fast(warp, &left);
        if (next == JRS_WAIT) next = JRS_JUMP;
    }
    const uint32_t steps = (uint32_t)(SLICE_STEPS - left);
    warp->worker->steps += steps;
    if (next == JRS_FAULT) return JRS_STOPPED;
    if (warp->group_count == 0) {
        warp->progress = warp->worker->fresh = true;
        jrs_worker_count(warp->worker, warp, steps, false);
        return JRS_FINISHED;
    }
    if (next != JRS_JUMP) consider_rotation(warp, next);
    if (left == SLICE_STEPS) return JRS_WAITING;
    if (!jrs_worker_count(warp->worker, warp, steps, next == JRS_YIELD)) return JRS_STOPPED;
    return next == JRS_YIELD ? JRS_POLLING : JRS_BUSY;
}
