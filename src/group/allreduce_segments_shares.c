/* All-reduces of many segments by peers, in two steps: each device copies its share of the states from all others and
 * merges it, and then copies the results of the other shares. Of k devices each takes 2 (k - 1) / k of the bytes of an
 * array, not k - 1 times as many, and merges a k-th of it (Thakur, Rabenseifner, Gropp: Optimization of collective
 * communication operations in MPICH, 2005: reduce-scatter and all-gather).
 *
 * A run overwrites states and results of shares that others have copied: each device has waited for all others' results
 * of the run before, which they made behind their copies of states, and waits for their states of this run, which they
 * made behind their copies of results. */
#include "allreduce_segments.h"
#include "base/error.h"

/* The segments of a device. */
typedef struct share {
    uint64_t first, count;
} share;

static share share_of(const jr_allreduce *allreduce, size_t index) {
    const uint64_t count = allreduce->room.count, each = jr_allreduce_segments_share(allreduce, count),
                   first = index * each < count ? index * each : count;
    return (share){first, count - first < each ? count - first : each};
}

static jr_status wait_for(const jr_allreduce *allreduce, size_t to, size_t from, jr_cu_event event) {
    const jr_driver *driver = &allreduce->plan->group->contexts[to]->device.driver;
    if (from == to) return JR_OK;
    return jr_driver_check(driver, driver->cuStreamWaitEvent(allreduce->streams[to], event, 0),
                           "waiting for device %zu of the group", from);
}

/* ---- states ---- */

/* From all devices, also those whose states a device of no segments does not need: it must not run ahead of them. */
static jr_status collect_states(const jr_allreduce *allreduce, size_t to) {
    const jr_group_plan *plan = allreduce->plan;
    const jr_driver *driver = &plan->group->contexts[to]->device.driver;
    const share own = share_of(allreduce, to);
    const uint64_t bytes = own.count * plan->state_bytes;
    jr_status status = JR_OK;
    for (size_t from = 0; status == JR_OK && from < plan->group->size; from++) {
        status = wait_for(allreduce, to, from, allreduce->room.folded[from]);
        if (status != JR_OK || bytes == 0) continue;
        const jr_cu_deviceptr source = jr_allreduce_segments_states(allreduce, from) + own.first * plan->state_bytes;
        const jr_cu_result result =
            jr_allreduce_segments_copy(allreduce, to, allreduce->room.all[to] + from * bytes, from, source, bytes);
        status = jr_driver_check(driver, result, "copying the states of device %zu of the group", from);
    }
    return status;
}

/* NOLINTBEGIN(performance-no-int-to-ptr) */
static jr_status merge(const jr_allreduce *allreduce, size_t index) {
    const share own = share_of(allreduce, index);
    const jr_run run = {.in = {(const void *)(uintptr_t)allreduce->room.all[index]},
                        .states = allreduce->plan->group->size,
                        .count = own.count,
                        .out = (void *)(uintptr_t)jr_allreduce_segments_merged(allreduce, index),
                        .stream = allreduce->streams[index]};
    return own.count > 0 ? jr_plan_start(allreduce->merges[index], &run) : JR_OK;
}
/* NOLINTEND(performance-no-int-to-ptr) */

static jr_status merge_share(const jr_allreduce *allreduce, size_t index) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    bool pushed;
    jr_status status = jr_device_enter(device, &pushed);
    if (status == JR_OK) {
        status = collect_states(allreduce, index);
        if (status == JR_OK) status = merge(allreduce, index);
        jr_device_leave(device, pushed);
    }
    status = jr_group_plan_explain(allreduce->plan, index, status);
    return status == JR_OK ? jr_allreduce_segments_record(allreduce, index, allreduce->room.merged[index]) : status;
}

/* ---- results ---- */

static jr_status collect_results(const jr_allreduce *allreduce, size_t to, void *d_out) {
    const jr_group_plan *plan = allreduce->plan;
    const jr_driver *driver = &plan->group->contexts[to]->device.driver;
    const uint64_t stride = jr_plan_result_stride(allreduce->merges[to]);
    jr_status status = JR_OK;
    for (size_t from = 0; status == JR_OK && from < plan->group->size; from++) {
        const share part = share_of(allreduce, from);
        status = wait_for(allreduce, to, from, allreduce->room.merged[from]);
        if (status != JR_OK || part.count == 0) continue;
        const jr_cu_result result =
            jr_allreduce_segments_copy(allreduce, to, (jr_cu_deviceptr)(uintptr_t)d_out + part.first * stride, from,
                                       jr_allreduce_segments_merged(allreduce, from), part.count * stride);
        status = jr_driver_check(driver, result, "copying the results of device %zu of the group", from);
    }
    return status;
}

static jr_status take_results(const jr_allreduce *allreduce, size_t index, void *d_out) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    bool pushed;
    jr_status status = jr_device_enter(device, &pushed);
    if (status == JR_OK) {
        status = collect_results(allreduce, index, d_out);
        jr_device_leave(device, pushed);
    }
    return jr_group_plan_explain(allreduce->plan, index, status);
}

jr_status jr_allreduce_segments_merge_shares(const jr_allreduce *allreduce, void *const *d_out) {
    const size_t devices = allreduce->plan->group->size;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < devices; i++) status = merge_share(allreduce, i);
    for (size_t i = 0; status == JR_OK && i < devices; i++) status = take_results(allreduce, i, d_out[i]);
    return status;
}
