/* Progress: when a kernel that waits or works for ever is stopped.
 *
 * Progress is a store that changes memory, a barrier passed, a page of global memory touched for the first time or a
 * warp ended. Without it, a worker stops the launch after step_limit warp instructions; and, since polling is slow
 * (each lane's access is checked), after POLLING_LIMIT_S seconds in which no worker did anything but poll. Seconds,
 * because what is polled may be mapped memory that the host writes. Only the last two kinds of progress have an end:
 * without them, who changes memory and passes barriers may do so for PATIENCE times as many instructions. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "fault.h"
#include "mbarrier.h"

enum { POLLING_LIMIT_S = 20, SLICES_PER_LOOK = 256, PATIENCE = 8 };

static bool report(jrs_warp *warp, const char *why) {
    jrs_group *group = warp->group ? warp->group : &warp->groups[0];
    warp->group = group;
    const jrs_instruction *i = &group->frame->function->code[group->pc];
    char awaited[160] = "";
    if (warp->awaited) jrs_mbarrier_describe(warp->block, warp->awaited - 1, awaited);
    jrs_fault(warp, i, jrs_first(group->mask), JRS_FAULT_NO_PROGRESS, "%s%s", why, awaited);
    return false;
}

static bool report_steps(jrs_warp *warp, uint64_t limit) {
    char why[160];
    snprintf(why, sizeof why,
             "%" PRIu64 " warp instructions changed no memory, passed no barrier and finished no block", limit);
    return report(warp, why);
}

static bool report_stale(jrs_warp *warp, uint64_t limit) {
    char why[160];
    snprintf(why, sizeof why,
             "%" PRIu64
             " warp instructions touched no other memory and finished no block (if it only takes long, raise "
             "JRSIM_STEP_LIMIT)",
             limit);
    return report(warp, why);
}

static bool report_polling(jrs_warp *warp) {
    char why[160];
    snprintf(why, sizeof why, "everything that runs has polled for %d seconds, and nothing changed", POLLING_LIMIT_S);
    return report(warp, why);
}

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* Whether nobody has done anything but poll for too long; looks at the clock now and then only. */
static bool polls_for_ever(jrs_worker *worker) {
    uint64_t work = atomic_load_explicit(&worker->run->work, memory_order_relaxed);
    if (work != worker->seen_work) worker->polling_since_ns = 0;
    worker->seen_work = work;
    if (++worker->polling_slices % SLICES_PER_LOOK) return false;
    uint64_t now = now_ns();
    if (!worker->polling_since_ns) worker->polling_since_ns = now;
    return now - worker->polling_since_ns > POLLING_LIMIT_S * UINT64_C(1000000000);
}

/* False: nothing but the same memory for too long. */
static bool count_stale(jrs_worker *worker, uint32_t steps, uint64_t limit) {
    uint64_t fresh = atomic_load_explicit(&worker->run->fresh, memory_order_relaxed);
    if (fresh != worker->seen_fresh) worker->stale_steps = 0;
    worker->seen_fresh = fresh;
    worker->stale_steps += steps;
    return worker->stale_steps / PATIENCE < limit;
}

bool jrs_worker_count(jrs_worker *worker, jrs_warp *warp, uint32_t steps, bool polled) {
    jrs_run *run = worker->run;
    uint64_t limit = run->launch->step_limit;
    if (worker->fresh) atomic_fetch_add_explicit(&run->fresh, 1, memory_order_relaxed);
    warp->progress |= worker->fresh;
    worker->fresh = false;
    if (!polled) atomic_fetch_add_explicit(&run->work, 1, memory_order_relaxed);
    if (limit && !count_stale(worker, steps, limit)) return report_stale(warp, worker->stale_steps);
    if (warp->progress) {
        atomic_fetch_add_explicit(&run->progress, 1, memory_order_relaxed);
        worker->idle_steps = worker->polling_since_ns = 0;
        return true;
    }
    uint64_t progress = atomic_load_explicit(&run->progress, memory_order_relaxed);
    if (progress != worker->seen_progress) worker->idle_steps = worker->polling_since_ns = 0;
    worker->seen_progress = progress;
    worker->idle_steps += steps;
    if (limit && worker->idle_steps >= limit) return report_steps(warp, limit);
    if (limit && polled && polls_for_ever(worker)) return report_polling(warp);
    return true;
}
