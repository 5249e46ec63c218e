/* All-reduces of segments by peers that pull: each device merges its share of the segments, whose states it loads from
 * the memory of all devices, and writes the results to all devices, which then copy them to the caller's arrays. With k
 * devices each reads 2 (k - 1) / k of an array's bytes from others instead of k - 1 times as many, and merges a k-th of
 * it (Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005: reduce-scatter
 * and all-gather).
 *
 * A run overwrites states that others have loaded, and results that others have written. That is safe: each
 * device has waited for all others' merges of the run before, and waits for their states of this run, which they made
 * after their copies of results. */
#include "allreduce_pull.h"

#include "abi.h"
#include "base/error.h"
#include "base/whole.h"
#include "group/launchers.h"

/* ---- events ---- */

static jr_status make_event(const jr_group *group, size_t index, jr_cu_event *event) {
    enum { DISABLE_TIMING = 2 };
    const jr_device *device = &group->contexts[index]->device;
    jr_cu_event made = NULL;
    JR_IN_DEVICE(device);
    const jr_cu_result result = device->driver.cuEventCreate(&made, DISABLE_TIMING);
    if (result == JR_CUDA_SUCCESS) *event = made;
    return jr_driver_check(&device->driver, result, "making an event");
}

jr_status jr_allreduce_make_events(jr_allreduce *allreduce) {
    const jr_group *group = allreduce->plan->group;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) {
        status = make_event(group, i, &allreduce->folded[i]);
        if (status == JR_OK) status = make_event(group, i, &allreduce->merged[i]);
        status = jr_group_plan_explain(allreduce->plan, i, status);
    }
    return status;
}

void jr_allreduce_free_events(jr_allreduce *allreduce) {
    for (size_t i = 0; i < allreduce->plan->group->local_count; i++) {
        const jr_device *device = &allreduce->plan->group->contexts[i]->device;
        if (allreduce->folded[i] == NULL) continue;
        JR_INSIDE inside = jr_inside_device(device);
        if (inside.status != JR_OK) continue;
        device->driver.cuEventDestroy_v2(allreduce->folded[i]);
        if (allreduce->merged[i] != NULL) device->driver.cuEventDestroy_v2(allreduce->merged[i]);
    }
}

/* On a device's stream. */
static jr_status record(const jr_allreduce *allreduce, size_t index, jr_cu_event event) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    JR_INSIDE inside = jr_inside_device(device);
    jr_status status = inside.status;
    if (status == JR_OK)
        status = jr_driver_check(&device->driver, device->driver.cuEventRecord(event, allreduce->streams[index]),
                                 "recording an event");
    return jr_group_plan_explain(allreduce->plan, index, status);
}

/* Until all others have come to their events: also where a device has no segments, so that none runs ahead. The context
 * is current. */
static jr_status wait_for_others(const jr_allreduce *allreduce, size_t index, const jr_cu_event *events) {
    const jr_driver *driver = &allreduce->plan->group->contexts[index]->device.driver;
    jr_status status = JR_OK;
    for (size_t other = 0; status == JR_OK && other < allreduce->plan->group->size; other++)
        if (other != index)
            status = jr_driver_check(driver, driver->cuStreamWaitEvent(allreduce->streams[index], events[other], 0),
                                     "waiting for device %zu of the group", other);
    return status;
}

/* ---- a device's share ---- */

/* The segments of a device. */
typedef struct share {
    uint64_t first, count;
} share;

static share share_of(const jr_allreduce *allreduce, size_t index) {
    const uint64_t count = allreduce->room.count, each = jr_allreduce_share(allreduce, count),
                   first = index * each < count ? index * each : count;
    return (share){first, count - first < each ? count - first : each};
}

static jr_status merge_own(const jr_allreduce *allreduce, size_t index) {
    const share own = share_of(allreduce, index);
    jr_reach reach = {.count = allreduce->plan->group->size};
    for (size_t i = 0; i < reach.count; i++) {
        reach.states[i] = jr_allreduce_states(allreduce, i);
        reach.out[i] = jr_allreduce_merged(allreduce, i);
    }
    const jr_run run = {.first = own.first,
                        .count = own.count,
                        .merge.reach = &reach,
                        .out = reach.out[index],
                        .stream = allreduce->streams[index]};
    return own.count > 0 ? jr_plan_start(allreduce->merges[index], &run) : JR_OK;
}

static jr_status merge_share(void *user, size_t index) {
    const jr_allreduce *allreduce = *(const jr_allreduce **)user;
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    JR_INSIDE inside = jr_inside_device(device);
    jr_status status = inside.status;
    if (status == JR_OK) status = wait_for_others(allreduce, index, allreduce->folded);
    if (status == JR_OK) status = merge_own(allreduce, index);
    status = jr_group_plan_explain(allreduce->plan, index, status);
    return status == JR_OK ? record(allreduce, index, allreduce->merged[index]) : status;
}

/* ---- results ---- */

static jr_status take_results(const jr_allreduce *allreduce, size_t index, void *d_out) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    const uint64_t bytes = allreduce->room.count * jr_plan_result_stride(allreduce->merges[index]);
    JR_INSIDE inside = jr_inside_device(device);
    jr_status status = inside.status;
    if (status == JR_OK) status = wait_for_others(allreduce, index, allreduce->merged);
    if (status == JR_OK)
        status = jr_memory_copy(device, jr_cu_address(d_out), jr_allreduce_merged(allreduce, index), bytes,
                                allreduce->streams[index]);
    return jr_group_plan_explain(allreduce->plan, index, status);
}

jr_status jr_allreduce_run_pulling(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out) {
    jr_group *group = allreduce->plan->group;
    jr_status status = jr_allreduce_fold(allreduce, parts);
    for (size_t i = 0; status == JR_OK && i < group->size; i++) status = record(allreduce, i, allreduce->folded[i]);
    if (status == JR_OK) status = jr_launchers_run(group, allreduce->streams, merge_share, &allreduce);
    for (size_t i = 0; status == JR_OK && i < group->size; i++) status = take_results(allreduce, i, d_out[i]);
    return status;
}
