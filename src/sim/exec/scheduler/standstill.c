/* When a kernel that waits or works for ever is stopped, and why a cluster whose threads all wait stands still. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "schedule.h"
#include "sim/exec/fault.h"
#include "sim/exec/instructions/barrier.h"
#include "sim/exec/judge/mbarrier.h"
#include "sim/ptx/ptx_source.h"
#include "sim/ptx/sim_text.h"

/* ---- progress ----
 *
 * Kernels that run at the same time, on several
 * devices, may wait for each other: the progress of one is progress of all.
 *
 * Progress is a store that changes memory, a barrier passed, a page of global memory touched for the first time or a
 * warp ended. Without it, a worker stops the launch after step_limit warp instructions; and, since polling is slow
 * (each lane's access is checked), after POLLING_LIMIT_S seconds of its own CPU time in which no worker did anything
 * but poll. Seconds, because what is polled may be mapped memory that the host writes; of CPU time, because on a busy
 * machine others have the rest. Only the last two kinds of progress have an end: without them, who changes memory and
 * passes barriers may do so for PATIENCE times as many instructions. */

enum { POLLING_LIMIT_S = 20, SLICES_PER_LOOK = 256, PATIENCE = 8 };

/* False, with a report: why, and the mbarrier that was found incomplete last. */
__attribute__((format(printf, 2, 3))) static bool report(jrs_warp *warp, const char *format, ...) {
    char why[160], awaited[160] = "";
    va_list arguments;
    if (!warp->group) warp->group = &warp->groups[0];
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    if (warp->awaited) jrs_mbarrier_describe(warp->block, warp->awaited - 1, awaited);
    jrs_fault(warp, &warp->group->frame->function->code[warp->group->pc], jrs_first(warp->group->mask),
              JRS_FAULT_NO_PROGRESS, "%s%s", why, awaited);
    return false;
}

/* Whether nobody has done anything but poll for too long; looks at the clock now and then only. */
static bool polls_for_ever(jrs_worker *worker) {
    uint64_t work = atomic_load_explicit(&worker->run->activity->work, memory_order_relaxed);
    if (work != worker->seen_work) worker->polling_since_ms = 0;
    worker->seen_work = work;
    if (++worker->polling_slices % SLICES_PER_LOOK) return false;
    const double now = jr_clock_thread_ms();
    if (worker->polling_since_ms == 0) worker->polling_since_ms = now;
    return now - worker->polling_since_ms > POLLING_LIMIT_S * 1e3;
}

/* False: nothing but the same memory for too long. */
static bool count_stale(jrs_worker *worker, uint32_t steps, uint64_t limit) {
    uint64_t fresh = atomic_load_explicit(&worker->run->activity->fresh, memory_order_relaxed);
    if (fresh != worker->seen_fresh) worker->stale_steps = 0;
    worker->seen_fresh = fresh;
    worker->stale_steps += steps;
    return worker->stale_steps / PATIENCE < limit;
}

bool jrs_worker_count(jrs_worker *worker, jrs_warp *warp, uint32_t steps, bool polled) {
    jrs_run *run = worker->run;
    uint64_t limit = run->launch->step_limit;
    if (worker->fresh) atomic_fetch_add_explicit(&run->activity->fresh, 1, memory_order_relaxed);
    warp->progress |= worker->fresh;
    worker->fresh = false;
    if (!polled) atomic_fetch_add_explicit(&run->activity->work, 1, memory_order_relaxed);
    if (limit && !count_stale(worker, steps, limit))
        return report(warp,
                      "%" PRIu64
                      " warp instructions touched no other memory and finished no block (if it only takes long, "
                      "raise JRSIM_STEP_LIMIT)",
                      worker->stale_steps);
    if (warp->progress) {
        atomic_fetch_add_explicit(&run->activity->progress, 1, memory_order_relaxed);
        worker->idle_steps = 0, worker->polling_since_ms = 0;
        return true;
    }
    uint64_t progress = atomic_load_explicit(&run->activity->progress, memory_order_relaxed);
    if (progress != worker->seen_progress) worker->idle_steps = 0, worker->polling_since_ms = 0;
    worker->seen_progress = progress;
    worker->idle_steps += steps;
    if (limit && worker->idle_steps >= limit)
        return report(warp, "%" PRIu64 " warp instructions changed no memory, passed no barrier and finished no block",
                      limit);
    if (limit && polled && polls_for_ever(worker))
        return report(warp, "everything that runs has polled for %d seconds, and nothing changed", POLLING_LIMIT_S);
    return true;
}

/* ---- standstill: who waits, for whom, and where that one is ---- */

enum { WHERE_BYTES = JRS_TEXT_BYTES + JRS_SOURCE_BYTES + 16 };

/* NULL: the lane has exited. */
static const jrs_group *group_of(const jrs_warp *warp, unsigned lane) {
    for (uint32_t k = 0; k < warp->group_count; k++)
        if (warp->groups[k].mask >> lane & 1) return &warp->groups[k];
    return NULL;
}

