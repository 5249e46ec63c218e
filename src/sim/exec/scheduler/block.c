/* A resident block: its memory, its warps, and their turns. */
#include <stdlib.h>
#include <string.h>

#include "schedule.h"
#include "sim/exec/frame.h"
#include "sim/exec/judge/flight.h"
#include "sim/exec/judge/ranges.h"
#include "sim/exec/judge/shadow_word.h"
#include "sim/exec/observe/observer.h"
#include "sim/native/native.h"

enum { TURN_ROUNDS = 64, ALIGNMENT = 64 };

static void *take(size_t bytes) {
    return aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT);
}

static void attach_warp(jrs_block *block, jrs_worker *worker, uint32_t number) {
    const jrs_function *function = block->run->function;
    jrs_warp *warp = &block->warps[number];
    const size_t count = block->run->clock_count;
    *warp = (jrs_warp){.block = block, .worker = worker, .number = number};
    warp->entry = block->rank * block->warp_count + number;
    warp->tick = block->run->rank_mask + 1;
    warp->clock = block->clocks + number * count;
    if (block->run->rank_mask) warp->fenced = block->clocks + (block->warp_count + JRS_BARRIERS + 1 + number) * count;
    warp->base[JRS_BASE_SCRATCH] = worker->scratch;
    warp->kernel_frame.function = function;
    warp->kernel_frame.registers = block->registers + (size_t)number * function->frame_bytes;
    if (function->local_bytes) warp->local = block->local + (size_t)number * function->local_bytes * JRS_LANES;
    warp->local_stride = function->local_bytes;
}

/* Vector clocks of the warps, of the barriers, of the proxy fence, and, among other blocks, of the warps' last fences.
 */
static bool allocate_clocks(jrs_block *block) {
    const jrs_run *run = block->run;
    const size_t count = run->clock_count, vectors = JRS_BARRIERS + 1 + run->warp_count * (run->rank_mask ? 2u : 1u);
    block->clocks = calloc(vectors * count, sizeof *block->clocks);
    block->visits = calloc(count, sizeof *block->visits);
    if (!block->clocks || !block->visits) return false;
    block->barrier_clocks = block->clocks + run->warp_count * count;
    block->proxied = block->barrier_clocks + JRS_BARRIERS * count;
    return true;
}

/* In a cluster of several blocks the address of a shared variable says whose it is. */
static bool allocate_constants(jrs_block *block) {
    const jrs_function *function = block->run->function;
    block->constants = function->constants;
    if (block->cluster->count == 1 || !function->shared_constants) return true;
    block->constants = take(function->constant_bytes);
    if (!block->constants) return false;
    memcpy(block->constants, function->constants, function->constant_bytes);
    for (const jrs_shared_constant *one = function->shared_constants; one; one = one->next) {
        uint8_t *slot = block->constants + (one->slot & ((1u << JRS_BASE_SHIFT) - 1));
        const uint64_t address = jrs_shared_address(block, (uint32_t)one->address);
        for (unsigned lane = 0; lane < JRS_LANES; lane++)
            memcpy(slot + (size_t)lane * one->bytes, &address, one->bytes);
    }
    return true;
}

bool jrs_block_allocate(jrs_block *block, jrs_worker *worker) {
    const jrs_run *run = worker->run;
    const jrs_function *function = run->function;
    block->run = worker->run;
    block->worker = worker;
    block->warp_count = run->warp_count;
    block->threads = run->block_threads;
    block->warps = calloc(run->warp_count, sizeof *block->warps);
    block->registers = take((size_t)run->warp_count * function->frame_bytes);
    block->local = take((size_t)run->warp_count * function->local_bytes * JRS_LANES);
    block->shared = take(run->shared_bytes);
    if (run->launch->rounds.line) block->kinds = calloc(run->shared_bytes + 1u, 1);
    if (run->launch->rounds.line && !block->kinds) return false;
    if (!jrs_word_allocate(block) || !allocate_clocks(block) || !allocate_constants(block)) return false;
    if (!block->warps || !block->registers || !block->local || !block->shared) return false;
    for (uint32_t w = 0; w < run->warp_count; w++) attach_warp(block, worker, w);
    return true;
}

static void free_frames(jrs_warp *warp) {
    for (uint32_t k = 0; k < warp->group_count; k++) jrs_frame_leave(warp->groups[k].frame, warp->groups[k].mask, true);
    warp->group_count = 0;
}

void jrs_block_free(jrs_block *block) {
    jrs_flights_free(block);
    for (uint32_t w = 0; block->warps && w < block->warp_count; w++) {
        free_frames(&block->warps[w]);
        free(block->warps[w].kernel_frame.doubts);
        if (block->warps[w].owns_local) free(block->warps[w].local);
    }
    free(block->warps);
    free(block->registers);
    free(block->local);
    free(block->shared);
    jrs_word_free(block);
    free(block->kinds);
    if (block->run && block->constants != block->run->function->constants) free(block->constants);
    free(block->clocks);
    free(block->visits);
}

