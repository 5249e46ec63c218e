/* Enters compiled code for a group of lanes, and executes for it what handlers do. */
#include "native.h"

#include "sim/exec/judge/shadow_stamp.h"
#include "sim/ptx/handlers.h"

_Static_assert((int)JRS_NATIVE_STEP == JRS_STEP && (int)JRS_NATIVE_JUMP == JRS_JUMP, "compiled code returns jrs_next");
_Static_assert((int)JRS_NATIVE_TOUCHED_WORDS == JRS_TOUCHED_WORDS && (int)JRS_NATIVE_RANGES == JRS_RANGES,
               "compiled code knows the worker's arrays");

_Static_assert(sizeof(jrs_native_shadow) == sizeof(jrs_shadow), "compiled code knows the shadow's words");

/* Copies the worker's ranges that need no further questions. */
static void take_ranges(jrs_native *n, const jrs_worker *worker) {
    for (uint32_t k = 0; k < JRS_RANGES; k++) {
        const jrs_range *range = &worker->ranges[k];
        const bool plain = !range->watched && !range->heap;
        n->begin[k] = plain ? range->begin : 0;
        n->end[k] = plain ? range->end : 0;
        n->read_only[k] = range->read_only;
    }
    n->used = 0;
}

/* The stamp of what the warp does now, but for line and lane. */
static uint64_t stamp_now(const jrs_warp *warp) {
    return (uint64_t)jrs_now(warp) << JRS_STAMP_CLOCK_SHIFT | (uint64_t)warp->number << JRS_STAMP_WARP_SHIFT;
}

/* As the interpreter's loop does after an instruction. */
static int call(jrs_native *n, uint32_t index, uint32_t mask) {
    jrs_warp *warp = n->warp;
    const jrs_instruction *i = &warp->group->frame->function->code[index];
    warp->group->pc = index;
    const jrs_next next = i->run(warp, i, mask);
    if (next == JRS_STEP) {
        if (++warp->group->pc >= warp->limit) return JRS_JUMP;
        n->mask = warp->group->mask;
        n->limit = warp->limit;
        n->plain = !warp->early;
        n->now = stamp_now(warp);
        if (i->run == jrs_op_load || i->run == jrs_op_store) take_ranges(n, warp->worker);
        return JRS_STEP;
    }
    if (next == JRS_YIELD) warp->group->pc++;
    if (next != JRS_JUMP || warp->limit == 0 || warp->group->pc >= warp->limit) return (int)next;
    if (n->left > 0) return JRS_NATIVE_AGAIN;
    n->pc = warp->group->pc;
    return JRS_NATIVE_AT_PC + JRS_STEP;
}

static void prepare_shared(jrs_native *n, const jrs_warp *warp) {
    const jrs_block *block = warp->block;
    n->parameters = block->run->launch->parameters;
    n->shared = block->shared;
    n->shadow = (jrs_native_shadow *)(void *)block->shadow;
    n->clocks = warp->clock;
    n->copies = &block->stores;
    n->first_stamp = (uint64_t)block->first_clock << JRS_STAMP_CLOCK_SHIFT;
    n->now = stamp_now(warp);
    n->shared_bytes = block->run->shared_bytes;
    n->number = warp->number;
    n->alone = warp->tick == 1;
    n->judged = block->run->launch->judge != JRS_JUDGE_OFF;
}

static void prepare(jrs_native *n, jrs_warp *warp) {
    jrs_worker *worker = warp->worker;
    if (n->version != worker->ranges_version || !n->call) take_ranges(n, worker);
    n->version = worker->ranges_version;
    n->warp = warp;
    n->call = call;
    n->frame = warp->base[JRS_BASE_FRAME];
    n->constants = warp->base[JRS_BASE_CONSTANT];
    n->plain = !warp->early;
    n->progress = &warp->progress;
    n->page = &worker->page;
    n->touched = worker->touched;
    n->fresh = &worker->fresh;
    n->page_shift = worker->run->page_shift;
    prepare_shared(n, warp);
}

bool jrs_native_group(jrs_warp *warp, jrs_native_run *kernel, int32_t *left, jrs_next *next) {
    jrs_native *n = &warp->worker->native;
    int result;
    prepare(n, warp);
    n->left = *left;
    do {
        n->mask = warp->group->mask;
        n->pc = warp->group->pc;
        n->limit = warp->limit;
        result = kernel(n);
    } while (result == JRS_NATIVE_AGAIN);
    *left = n->left;
    if (result == JRS_NATIVE_FOREIGN) return false;
    if (result >= JRS_NATIVE_AT_PC) {
        warp->group->pc = n->pc;
        result -= JRS_NATIVE_AT_PC;
    }
    *next = (jrs_next)result;
    return true;
}
