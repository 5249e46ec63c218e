/* All-reduces of many segments by peers, in two steps: each device merges its share of the segments, whose states it
 * loads from the memory of all devices, and leaves the results on all of them, which then copy them to their places. Of
 * k devices each takes 2 (k - 1) / k of the bytes of an array from others, not k - 1 times as many, and merges a k-th
 * of it (Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH, 2005:
 * reduce-scatter and all-gather).
 *
 * A run overwrites states that others have loaded, and results that others have left: each device has waited for all
 * others' merges of the run before, and waits for their states of this run, which they made behind their copies of
 * results. */
#include "abi.h"
#include "allreduce_segments.h"
#include "base/error.h"
#include "group/launchers.h"

/* The segments of a device. */
typedef struct share {
    uint64_t first, count;
} share;

static share share_of(const jr_allreduce *allreduce, size_t index) {
    const uint64_t count = allreduce->room.count, each = jr_allreduce_segments_share(allreduce, count),
                   first = index * each < count ? index * each : count;
    return (share){first, count - first < each ? count - first : each};
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

static jr_status merge(const jr_allreduce *allreduce, size_t index) {
    const share own = share_of(allreduce, index);
    jr_reach reach = {.count = allreduce->plan->group->size};
    for (size_t i = 0; i < reach.count; i++) {
        reach.states[i] = jr_allreduce_segments_states(allreduce, i);
        reach.out[i] = jr_allreduce_segments_merged(allreduce, i);
    }
    const jr_run run = {.first = own.first,
                        .count = own.count,
                        .reach = &reach,
                        .out = (void *)(uintptr_t)reach.out[index],
                        .stream = allreduce->streams[index]};
    return own.count > 0 ? jr_plan_start(allreduce->meets[index], &run) : JR_OK;
}

static jr_status merge_share(void *user, size_t index) {
    const jr_allreduce *allreduce = *(const jr_allreduce **)user;
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    JR_INSIDE inside = jr_inside_device(device);
    jr_status status = inside.status;
    if (status == JR_OK) status = wait_for_others(allreduce, index, allreduce->room.folded);
    if (status == JR_OK) status = merge(allreduce, index);
    status = jr_group_plan_explain(allreduce->plan, index, status);
    return status == JR_OK ? jr_allreduce_segments_record(allreduce, index, allreduce->room.merged[index]) : status;
}

/* ---- results ---- */

static jr_status take_results(const jr_allreduce *allreduce, size_t index, void *d_out) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    const uint64_t bytes = allreduce->room.count * jr_plan_result_stride(allreduce->merges[index]);
    JR_INSIDE inside = jr_inside_device(device);
    jr_status status = inside.status;
    if (status == JR_OK) status = wait_for_others(allreduce, index, allreduce->room.merged);
    if (status == JR_OK)
        status = jr_memory_copy(device, (jr_cu_deviceptr)(uintptr_t)d_out,
                                jr_allreduce_segments_merged(allreduce, index), bytes, allreduce->streams[index]);
    return jr_group_plan_explain(allreduce->plan, index, status);
}

jr_status jr_allreduce_segments_merge_shares(const jr_allreduce *allreduce, void *const *d_out) {
    jr_group *group = allreduce->plan->group;
    jr_status status = jr_launchers_run(group, allreduce->streams, merge_share, &allreduce);
    for (size_t i = 0; status == JR_OK && i < group->size; i++) status = take_results(allreduce, i, d_out[i]);
    return status;
}
