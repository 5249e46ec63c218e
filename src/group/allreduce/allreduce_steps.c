/* The steps of an all-reduce: room for states, folds, and merges of what was gathered. */
#include "allreduce_steps.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"
#include "group/launchers.h"
#include "group/reduce/group_value.h"
#include "group/segments/group_segments.h"
#include "plan/make.h"

const jr_plan *jr_allreduce_results(const jr_allreduce *allreduce) {
    return allreduce->of_segments ? allreduce->merges[0] : allreduce->plan->merge;
}

/* ---- waiting ---- */

static jr_status await_device(void *user, size_t index) {
    const jr_allreduce *allreduce = user;
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    JR_INSIDE inside = jr_inside_to_wait(device, allreduce->streams[index]);
    const jr_status status = inside.status == JR_OK ? jr_memory_wait(device, allreduce->streams[index]) : inside.status;
    return jr_group_plan_explain(allreduce->plan, index, status);
}

/* A launcher that is awake waits for its device: each wait takes the host some microseconds. */
jr_status jr_allreduce_await_streams(jr_allreduce *allreduce) {
    return jr_launchers_run(allreduce->plan->group, allreduce->streams, await_device, allreduce);
}

/* ---- room ---- */

/* Of the states of a device; and from there to those of the next run, which are aligned to 16. */
static uint64_t row_bytes(const jr_allreduce *allreduce, uint64_t count) {
    return count * allreduce->plan->state_bytes;
}

static uint64_t own_bytes(const jr_allreduce *allreduce, uint64_t count) {
    return jr_divide_up(row_bytes(allreduce, count), JR_RESULT_STRIDE) * JR_RESULT_STRIDE;
}

uint64_t jr_allreduce_bytes(const jr_allreduce *allreduce) {
    return row_bytes(allreduce, allreduce->room.count);
}

jr_cu_deviceptr jr_allreduce_states(const jr_allreduce *allreduce, size_t index) {
    const jr_allreduce_room *room = &allreduce->room;
    return room->own[index] + room->runs % 2 * own_bytes(allreduce, room->count);
}

/* What meets is pushed to each other device, with a mark for each word: much of it is merged in shares instead. */
uint64_t jr_allreduce_share(const jr_allreduce *allreduce, uint64_t count) {
    enum { GRANULE = 256 };
    const jr_device_info *device = &allreduce->plan->group->contexts[0]->device.info;
    const uint64_t devices = allreduce->plan->group->size;
    const uint64_t pushed = 2 * (devices > 1 ? devices - 1 : 1) * count * allreduce->plan->state_bytes;
    const bool shared = allreduce->row->way == JR_ALLREDUCE_PEERS && count >= devices * GRANULE &&
                        pushed > jr_tuned_number_of(device, JR_NUMBER_PUSHED_BYTES);
    return shared ? jr_divide_up(jr_divide_up(count, devices), GRANULE) * GRANULE : 0;
}

bool jr_allreduce_meets(const jr_allreduce *allreduce, uint64_t count) {
    return allreduce->row->way == JR_ALLREDUCE_PEERS && jr_allreduce_share(allreduce, count) == 0;
}

jr_cu_deviceptr jr_allreduce_merged(const jr_allreduce *allreduce, size_t index) {
    return allreduce->room.own[index] + 2 * own_bytes(allreduce, allreduce->room.count);
}

void jr_allreduce_free_room(jr_allreduce *allreduce) {
    jr_allreduce_room *room = &allreduce->room;
    for (size_t i = 0; i < allreduce->plan->group->local_count; i++) {
        const jr_device *device = &allreduce->plan->group->contexts[i]->device;
        JR_INSIDE inside = jr_inside_device(device);
        if (inside.status != JR_OK) continue;
        if (room->own[i] != 0) device->driver.cuMemFree_v2(room->own[i]);
        jr_memory_release(device, room->all[i], NULL);
        jr_memory_release(device, room->workspace[i], NULL);
        room->own[i] = room->all[i] = room->workspace[i] = 0;
    }
    jr_meeting_close(&allreduce->meeting);
    allreduce->meeting = (jr_meeting){0};
    free(room->told);
    room->told = NULL;
    room->count = 0;
}

/* What peers read is the driver's own memory: what a caller's allocator gives need not be there for them. */
static jr_status allocate_own(const jr_device *device, uint64_t bytes, jr_cu_deviceptr *address) {
    jr_cu_deviceptr made = 0;
    JR_IN_DEVICE(device);
    const jr_cu_result result = device->driver.cuMemAlloc_v2(&made, (size_t)bytes);
    if (result == JR_CUDA_SUCCESS) *address = made;
    return jr_driver_check(&device->driver, result, "allocating %llu bytes of device memory for states",
                           (unsigned long long)bytes);
}

/* The plans of a value's parts have a workspace. */
static jr_status allocate(jr_allreduce *allreduce, size_t index, uint64_t count) {
    const jr_group_plan *plan = allreduce->plan;
    const jr_device *device = &plan->group->contexts[index]->device;
    jr_allreduce_room *room = &allreduce->room;
    const bool shared = jr_allreduce_share(allreduce, count) > 0, gathered = allreduce->row->way != JR_ALLREDUCE_PEERS;
    const uint64_t merged_bytes = shared ? count * jr_plan_result_stride(allreduce->merges[index]) : 0,
                   all_bytes = gathered ? plan->group->size * row_bytes(allreduce, count) : 0,
                   workspace_bytes = allreduce->of_segments ? jr_plan_workspace(plan->parts[index]) : 0;
    jr_status status = allocate_own(device, 2 * own_bytes(allreduce, count) + merged_bytes, &room->own[index]);
    if (status == JR_OK)
        status =
            jr_group_segments_allocate(device, all_bytes, &room->all[index], workspace_bytes, &room->workspace[index]);
    return jr_group_plan_explain(plan, index, status);
}

