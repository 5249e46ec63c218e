/* meet_segments: pushes the states of segments into slots of all devices of a group, and joins them there
 * (kernels_src/segmented/join/parts_meet.cu); or loads those of a share of them from all devices, and joins them for
 * all (kernels_src/segmented/join/parts_reach.cu). */
#include "base/whole.h"
#include "plan/segments/segments.h"

static bool applicable(const jr_job *job) {
    return job->layout.kind != 0 && job->to_all;
}

enum { MEET, REACH };

/* A wave at most: blocks that meet wait for those of other devices. */
static int grid_of(const jr_plan *plan, uint64_t count) {
    return jr_segments_grid(plan, jr_divide_up(count, (uint64_t)plan->choice.tuning.block));
}

static jr_status run_reach(const jr_plan *plan, const jr_run *run) {
    uint64_t first = run->first, count = run->count, result_bytes = jr_plan_result_stride(plan);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)run->merge.reach, &first, &count, &result_bytes, &call};
    return jr_plan_step(plan, REACH, grid_of(plan, count), run->stream, args);
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    uint64_t states = run->in[0], count = run->count, result_bytes = jr_plan_result_stride(plan);
    uint32_t epoch = run->merge.epoch;
    jr_call call = jr_plan_call(plan, run);
    if (run->merge.reach != NULL) return run_reach(plan, run);
    call.count = plan->layout.length;
    void *args[] = {(void *)&run->out, &states, &count, &result_bytes, &epoch, &call};
    return jr_plan_step(plan, MEET, grid_of(plan, count), run->stream, args);
}

const jr_algorithm_row jr_meet_segments = {
    .name = "meet_segments",
    .tuned = JR_TUNED_MEET_SEGMENTS,
    .kind = JR_JOB_MERGE,
    .kernels = {[MEET] = {.source = "segmented/join/parts_meet.cu", .entry = "jr_segmented_parts_meet"},
                [REACH] = {.source = "segmented/join/parts_reach.cu", .entry = "jr_segmented_parts_reach"}},
    .applicable = applicable,
    .run = run};
