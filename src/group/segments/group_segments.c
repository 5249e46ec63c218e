/* Reduces segments that lie on several devices: states of each part, two exchanges, and the merge of each segment's
 * states in the order of the devices. */
#include "group_segments.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "group/lost.h"
#include "group/reduce/group_value.h"
#include "spec/results.h"

/* ---- room ---- */

jr_status jr_group_segments_allocate(const jr_device *device, uint64_t first_bytes, jr_cu_deviceptr *first,
                                     uint64_t second_bytes, jr_cu_deviceptr *second) {
    JR_IN_DEVICE(device);
    JR_TRY(jr_memory_allocate(device, first_bytes, NULL, first));
    return jr_memory_allocate(device, second_bytes, NULL, second);
}

static jr_status make_room(jr_group_plan *plan, uint64_t count) {
    jr_group *group = plan->group;
    jr_group_room *room = &plan->room;
    const uint64_t row_bytes = count * plan->state_bytes;
    if (count == room->count) return JR_OK;
    jr_group_room_free(group, room);
    if (count > SIZE_MAX / 2 / group->size / (plan->state_bytes + plan->merge->reduction->place_bytes))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: their states are beyond the address space",
                       (unsigned long long)count);
    room->told = malloc(group->most_count * row_bytes);
    room->places = malloc(count * plan->merge->reduction->place_bytes);
    if (room->told == NULL || room->places == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the states of %llu segments", (unsigned long long)count);
    jr_status status = jr_exchange_reserve(&group->exchange, group->most_count * row_bytes);
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++)
        status =
            jr_group_plan_explain(plan, i,
                                  jr_group_segments_allocate(&group->contexts[i]->device, row_bytes, &room->states[i],
                                                             jr_plan_workspace(plan->parts[i]), &room->workspace[i]));
    if (status == JR_OK)
        status = jr_group_segments_allocate(&group->contexts[0]->device, group->size * row_bytes, &room->all,
                                            count * plan->merge->reduction->place_bytes, &room->out);
    if (status == JR_OK) room->count = count;
    return status;
}

/* ---- before the launches ---- */

jr_status jr_group_segments_check(const jr_group_plan *plan, const jr_group_parts *parts) {
    JR_TRY(JR_GIVEN(parts->d_in, parts->counts));
    for (size_t i = 0; i < plan->group->local_count; i++) {
        if (parts->counts[i] != parts->counts[0])
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "device 0 has %llu segments and device %zu %llu: a part of each segment is on every device",
                           (unsigned long long)parts->counts[0], i, (unsigned long long)parts->counts[i]);
        if (parts->d_in[i] == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parts->d_in[%zu] is NULL", i);
    }
    const bool empty = parts->counts[0] > 0 && plan->merge->layout.length == 0;
    return empty ? jr_reduction_check_empty_of_many(plan->merge->reduction, 0) : JR_OK;
}

static jr_status compare_counts(const jr_exchange *exchange) {
    uint64_t first, other;
    memcpy(&first, jr_exchange_of(exchange, 0), sizeof first);
    for (int rank = 1; rank < exchange->ranks; rank++) {
        memcpy(&other, jr_exchange_of(exchange, rank), sizeof other);
        if (other != first)
            return jr_fail(JR_ERROR_RANKS_DIFFER, "rank 0 has %llu segments and rank %d %llu: a part of each is on all",
                           (unsigned long long)first, rank, (unsigned long long)other);
    }
    return JR_OK;
}

/* All ranks have room, and the same count. */
jr_status jr_group_segments_agree(jr_group_plan *plan, jr_status own, uint64_t count) {
    jr_exchange *exchange = &plan->group->exchange;
    const jr_payload payload = {JR_STEP_COUNTS, plan->told, plan->told_bytes};
    jr_group_plan_tell(plan, 0, count);
    jr_group_plan_tell_parameters(plan);
    JR_TRY(jr_exchange_run(exchange, own, &payload));
    JR_TRY(compare_counts(exchange));
    return jr_group_plan_compare_parameters(plan);
}

/* ---- states ---- */

static jr_stream stream_of(const jr_group_parts *parts, size_t index) {
    return parts->streams != NULL ? parts->streams[index] : NULL;
}

