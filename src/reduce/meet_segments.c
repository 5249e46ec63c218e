/* meet_segments: pushes the states of segments into slots of all devices of a group, and joins them there
 * (kernels_src/segmented/parts_meet.cu). */
#include "base/whole.h"
#include "segments.h"

static bool applicable(const jr_job *job) {
    return job->layout.kind != 0 && job->to_all;
}

/* The grid is a wave at most, as its blocks wait for those of other devices. */
static jr_status run(const jr_plan *plan, const jr_run *run) {
    uint64_t states = (uint64_t)(uintptr_t)run->in[0], count = run->count, result_bytes = jr_plan_result_stride(plan);
    uint32_t epoch = run->epoch;
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)&run->out, &states, &count, &result_bytes, &epoch, &call};
    const int grid = jr_segments_grid(plan, jr_divide_up(count, (uint64_t)plan->choice.tuning.block));
    return jr_plan_step(plan, 0, grid, run->stream, args);
}

const jr_algorithm_row jr_meet_segments = {
    .name = "meet_segments",
    .kind = JR_JOB_MERGE,
    .kernels = {{.source = "segmented/parts_meet.cu", .entry = "jr_segmented_parts_meet"}},
    .block = 256,
    .unroll = 1,
    .applicable = applicable,
    .run = run};
