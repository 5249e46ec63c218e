/* segmented_walk: segments of any lengths, shared out by elements (kernels_src/segmented/walk.cu). */
#include "segments.h"

enum { WALK, JOIN };

static bool applicable(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_EQUAL || job->layout.kind == JR_SEGMENTS_OFFSETS;
}

/* Of a block: a segment's number, and two accumulators. */
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

const jr_algorithm_row jr_segmented_walk = {
    .name = "segmented_walk",
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/walk.cu", .entry = "jr_segmented_walk"},
                {.source = "segmented/walk_join.cu", .entry = "jr_segmented_join"}},
    .block = 128, /* of 128, 256 and 512 the fastest with short segments, measured on an H200 */
    .has_patches = true,
    .workspace_bytes = workspace_bytes,
    .launches = 2,
    .applicable = applicable,
    .run = run};
