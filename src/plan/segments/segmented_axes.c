/* segmented_axes: segments along several axes, element by element (kernels_src/segmented/axes/axes.cu). */
#include "axes_fold.h"

static bool applicable(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_AXES;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const jr_axes axes = jr_axes_of(&plan->layout);
    jr_cut input = jr_segments_args_of(plan, run).input;
    return jr_axes_fold(plan, run, run->workspace, &input, &axes);
}

const jr_algorithm_row jr_segmented_axes = {
    .name = "segmented_axes",
    .tuned = JR_TUNED_SEGMENTED_AXES,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/axes/axes.cu", .entry = "jr_segmented_axes"}, JR_PARTS_JOIN_KERNEL},
    .workspace_bytes = jr_parts_join_bytes,
    .launches = jr_plan_two_launches,
    .applicable = applicable,
    .run = run};