/* Where a lane is, in words. */
static void describe(const jrs_warp *warp, unsigned lane, char out[WHERE_BYTES]) {
    char text[JRS_TEXT_BYTES], source[JRS_SOURCE_BYTES];
    const jrs_group *group = group_of(warp, lane);
    snprintf(out, WHERE_BYTES, "has exited");
    if (!group) return;
    const jrs_instruction *at = &group->frame->function->code[group->pc];
    jrs_text_collapse(text, at->text ? at->text : "", at->text_bytes);
    snprintf(out, WHERE_BYTES, "waits at %s '%s'",
             jrs_source_line(warp->block->run->function->module, at->line, source), text);
}

static void explain_barrier(jrs_warp *warp, const jrs_group *group, const jrs_instruction *i) {
    const jrs_block *block = warp->block;
    const jrs_barrier *barrier = &block->barriers[group->barrier];
    char where[WHERE_BYTES];
    for (uint32_t thread = 0; thread < block->threads; thread++) {
        const jrs_warp *other = &block->warps[thread / JRS_LANES];
        uint32_t index[3];
        const jrs_group *its = group_of(other, thread % JRS_LANES);
        if (its ? its->state == JRS_AT_BARRIER && its->barrier == group->barrier : barrier->whole) continue;
        jrs_thread_index(other, thread % JRS_LANES, index);
        describe(other, thread % JRS_LANES, where);
        jrs_fault(warp, i, jrs_first(group->mask), JRS_FAULT_BARRIER,
                  "barrier %u has %u of %u threads: thread (%u,%u,%u) %s", group->barrier, barrier->arrived,
                  jrs_barrier_needed(block, barrier), index[0], index[1], index[2], where);
        return;
    }
    jrs_fault(warp, i, jrs_first(group->mask), JRS_FAULT_BARRIER, "barrier %u has %u of %u threads", group->barrier,
              barrier->arrived, jrs_barrier_needed(block, barrier));
}

/* A thread that has neither arrived nor exited. */
static bool find_missing(const jrs_cluster *cluster, const jrs_warp **warp, unsigned *lane) {
    for (uint32_t b = 0; b < cluster->count; b++) {
        for (uint32_t w = 0; w < cluster->blocks[b].warp_count; w++) {
            *warp = &cluster->blocks[b].warps[w];
            const uint32_t missing = (*warp)->live & ~(*warp)->arrived[cluster->phase & 1];
            if (!missing) continue;
            *lane = jrs_first(missing);
            return true;
        }
    }
    return false;
}

static void explain_cluster(const jrs_warp *warp, const jrs_group *group, const jrs_instruction *i) {
    const jrs_cluster *cluster = warp->block->cluster;
    const jrs_warp *other;
    char where[WHERE_BYTES] = "";
    uint32_t thread[3] = {0, 0, 0};
    unsigned lane;
    if (!find_missing(cluster, &other, &lane)) return;
    describe(other, lane, where);
    jrs_thread_index(other, lane, thread);
    jrs_fault(warp, i, jrs_first(group->mask), JRS_FAULT_BARRIER,
              "the cluster's barrier has %u of %u threads: thread (%u,%u,%u) of block (%u,%u,%u) %s", cluster->arrived,
              cluster->threads, thread[0], thread[1], thread[2], other->block->index[0], other->block->index[1],
              other->block->index[2], where);
}

static void explain_group(jrs_warp *warp, const jrs_group *group) {
    const jrs_instruction *i = &group->frame->function->code[group->pc];
    uint32_t missing = (group->state == JRS_AT_SYNC ? group->members : warp->initial) & warp->live & ~group->mask;
    char where[WHERE_BYTES];
    if (group->state == JRS_AT_CLUSTER) {
        explain_cluster(warp, group, i);
        return;
    }
    if (group->state == JRS_AT_BARRIER || !missing) {
        explain_barrier(warp, group, i);
        return;
    }
    describe(warp, jrs_first(missing), where);
    jrs_fault(warp, i, jrs_first(group->mask), group->state == JRS_AT_SYNC ? JRS_FAULT_MASK : JRS_FAULT_BARRIER,
              "lane %u of the warp %s", jrs_first(missing), where);
}

/* Reports of the first group in one of three states that hold each other up: inside a warp, in a block, in a cluster.
 */
static bool explain_first(jrs_cluster *cluster, unsigned pass) {
    for (uint32_t b = 0; b < cluster->count; b++) {
        for (uint32_t w = 0; w < cluster->blocks[b].warp_count; w++) {
            jrs_warp *warp = &cluster->blocks[b].warps[w];
            for (uint32_t k = 0; k < warp->group_count; k++) {
                const jrs_state state = warp->groups[k].state;
                if ((state == JRS_AT_CLUSTER ? 2u : state == JRS_AT_BARRIER ? 1u : 0u) != pass) continue;
                warp->group = &warp->groups[k];
                explain_group(warp, warp->group);
                return true;
            }
        }
    }
    return false;
}

void jrs_standstill_explain(jrs_cluster *cluster) {
    for (unsigned pass = 0; pass < 3; pass++)
        if (explain_first(cluster, pass)) return;
}
