/* Progress: when a kernel that waits or works for ever is stopped. Kernels that run at the same time, on several
 * devices, may wait for each other: the progress of one is progress of all.
 *
 * Progress is a store that changes memory, a barrier passed, a page of global memory touched for the first time or a
 * warp ended. Without it, a worker stops the launch after step_limit warp instructions; and, since polling is slow
 * (each lane's access is checked), after POLLING_LIMIT_S seconds in which no worker did anything but poll. Seconds,
 * because what is polled may be mapped memory that the host writes. Only the last two kinds of progress have an end:
 * without them, who changes memory and passes barriers may do so for PATIENCE times as many instructions. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "schedule.h"
#include "sim/exec/fault.h"
#include "sim/exec/judge/mbarrier.h"

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
    const double now = jr_clock_ms();
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
