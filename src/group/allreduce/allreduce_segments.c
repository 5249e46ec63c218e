/* Makes the room of all-reduces of segments, folds and merges. */
#include "allreduce_segments.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/whole.h"
#include "group/launchers.h"
#include "group/segments/group_segments.h"

/* ---- room ---- */

/* Of the states of a device; and from there to those of the next run, which are aligned to 16. */
static uint64_t row_bytes(const jr_allreduce *allreduce, uint64_t count) {
    return count * allreduce->plan->state_bytes;
}

static uint64_t own_bytes(const jr_allreduce *allreduce, uint64_t count) {
    return jr_divide_up(row_bytes(allreduce, count), JR_RESULT_STRIDE) * JR_RESULT_STRIDE;
}

uint64_t jr_allreduce_segments_bytes(const jr_allreduce *allreduce) {
    return row_bytes(allreduce, allreduce->room.count);
}

jr_cu_deviceptr jr_allreduce_segments_states(const jr_allreduce *allreduce, size_t index) {
    const jr_allreduce_room *room = &allreduce->room;
    return room->own[index] + room->runs % 2 * own_bytes(allreduce, room->count);
}

/* What meets is pushed to each other device, with a mark for each word: calls of two H100s one behind the other took 42
 * us for 4 MiB of states, 83 for 8 and 167 for 16; with shares 47 and, of 16, 85. With each device more that is pushed
 * as often, which is not measured. */
uint64_t jr_allreduce_segments_share(const jr_allreduce *allreduce, uint64_t count) {
    enum { PUSHED_MOST = 1 << 23, GRANULE = 256 };
    const uint64_t devices = allreduce->plan->group->size;
    const bool shared = allreduce->row->way == JR_ALLREDUCE_PEERS && devices > 1 && devices <= JR_REACH_MAX &&
                        count >= devices * GRANULE && 2 * (devices - 1) * row_bytes(allreduce, count) > PUSHED_MOST;
    return shared ? jr_divide_up(jr_divide_up(count, devices), GRANULE) * GRANULE : 0;
}

bool jr_allreduce_segments_meets(const jr_allreduce *allreduce, uint64_t count) {
    const size_t devices = allreduce->plan->group->size;
    return allreduce->row->way == JR_ALLREDUCE_PEERS && devices > 1 && devices <= JR_REACH_MAX &&
           jr_allreduce_segments_share(allreduce, count) == 0;
}

jr_cu_deviceptr jr_allreduce_segments_merged(const jr_allreduce *allreduce, size_t index) {
    return allreduce->room.own[index] + 2 * own_bytes(allreduce, allreduce->room.count);
}

static void free_room(jr_allreduce *allreduce) {
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
    return jr_driver_check(&device->driver, result, "allocating %llu bytes of device memory for states of segments",
                           (unsigned long long)bytes);
}

static jr_status allocate(jr_allreduce *allreduce, size_t index, uint64_t count) {
    const jr_group_plan *plan = allreduce->plan;
    const jr_device *device = &plan->group->contexts[index]->device;
    jr_allreduce_room *room = &allreduce->room;
    const bool shared = jr_allreduce_segments_share(allreduce, count) > 0,
               gathers = !shared && !jr_allreduce_segments_meets(allreduce, count);
    const uint64_t merged_bytes = shared ? count * jr_plan_result_stride(allreduce->merges[index]) : 0,
                   all_bytes = gathers ? plan->group->size * row_bytes(allreduce, count) : 0;
    jr_status status = allocate_own(device, 2 * own_bytes(allreduce, count) + merged_bytes, &room->own[index]);
    if (status == JR_OK)
        status = jr_group_segments_allocate(device, all_bytes, &room->all[index], jr_plan_workspace(plan->parts[index]),
                                            &room->workspace[index]);
    return jr_group_plan_explain(plan, index, status);
}

/* By the host: for what this rank tells the others. */
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

/* A new count waits for the last run, which may look at what there is. */
static jr_status make_room(jr_allreduce *allreduce, uint64_t count) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = JR_OK;
    if (count == allreduce->room.count) return JR_OK;
    if (count > SIZE_MAX / 8 / plan->group->size /
                    (plan->state_bytes + jr_plan_result_stride(jr_allreduce_results(allreduce)) + JR_RESULT_STRIDE))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: their states are beyond the address space",
                       (unsigned long long)count);
    if (allreduce->room.count > 0) status = jr_allreduce_await_streams(allreduce);
    if (status != JR_OK) return status;
    free_room(allreduce);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) status = allocate(allreduce, i, count);
    if (status == JR_OK && allreduce->row->way == JR_ALLREDUCE_HOST) status = allocate_told(allreduce, count);
    if (status == JR_OK && jr_allreduce_segments_meets(allreduce, count)) status = open_meeting(allreduce, count);
    if (status == JR_OK) allreduce->room.count = count;
    return status;
}

/* ---- what all ways have in common ---- */

/* All ranks have room for so many segments. */
jr_status jr_allreduce_segments_begin(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts) {
    jr_group_plan *plan = allreduce->plan;
    if (status == JR_OK) status = jr_group_segments_check(plan, parts);
    if (status == JR_OK && parts->counts[0] > 0) status = make_room(allreduce, parts->counts[0]);
    const uint64_t count = status == JR_OK ? parts->counts[0] : 0;
    return jr_group_segments_agree(plan, status, count);
}

/* What the launches of a run have in common. */
typedef struct fold_call {
    const jr_allreduce *allreduce;
    const jr_group_parts *parts;
} fold_call;

static jr_status fold_one(void *user, size_t index) {
    const fold_call *call = user;
    return jr_group_segments_fold(call->allreduce->plan, call->parts, index,
                                  jr_allreduce_segments_states(call->allreduce, index),
                                  call->allreduce->room.workspace[index]);
}

jr_status jr_allreduce_segments_fold(const jr_allreduce *allreduce, const jr_group_parts *parts) {
    return jr_launchers_run(allreduce->plan->group, allreduce->streams, fold_one, &(fold_call){allreduce, parts});
}

jr_status jr_allreduce_segments_merge(const jr_allreduce *allreduce, size_t index, void *const *d_out) {
    const jr_run run = {.in = {(const void *)(uintptr_t)allreduce->room.all[index]},
                        .states = allreduce->plan->group->size,
                        .count = allreduce->room.count,
                        .out = d_out[index],
                        .stream = allreduce->streams[index]};
    return jr_group_plan_explain(allreduce->plan, index, jr_plan_start(allreduce->merges[index], &run));
}

jr_status jr_allreduce_segments_merge_all(const jr_allreduce *allreduce, void *const *d_out) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < allreduce->plan->group->local_count; i++)
        status = jr_allreduce_segments_merge(allreduce, i, d_out);
    return status;
}

void jr_allreduce_segments_free(jr_allreduce *allreduce) {
    free_room(allreduce);
    for (size_t i = 0; i < allreduce->plan->group->local_count; i++) {
        const jr_device *device = &allreduce->plan->group->contexts[i]->device;
        const jr_allreduce_room *room = &allreduce->room;
        if (room->folded[i] == NULL) continue;
        JR_INSIDE inside = jr_inside_device(device);
        if (inside.status != JR_OK) continue;
        device->driver.cuEventDestroy_v2(room->folded[i]);
        if (room->merged[i] != NULL) device->driver.cuEventDestroy_v2(room->merged[i]);
    }
}