static bool is_traced(const jrs_block *block, uint32_t warp) {
    const jrs_trace_request *trace = &block->run->launch->trace;
    return trace->line && trace->block == block->number && trace->warp == warp;
}

static void forget_doubts(jrs_warp *warp) {
    free(warp->kernel_frame.doubts);
    warp->kernel_frame.doubts = NULL;
    warp->doubt_count = 0;
    warp->careful = warp->watched;
}

static void begin_clock(const jrs_block *block, uint32_t *clock) {
    for (uint32_t rank = 0; rank < block->cluster->count; rank++)
        for (uint32_t w = 0; w < block->warp_count; w++) *clock++ = block->first_clock + rank;
}

static void begin_warp(jrs_block *block, jrs_warp *warp) {
    uint32_t threads = block->threads - warp->number * JRS_LANES;
    warp->initial = threads >= JRS_LANES ? JRS_ALL_LANES : (1u << threads) - 1;
    warp->live = warp->initial;
    warp->early = block->run->launch->dependent && block->run->launch->judge != JRS_JUDGE_OFF ? warp->initial : 0;
    warp->kernel_frame.lanes = warp->initial;
    warp->group_count = 1;
    warp->groups[0] = (jrs_group){.frame = &warp->kernel_frame, .mask = warp->initial};
    warp->rotate = false;
    warp->polls = warp->carry = 0;
    warp->traced = is_traced(block, warp->number);
    warp->watched = warp->traced || block->run->launch->rounds.line;
    if (warp->local_stride) memset(warp->local, 0, (size_t)warp->local_stride * JRS_LANES);
    forget_doubts(warp);
    warp->arrived[0] = warp->arrived[1] = 0;
    warp->met = 1u << block->rank;
    warp->passed = 0;
    if (warp->number > 0) memcpy(warp->clock, block->warps[0].clock, block->run->clock_count * sizeof *warp->clock);
    if (warp->fenced) memset(warp->fenced, 0, block->run->clock_count * sizeof *warp->fenced);
}

void jrs_block_begin(jrs_block *block, uint32_t first_clock) {
    const jrs_run *run = block->run;
    block->active = true;
    block->first_clock = first_clock;
    block->warps_left = block->warp_count;
    block->exited = 0;
    block->order = run->launch->seed * UINT64_C(0x9e3779b97f4a7c15) + block->number;
    memset(block->barriers, 0, sizeof block->barriers);
    memset(block->registers, 0, (size_t)block->warp_count * run->function->frame_bytes);
    memset(block->shared, 0, run->shared_bytes); /* a judge that is off lets a kernel read what it never wrote */
    if (block->kinds) memset(block->kinds, 0, run->shared_bytes);
    jrs_flights_begin_block(block);
    memset(block->visits, 0, run->clock_count * sizeof *block->visits);
    begin_clock(block, block->warps[0].clock);
    for (uint32_t w = 0; w < block->warp_count; w++) begin_warp(block, &block->warps[w]);
}

/* In each round the warps run in cyclic order, from a first warp and in a direction that the seed decides for that
 * round. */
static uint32_t warp_at(const jrs_block *block, uint32_t turn) {
    if (!block->run->launch->seed) return turn;
    uint32_t start = (uint32_t)(block->order >> 33) % block->warp_count;
    uint32_t step = block->order >> 32 & 1 ? turn : block->warp_count - turn;
    return (start + step) % block->warp_count;
}

/* One slice for every warp that can run. */
static jrs_outcome run_round(jrs_block *block, bool *ran, bool *progress) {
    bool polling = true;
    *ran = *progress = false;
    block->order = block->order * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    for (uint32_t turn = 0; turn < block->warp_count; turn++) {
        jrs_warp *warp = &block->warps[warp_at(block, turn)];
        if (!warp->group_count) continue;
        jrs_outcome outcome = jrs_warp_run(warp);
        if (outcome == JRS_STOPPED) return JRS_STOPPED;
        if (outcome == JRS_FINISHED) block->warps_left--;
        if (outcome != JRS_WAITING) *ran = true;
        if (outcome != JRS_WAITING && outcome != JRS_POLLING) polling = false;
        *progress |= warp->progress;
        warp->progress = false;
    }
    return polling ? JRS_POLLING : JRS_BUSY;
}

jrs_outcome jrs_block_run(jrs_block *block) {
    bool ran, progress;
    for (unsigned round = 0; round < TURN_ROUNDS; round++) {
        if (atomic_load_explicit(&block->run->stopped, memory_order_relaxed)) return JRS_STOPPED;
        jrs_ranges_refresh(block->worker);
        jrs_native_look(block->worker);
        jrs_outcome outcome = run_round(block, &ran, &progress);
        if (outcome == JRS_STOPPED) return JRS_STOPPED;
        if (!block->warps_left) {
            block->active = false;
            if (block->kinds) jrs_rounds_end(block);
            return jrs_flights_end_block(block) ? JRS_FINISHED : JRS_STOPPED;
        }
        if (!ran) return round ? JRS_BUSY : JRS_WAITING;
        if (outcome == JRS_POLLING && !progress) return JRS_POLLING;
    }
    return JRS_BUSY;
}
