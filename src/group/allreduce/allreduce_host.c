/* All-reduces by the host: the states come to its memory, ranks exchange them, and each device merges them. */
#include "allreduce_steps.h"
#include "base/error.h"
#include "group/reduce/group_value.h"

static jr_status check(const jr_group *group, const jr_allreduce_options *options, bool of_segments) {
    (void)group;
    (void)options;
    (void)of_segments;
    return JR_OK;
}

/* The states lie in mapped memory, at one address for all devices: a later run's come there when this one's merges,
 * which are before it on the streams, have ended. */
static jr_status run_value(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    jr_cu_deviceptr states[JR_GROUP_DEVICES_MAX];
    uint64_t elements;
    status = jr_group_plan_collect(allreduce->plan, status, parts, &elements);
    for (size_t i = 0; i < JR_GROUP_DEVICES_MAX; i++) states[i] = allreduce->plan->states.address;
    return status == JR_OK ? jr_allreduce_merge(allreduce, states, elements, d_out) : status;
}

static jr_status fetch(const jr_allreduce *allreduce, size_t index) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    const uint64_t bytes = jr_allreduce_bytes(allreduce);
    JR_IN_DEVICE_TO_WAIT(device, allreduce->streams[index]);
    return jr_memory_download(device, allreduce->room.told + index * bytes, jr_allreduce_states(allreduce, index),
                              bytes, allreduce->streams[index]);
}

/* Waits for all devices that were started, whatever becomes of one. */
static jr_status fold(const jr_allreduce *allreduce, const jr_group_parts *parts) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = jr_allreduce_fold(allreduce, parts);
    for (size_t i = 0; i < plan->group->local_count; i++) {
        jr_error_saved *saved = status != JR_OK ? jr_error_save() : NULL;
        const jr_status fetched = fetch(allreduce, i);
        if (status == JR_OK)
            status = jr_group_plan_explain(plan, i, fetched);
        else
            jr_error_restore(saved);
    }
    return status;
}

/* All ranks' states, in the order of the devices. The exchange's memory is read when this returns. */
static jr_status spread(const jr_allreduce *allreduce, size_t index) {
    const jr_group *group = allreduce->plan->group;
    const jr_device *device = &group->contexts[index]->device;
    jr_cu_deviceptr to = allreduce->room.all[index];
    JR_IN_DEVICE(device);
    for (int rank = 0; rank < group->exchange.ranks; rank++) {
        const uint64_t bytes = group->counts[rank] * jr_allreduce_bytes(allreduce);
        JR_TRY(jr_memory_upload(device, to, jr_exchange_of(&group->exchange, rank), bytes, allreduce->streams[index]));
        to += bytes;
    }
    return jr_memory_wait(device, allreduce->streams[index]);
}

static jr_status run(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    const jr_group_plan *plan = allreduce->plan;
    jr_group *group = plan->group;
    uint64_t count;
    if (!allreduce->of_segments) return run_value(allreduce, status, parts, d_out);
    status = jr_allreduce_begin(allreduce, status, parts, &count);
    if (status != JR_OK || count == 0) return status;
    const jr_payload payload = {JR_STEP_STATES, allreduce->room.told,
                                group->most_count * jr_allreduce_bytes(allreduce)};
    status = jr_exchange_run(&group->exchange, fold(allreduce, parts), &payload);
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++)
        status = jr_group_plan_explain(plan, i, spread(allreduce, i));
    return status == JR_OK ? jr_allreduce_merge(allreduce, allreduce->room.all, count, d_out) : status;
}

const jr_allreduce_row jr_allreduce_by_host = {.way = JR_ALLREDUCE_HOST,
                                               .check = check,
                                               .prepare = jr_allreduce_make_merges,
                                               .run = run,
                                               .await = jr_allreduce_await_streams};