/* Exchange by the host: allocates the buffer that this rank sends to the others. */
static jr_status allocate_told(jr_allreduce *allreduce, uint64_t count) {
    jr_group *group = allreduce->plan->group;
    const size_t bytes = group->most_count * row_bytes(allreduce, count);
    allreduce->room.told = malloc(bytes);
    if (allreduce->room.told == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the states of %llu segments", (unsigned long long)count);
    return jr_exchange_reserve(&group->exchange, bytes);
}

/* By peers: slots for the states that meet. */
static jr_status open_meeting(jr_allreduce *allreduce, uint64_t count) {
    allreduce->meeting.limit_ms = allreduce->limit_ms;
    return jr_meeting_open(allreduce->plan->group, count * JR_SLOT_BYTES(allreduce->plan->state_bytes),
                           &allreduce->meeting);
}

jr_status jr_allreduce_make_room(jr_allreduce *allreduce, uint64_t count) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = JR_OK;
    if (count == allreduce->room.count) return JR_OK;
    if (count > SIZE_MAX / 8 / plan->group->size /
                    (plan->state_bytes + jr_plan_result_stride(jr_allreduce_results(allreduce)) + JR_RESULT_STRIDE))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: their states are beyond the address space",
                       (unsigned long long)count);
    if (allreduce->room.count > 0) status = jr_allreduce_await_streams(allreduce);
    if (status != JR_OK) return status;
    jr_allreduce_free_room(allreduce);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) status = allocate(allreduce, i, count);
    if (status == JR_OK && allreduce->row->way == JR_ALLREDUCE_HOST) status = allocate_told(allreduce, count);
    if (status == JR_OK && jr_allreduce_meets(allreduce, count)) status = open_meeting(allreduce, count);
    if (status == JR_OK) allreduce->room.count = count;
    return status;
}

/* ---- the run ---- */

/* Of segments all ranks have room for so many. */
jr_status jr_allreduce_begin(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, uint64_t *count) {
    jr_group_plan *plan = allreduce->plan;
    if (!allreduce->of_segments) {
        JR_TRY(jr_group_plan_place(plan, status, parts, count));
        return *count > 0 ? JR_OK : jr_reduction_check_empty(plan->merge->reduction);
    }
    if (status == JR_OK) status = jr_group_segments_check(plan, parts);
    if (status == JR_OK && parts->counts[0] > 0) status = jr_allreduce_make_room(allreduce, parts->counts[0]);
    *count = status == JR_OK ? parts->counts[0] : 0;
    return jr_group_segments_agree(plan, status, *count);
}

jr_status jr_allreduce_fold_one(const jr_allreduce *allreduce, const jr_group_parts *parts, size_t index) {
    const jr_group_plan *plan = allreduce->plan;
    const jr_cu_deviceptr states = jr_allreduce_states(allreduce, index);
    if (allreduce->of_segments)
        return jr_group_segments_fold(plan, parts, index, states, allreduce->room.workspace[index]);
    jr_run run = jr_group_plan_run_of(plan, parts, index);
    run.out = states;
    return jr_group_plan_explain(plan, index, jr_plan_start(plan->parts[index], &run));
}

/* What the launches of a run have in common. */
typedef struct fold_call {
    const jr_allreduce *allreduce;
    const jr_group_parts *parts;
} fold_call;

static jr_status fold_one(void *user, size_t index) {
    const fold_call *call = user;
    return jr_allreduce_fold_one(call->allreduce, call->parts, index);
}

/* A value's run may be captured. */
jr_status jr_allreduce_fold(const jr_allreduce *allreduce, const jr_group_parts *parts) {
    fold_call call = {allreduce, parts};
    jr_group *group = allreduce->plan->group;
    return allreduce->of_segments ? jr_launchers_run(group, allreduce->streams, fold_one, &call)
                                  : jr_launchers_in_turn(group, fold_one, &call);
}

jr_status jr_allreduce_make_merges(jr_allreduce *allreduce, const jr_spec *spec) {
    const jr_group *group = allreduce->plan->group;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) {
        jr_job job = {.context = group->contexts[i],
                      .kind = JR_JOB_MERGE,
                      .layout = allreduce->plan->merge->layout,
                      .to_all = allreduce->row->way == JR_ALLREDUCE_PEERS};
        status = jr_make_of_spec(spec, &job, &allreduce->merges[i]);
    }
    return status;
}

jr_status jr_allreduce_merge(const jr_allreduce *allreduce, const jr_cu_deviceptr *states, uint64_t count,
                             void *const *d_out) {
    const jr_group *group = allreduce->plan->group;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) {
        const jr_run run = {.in = {states[i]},
                            .merge.states = group->size,
                            .count = count,
                            .out = jr_cu_address(d_out[i]),
                            .stream = allreduce->streams[i]};
        status = jr_group_plan_explain(allreduce->plan, i, jr_plan_start(allreduce->merges[i], &run));
    }
    return status;
}
