/* segmented_walk, segmented_flow: segments of any lengths, shared out by elements (kernels_src/segmented/ragged). */
#include "segments.h"

enum { WALK, JOIN };

static bool applicable(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_EQUAL || job->layout.kind == JR_SEGMENTS_OFFSETS;
}

/* Per block: a segment's number, and two accumulators. */
static size_t workspace_bytes(const jr_plan *plan) {
    const size_t grid = (size_t)jr_plan_grid(plan, UINT64_MAX);
    return JR_WALK_NUMBERS(grid) * sizeof(uint64_t) + 2 * grid * plan->reduction->accumulator_bytes;
}

/* Offsets lie on the device: how many elements there are is not known here, so all blocks are there for them. */
static int choose_grid(const jr_plan *plan, const jr_run *run) {
    const uint64_t block_least = (uint64_t)plan->choice.tuning.block / JR_WARP_LANES * JR_WALK_SHARE_LEAST;
    if (plan->layout.kind == JR_SEGMENTS_OFFSETS) return jr_segments_grid(plan, UINT64_MAX);
    return jr_segments_grid(plan, run->count * (plan->layout.length + JR_WALK_END_COST) / block_least + 1);
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const int grid = choose_grid(plan, run);
    jr_segments_args args = jr_segments_args_of(plan, run);
    void *walk[] = {&args.input, (void *)&run->out, (void *)&run->workspace, &args.segments, &args.call};
    const jr_status status = jr_plan_step(plan, WALK, grid, run->stream, walk);
    if (status != JR_OK || grid == 1) return status;
    return jr_plan_step(plan, JOIN, grid, run->stream, walk + 1);
}

/* What it folds needs no places in segments, and takes no more room than an element. The instruction came with compute
 * capability 9.0. */
static bool flows(const jr_job *job) {
    enum { BYTES_MOST = 8, BLOCK_MOST = 128 };
    const jr_reduction *reduction = job->reduction;
    const jr_input *input = &reduction->inputs[0];
    return job->layout.kind == JR_SEGMENTS_OFFSETS && job->device->capability_major >= 9 &&
           reduction->input_count == 1 && input->type != JR_STRUCT && reduction->accumulator_bytes <= input->bytes &&
           input->bytes <= BYTES_MOST && !reduction->sees_index && job->requested.block <= BLOCK_MOST;
}

const jr_algorithm_row jr_segmented_flow = {
    .name = "segmented_flow",
    .tuned = JR_TUNED_SEGMENTED_FLOW,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/ragged/flow.cu", .entry = "jr_segmented_flow", .full_optimisation = true},
                {.source = "segmented/ragged/walk_join.cu", .entry = "jr_segmented_join"}},
    .workspace_bytes = workspace_bytes,
    .launches = jr_plan_two_launches,
    .applicable = flows,
    .run = run,
    .shared = &jr_segments_patches};

const jr_algorithm_row jr_segmented_walk = {
    .name = "segmented_walk",
    .tuned = JR_TUNED_SEGMENTED_WALK,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/ragged/walk.cu", .entry = "jr_segmented_walk"},
                {.source = "segmented/ragged/walk_join.cu", .entry = "jr_segmented_join"}},
    .workspace_bytes = workspace_bytes,
    .launches = jr_plan_two_launches,
    .applicable = applicable,
    .run = run,
    .shared = &jr_segments_patches};
