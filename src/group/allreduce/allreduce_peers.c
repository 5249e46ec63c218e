/* All-reduces by peers: each device pushes its state into slots of all others (kernels_src/operators/meet.cuh).
 *
 * Devices wait for each other in their kernels, so all of them must be different ones, and the launches of a run must
 * all be made: those of a run that fails half-way are told to leave. */
#include "allreduce.h"
#include "base/error.h"
#include "group/launchers.h"
#include "group/reduce/group_value.h"

static jr_status check(const jr_group *group, const jr_allreduce_options *options) {
    (void)options;
    return jr_meeting_check(group);
}

static jr_status prepare(jr_allreduce *allreduce, const jr_spec *spec) {
    (void)spec;
    allreduce->meeting.limit_ms = allreduce->limit_ms;
    return jr_meeting_open(allreduce->plan->group, JR_SLOT_BYTES(allreduce->plan->state_bytes), &allreduce->meeting);
}

static void release(jr_allreduce *allreduce) {
    jr_meeting_close(&allreduce->meeting);
}

static jr_status await(jr_allreduce *allreduce) {
    JR_TRY(jr_allreduce_await_streams(allreduce));
    return jr_meeting_look(&allreduce->meeting);
}

static jr_run run_of(const jr_allreduce *allreduce, const jr_group_parts *parts, size_t index, uint64_t elements) {
    jr_run run = jr_group_plan_run_of(allreduce->plan, parts, index);
    run.whole = elements;
    run.mark = allreduce->meeting.peers[index];
    return run;
}

/* What can be refused is refused before anything is launched. */
static jr_status check_runs(const jr_allreduce *allreduce, const jr_group_parts *parts, uint64_t elements,
                            void *const *d_out) {
    const jr_group_plan *plan = allreduce->plan;
    jr_status status = elements > 0 ? JR_OK : jr_reduction_check_empty(plan->merge->reduction);
    for (size_t i = 0; status == JR_OK && i < plan->group->size; i++) {
        const jr_plan *part = plan->parts[i];
        jr_run run = run_of(allreduce, parts, i, elements);
        run.out = d_out[i];
        status = jr_group_plan_explain(plan, i, part->kind->check(part, &run));
    }
    return status;
}

/* What the launches of a run have in common. */
typedef struct peers_run {
    const jr_allreduce *allreduce;
    const jr_group_parts *parts;
    uint64_t elements;
    void *const *d_out;
} peers_run;

static jr_status launch_one(void *user, size_t index) {
    const peers_run *of = user;
    const jr_group_plan *plan = of->allreduce->plan;
    jr_run run = run_of(of->allreduce, of->parts, index, of->elements);
    run.out = of->d_out[index];
    return jr_group_plan_explain(plan, index, jr_plan_start(plan->parts[index], &run));
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

static jr_status launch(jr_allreduce *allreduce, const jr_group_parts *parts, uint64_t elements, void *const *d_out) {
    peers_run of = {allreduce, parts, elements, d_out};
    jr_group *group = allreduce->plan->group;
    const jr_status status = is_captured(group, parts) ? jr_launchers_in_turn(group, launch_one, &of)
                                                       : jr_launchers_run(group, parts->streams, launch_one, &of);
    if (status != JR_OK) jr_meeting_leave(&allreduce->meeting);
    return status;
}

static jr_status run(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts, void *const *d_out) {
    uint64_t elements = 0;
    if (status == JR_OK) status = jr_meeting_look(&allreduce->meeting);
    status = jr_group_plan_place(allreduce->plan, status, parts, &elements);
    if (status == JR_OK) status = check_runs(allreduce, parts, elements, d_out);
    return status == JR_OK ? launch(allreduce, parts, elements, d_out) : status;
}

const jr_allreduce_row jr_allreduce_by_peers = {.way = JR_ALLREDUCE_PEERS,
                                                .to_all = true,
                                                .check = check,
                                                .prepare = prepare,
                                                .run = run,
                                                .await = await,
                                                .release = release};
