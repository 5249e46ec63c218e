/* All-reduces of segments by peers: the states meet in slots of all devices (allreduce_segments_met.c); of many, each
 * device copies its share of them from the memory of all others and merges it (allreduce_segments_shares.c). Where they
 * cannot do either, each copies all of them. */
#include "allreduce_segments.h"
#include "base/error.h"

static jr_status check_peers(const jr_group *group, const jr_allreduce_options *options) {
    if (group->contexts[0]->device.driver.cuMemcpyPeerAsync == NULL)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "the driver has no cuMemcpyPeerAsync");
    return jr_allreduce_by_peers.check(group, options);
}

static jr_status make_event(const jr_group *group, size_t index, jr_cu_event *event) {
    enum { DISABLE_TIMING = 2 };
    const jr_device *device = &group->contexts[index]->device;
    jr_cu_event made = NULL;
    JR_IN_DEVICE(device);
    const jr_cu_result result = device->driver.cuEventCreate(&made, DISABLE_TIMING);
    if (result == JR_CUDA_SUCCESS) *event = made;
    return jr_driver_check(&device->driver, result, "making an event");
}

static jr_status prepare_peers(jr_allreduce *allreduce, const jr_spec *spec) {
    const jr_group *group = allreduce->plan->group;
    jr_status status = jr_allreduce_make_merges(allreduce, spec);
    if (status == JR_OK) status = jr_allreduce_segments_prepare_met(allreduce, spec);
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++)
        status = jr_group_plan_explain(allreduce->plan, i, make_event(group, i, &allreduce->room.folded[i]));
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++)
        status = jr_group_plan_explain(allreduce->plan, i, make_event(group, i, &allreduce->room.merged[i]));
    return status;
}

/* The context of device `to` is current. */
static jr_cu_result copy_row(const jr_allreduce *allreduce, size_t from, size_t to) {
    const jr_allreduce_room *room = &allreduce->room;
    const jr_driver *driver = &allreduce->plan->group->contexts[to]->device.driver;
    const uint64_t bytes = jr_allreduce_segments_bytes(allreduce);
    const jr_cu_result result =
        from != to ? driver->cuStreamWaitEvent(allreduce->streams[to], room->folded[from], 0) : JR_CUDA_SUCCESS;
    if (result != JR_CUDA_SUCCESS) return result;
    return jr_allreduce_segments_copy(allreduce, to, room->all[to] + from * bytes, from,
                                      jr_allreduce_segments_states(allreduce, from), bytes);
}

static jr_status collect(const jr_allreduce *allreduce, size_t index) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    JR_IN_DEVICE(device);
    jr_status status = JR_OK;
    for (size_t from = 0; status == JR_OK && from < allreduce->plan->group->size; from++)
        status = jr_driver_check(&device->driver, copy_row(allreduce, from, index),
                                 "copying the states of device %zu of the group", from);
    return status;
}

/* Where states met, has one waited in vain? */
static jr_status look(const jr_allreduce *allreduce) {
    return allreduce->meeting.words.host != NULL ? jr_meeting_look(&allreduce->meeting) : JR_OK;
}

static jr_status await(jr_allreduce *allreduce) {
    JR_TRY(jr_allreduce_await_streams(allreduce));
    return look(allreduce);
}

/* A run folds into other memory than the one before it. Before a device folds into the same again, it has waited for
 * what all others did behind their copies of it: it needs not be told of those. */
static jr_status run_by_peers(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts,
                              void *const *d_out) {
    const jr_group_plan *plan = allreduce->plan;
    if (status == JR_OK) status = look(allreduce);
    status = jr_allreduce_segments_begin(allreduce, status, parts);
    if (status != JR_OK || parts->counts[0] == 0) return status;
    allreduce->room.runs++;
    if (jr_allreduce_segments_meets(allreduce, parts->counts[0]))
        return jr_allreduce_segments_run_met(allreduce, parts, d_out);
    status = jr_allreduce_segments_fold(allreduce, parts);
    for (size_t i = 0; status == JR_OK && i < plan->group->size; i++)
        status = jr_allreduce_segments_record(allreduce, i, allreduce->room.folded[i]);
    if (status == JR_OK && jr_allreduce_segments_share(allreduce, parts->counts[0]) > 0)
        return jr_allreduce_segments_merge_shares(allreduce, d_out);
    for (size_t i = 0; status == JR_OK && i < plan->group->size; i++) {
        status = jr_group_plan_explain(plan, i, collect(allreduce, i));
        if (status == JR_OK) status = jr_allreduce_segments_merge(allreduce, i, d_out);
    }
    return status;
}

const jr_allreduce_row jr_allreduce_segments_by_peers = {.way = JR_ALLREDUCE_PEERS,
                                                         .check = check_peers,
                                                         .prepare = prepare_peers,
                                                         .run = run_by_peers,
                                                         .await = await,
                                                         .release = jr_allreduce_segments_free};
