/* All-reduces by peers: each device pushes its states into slots of all others, and folds the states in its own slots
 * (kernels_src/operators/meet.cuh). A value's states are exchanged by the kernel that makes them, segments' states by a
 * kernel after it (kernels_src/segmented/join/parts_meet.cu). Nothing else is enqueued on the streams. States of many
 * segments are pulled (allreduce_pull.c).
 *
 * Devices wait for each other in their kernels, so all devices must be different, and all launches of a run must be
 * made: if a run fails half-way, the host makes the kernels that it launched stop waiting. */
#include "allreduce_pull.h"
#include "base/error.h"
#include "group/launchers.h"
#include "group/reduce/group_value.h"

static jr_status check(const jr_group *group, const jr_allreduce_options *options, bool of_segments) {
    (void)options;
    if (of_segments && group->size > JR_REACH_MAX)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "the group has %zu devices: by peers, %d at most reduce segments",
                       group->size, JR_REACH_MAX);
    return jr_meeting_check(group);
}

/* Slots of segments are made with their room. */
static jr_status prepare(jr_allreduce *allreduce, const jr_spec *spec) {
    if (!allreduce->of_segments) {
        allreduce->meeting.limit_ms = allreduce->limit_ms;
        return jr_meeting_open(allreduce->plan->group, JR_SLOT_BYTES(allreduce->plan->state_bytes),
                               &allreduce->meeting);
    }
    JR_TRY(jr_allreduce_make_merges(allreduce, spec));
    return jr_allreduce_make_events(allreduce);
}

/* Where states met, has one waited in vain? */
static jr_status look(const jr_allreduce *allreduce) {
    return allreduce->meeting.words.host != NULL ? jr_meeting_look(&allreduce->meeting) : JR_OK;
}

static jr_status await(jr_allreduce *allreduce) {
    JR_TRY(jr_allreduce_await_streams(allreduce));
    return look(allreduce);
}

/* ---- pushes ---- */

/* What the launches of a run have in common. */
typedef struct push {
    const jr_allreduce *allreduce;
    const jr_group_parts *parts;
    uint64_t count; /* of a value: elements */
    void *const *d_out;
} push;

static jr_run run_of_value(const push *of, size_t index) {
    jr_run run = jr_group_plan_run_of(of->allreduce->plan, of->parts, index);
    run.flat.whole = of->count;
    run.mark = of->allreduce->meeting.peers[index];
    run.out = jr_cu_address(of->d_out[index]);
    return run;
}

static jr_status push_value(void *user, size_t index) {
    const push *of = user;
    const jr_run run = run_of_value(of, index);
    const jr_group_plan *plan = of->allreduce->plan;
    return jr_group_plan_explain(plan, index, jr_plan_start(plan->parts[index], &run));
}

static jr_status push_segments(void *user, size_t index) {
    const push *of = user;
    const jr_allreduce *allreduce = of->allreduce;
    const jr_run run = {.in = {jr_allreduce_states(allreduce, index)},
                        .count = of->count,
                        .merge.epoch = allreduce->room.runs,
                        .mark = allreduce->meeting.peers[index],
                        .out = jr_cu_address(of->d_out[index]),
                        .stream = allreduce->streams[index]};
    JR_TRY(jr_allreduce_fold_one(allreduce, of->parts, index));
    return jr_group_plan_explain(allreduce->plan, index, jr_plan_start(allreduce->merges[index], &run));
}

/* What can be refused is refused before anything is launched. */
static jr_status check_value(const push *of) {
    const jr_group_plan *plan = of->allreduce->plan;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < plan->group->size; i++) {
        const jr_plan *part = plan->parts[i];
        const jr_run run = run_of_value(of, i);
        status = jr_group_plan_explain(plan, i, part->kind->check(part, &run));
    }
    return status;
}

/* A run of segments that is replayed would have the number of the one that was captured. */
static jr_status check_segments(const push *of) {
    const jr_allreduce *allreduce = of->allreduce;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < allreduce->plan->group->size; i++) {
        JR_INSIDE inside = jr_inside_to_wait(&allreduce->plan->group->contexts[i]->device, allreduce->streams[i]);
        status = jr_group_plan_explain(allreduce->plan, i, inside.status);
    }
    return status;
}

/* Graphs are not made by several threads at a time. */
static bool is_captured(const jr_group *group, const jr_group_parts *parts) {
    bool captured = false;
    for (size_t i = 0; parts->streams != NULL && i < group->local_count; i++) {
        const jr_driver *driver = &group->contexts[i]->device.driver;
        int status = JR_CU_CAPTURE_STATUS_NONE;
        if (driver->cuStreamIsCapturing == NULL) return false;
        captured |= driver->cuStreamIsCapturing(parts->streams[i], &status) != JR_CUDA_SUCCESS ||
                    status != JR_CU_CAPTURE_STATUS_NONE;
    }
    return captured;
}

static jr_status run_pushing(jr_allreduce *allreduce, push *of) {
    jr_group *group = allreduce->plan->group;
    const bool of_segments = allreduce->of_segments;
    jr_status (*const launch)(void *, size_t) = of_segments ? push_segments : push_value;
    JR_TRY(of_segments ? check_segments(of) : check_value(of));
    const jr_status status = !of_segments && is_captured(group, of->parts)
                                 ? jr_launchers_in_turn(group, launch, of)
                                 : jr_launchers_run(group, allreduce->streams, launch, of);
    if (status != JR_OK) jr_meeting_leave(&allreduce->meeting);
    return status;
}

/* Segments: two runs in a row fold into different memory. Before a device folds into the same memory again, it has
 * waited for states that the others sent after their copies of it; so these copies need no events. */
static jr_status run(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    push of = {allreduce, parts, 0, d_out};
    if (status == JR_OK) status = look(allreduce);
    JR_TRY(jr_allreduce_begin(allreduce, status, parts, &of.count));
    if (allreduce->of_segments && of.count == 0) return JR_OK;
    allreduce->room.runs++;
    if (!allreduce->of_segments || jr_allreduce_meets(allreduce, of.count)) return run_pushing(allreduce, &of);
    return jr_allreduce_run_pulling(allreduce, parts, d_out);
}

const jr_allreduce_row jr_allreduce_by_peers = {
    .way = JR_ALLREDUCE_PEERS, .to_all = true, .check = check, .prepare = prepare, .run = run, .await = await};
