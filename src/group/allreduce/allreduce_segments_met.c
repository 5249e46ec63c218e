/* All-reduces of some segments by peers: each device pushes the states that it has folded into slots of all others, and
 * joins what it finds in its own (kernels_src/segmented/join/parts_meet.cu): two launches a device, and nothing else.
 */
#include "allreduce_segments.h"
#include "group/launchers.h"
#include "group/segments/group_segments.h"
#include "plan/make.h"

jr_status jr_allreduce_segments_prepare_met(jr_allreduce *allreduce, const jr_spec *spec) {
    const jr_group *group = allreduce->plan->group;
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) {
        jr_job job = {.context = group->contexts[i],
                      .kind = JR_JOB_MERGE,
                      .layout = allreduce->plan->merge->layout,
                      .to_all = true};
        status = jr_make_of_spec(spec, &job, &allreduce->meets[i]);
    }
    return status;
}

/* What the launches of a run have in common. */
typedef struct met_run {
    const jr_allreduce *allreduce;
    const jr_group_parts *parts;
    void *const *d_out;
} met_run;

static jr_status launch(void *user, size_t index) {
    const met_run *of = user;
    const jr_allreduce *allreduce = of->allreduce;
    const jr_cu_deviceptr states = jr_allreduce_segments_states(allreduce, index);
    const jr_run run = {.in = {(const void *)(uintptr_t)states},
                        .count = allreduce->room.count,
                        .epoch = allreduce->room.runs,
                        .mark = allreduce->meeting.peers[index],
                        .out = of->d_out[index],
                        .stream = allreduce->streams[index]};
    const jr_status status =
        jr_group_segments_fold(allreduce->plan, of->parts, index, states, allreduce->room.workspace[index]);
    if (status != JR_OK) return status;
    return jr_group_plan_explain(allreduce->plan, index, jr_plan_start(allreduce->meets[index], &run));
}

/* A run that is replayed would have the number of the one that was captured. */
static jr_status check_capture(const jr_allreduce *allreduce, size_t index) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    JR_INSIDE inside = jr_inside_to_wait(device, allreduce->streams[index]);
    return jr_group_plan_explain(allreduce->plan, index, inside.status);
}

jr_status jr_allreduce_segments_run_met(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < allreduce->plan->group->size; i++) status = check_capture(allreduce, i);
    if (status != JR_OK) return status;
    status = jr_launchers_run(allreduce->plan->group, allreduce->streams, launch, &(met_run){allreduce, parts, d_out});
    if (status != JR_OK) jr_meeting_leave(&allreduce->meeting);
    return status;
}
