/* segmented_short: equal segments of few elements, a lane each (kernels_src/segmented/equal/short.cu). */
#include "segments.h"

static uint64_t lane_elements(const jr_reduction *reduction) {
    const jr_input *input = &reduction->inputs[0];
    return JR_PATCH_SHARE(input->bytes, reduction->input_count == 1 && input->type != JR_STRUCT);
}

static bool applicable(const jr_job *job) {
    const jr_segment_layout *layout = &job->layout;
    const jr_reduction *reduction = job->reduction;
    return layout->kind == JR_SEGMENTS_EQUAL && layout->length > 0 && layout->length <= lane_elements(reduction);
}

/* Segments that a warp takes at a time, a lane each or several. */
static uint32_t warp_segments(const jr_plan *plan, const jr_run *run, const jr_cut *input) {
    const uint64_t length = plan->layout.length, pack_elements = jr_cut_pack_elements(plan->reduction);
    const uint64_t packs = length / pack_elements;
    const bool whole = input->head == 0 && length % pack_elements == 0 && JR_WHOLE_FITS(packs);
    if (whole) return (uint32_t)(JR_WHOLE_ROWS * JR_WARP_LANES / packs);
    const uint64_t most = JR_WARP_LANES * (lane_elements(plan->reduction) / length);
    return jr_segments_of_warp(plan, run->count, most, JR_WARP_LANES);
}

/* A warp's work at a time is all that it does, unless a grid was asked for: as blocks end, others begin to load. */
static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_segments_args args = jr_segments_args_of(plan, run);
    uint32_t tile = warp_segments(plan, run, &args.input);
    const uint64_t units = run->count / ((uint64_t)plan->choice.tuning.block / JR_WARP_LANES * tile) + 1;
    const int grid = jr_segments_grid_of_all(plan, units);
    void *kernel_args[] = {&args.input, (void *)&run->out, &args.segments, &tile, &args.call};
    return jr_plan_step(plan, 0, grid, run->stream, kernel_args);
}

const jr_algorithm_row jr_segmented_short = {
    .name = "segmented_short",
    .tuned = JR_TUNED_SEGMENTED_SHORT,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/equal/short.cu", .entry = "jr_segmented_short"}},
    .applicable = applicable,
    .run = run,
    .shared = &jr_segments_patches};