/* Elements of each segment before those of a device. */
static uint64_t first_of(const jr_group_plan *plan, size_t index) {
    uint64_t first = plan->before;
    for (size_t i = 0; i < index; i++) first += plan->parts[i]->layout.length;
    return first;
}

jr_status jr_group_segments_fold(const jr_group_plan *plan, const jr_group_parts *parts, size_t index,
                                 jr_cu_deviceptr states, jr_cu_deviceptr workspace) {
    const jr_plan *part = plan->parts[index];
    jr_run run = {.count = parts->counts[index],
                  .first = first_of(plan, index),
                  .out = states,
                  .workspace = workspace,
                  .stream = stream_of(parts, index)};
    for (int k = 0; k < part->reduction->input_count; k++) run.in[k] = jr_cu_address(parts->d_in[index][k]);
    return jr_group_plan_explain(plan, index, jr_plan_start(part, &run));
}

/* Waits for a device, whatever the others have come to. */
static jr_status fetch(const jr_group_plan *plan, const jr_group_parts *parts, size_t index) {
    const jr_device *device = &plan->group->contexts[index]->device;
    const size_t bytes = plan->room.count * plan->state_bytes;
    JR_IN_DEVICE(device);
    return jr_memory_download(device, plan->room.told + index * bytes, plan->room.states[index], bytes,
                              stream_of(parts, index));
}

static jr_status fold(const jr_group_plan *plan, const jr_group_parts *parts) {
    jr_status status = JR_OK;
    size_t started = 0;
    for (; status == JR_OK && started < plan->group->local_count; started++)
        status =
            jr_group_segments_fold(plan, parts, started, plan->room.states[started], plan->room.workspace[started]);
    jr_error_saved *saved = status != JR_OK ? jr_error_save() : NULL;
    for (size_t i = 0; i < started; i++) {
        const jr_status fetched = fetch(plan, parts, i);
        if (fetched == JR_OK || status != JR_OK) continue;
        status = jr_group_plan_explain(plan, i, fetched);
        saved = jr_error_save();
    }
    jr_error_restore(saved);
    return status;
}

/* ---- the merge ---- */

static jr_status merge_here(const jr_group_plan *plan) {
    const jr_group *group = plan->group;
    const jr_group_room *room = &plan->room;
    const jr_device *device = &group->contexts[0]->device;
    const size_t row_bytes = room->count * plan->state_bytes;
    const jr_run run = {.in = {room->all}, .merge.states = group->size, .count = room->count, .out = room->out};
    jr_cu_deviceptr to = room->all;
    jr_status status = JR_OK;
    for (int rank = 0; status == JR_OK && rank < group->exchange.ranks; rank++) {
        const size_t bytes = group->counts[rank] * row_bytes;
        status = jr_memory_upload(device, to, jr_exchange_of(&group->exchange, rank), bytes, NULL);
        to += bytes;
    }
    if (status == JR_OK) status = jr_plan_start(plan->merge, &run);
    if (status != JR_OK) return status;
    return jr_memory_download(device, room->places, room->out, room->count * plan->merge->reduction->place_bytes, NULL);
}

static jr_status merge(const jr_group_plan *plan, void *results) {
    const jr_device *device = &plan->group->contexts[0]->device;
    JR_IN_DEVICE(device);
    jr_status status = merge_here(plan);
    status = jr_group_name_lost(plan->group, 0, status);
    return status == JR_OK ? jr_results_copy(plan->merge->reduction, plan->room.places,
                                             &(jr_results_range){0, plan->room.count}, results)
                           : status;
}

jr_status jr_group_segments_run(jr_group_plan *plan, jr_status status, const jr_group_parts *parts, void *results) {
    jr_group *group = plan->group;
    if (status == JR_OK) status = jr_group_segments_check(plan, parts);
    if (status == JR_OK) status = make_room(plan, parts->counts[0]);
    const uint64_t count = status == JR_OK ? parts->counts[0] : 0;
    status = jr_group_segments_agree(plan, status, count);
    if (status != JR_OK || count == 0) return status;
    const jr_payload payload = {JR_STEP_STATES, plan->room.told, group->most_count * count * plan->state_bytes};
    status = jr_exchange_run(&group->exchange, fold(plan, parts), &payload);
    return status == JR_OK ? merge(plan, results) : status;
}
