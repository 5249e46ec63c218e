/* segmented_blocks: long equal segments, a block or several each (kernels_src/segmented/equal/blocks.cu). */
#include "segments.h"

enum {
    BLOCKS,
    JOIN,
    PARTS_MOST = 16384 /* of all segments together: so many accumulators the workspace holds */
};

static bool applicable(const jr_job *job) {
    return jr_segments_are_equal(job) && job->layout.length / jr_cut_pack_elements(job->reduction) >=
                                             jr_tuned_number_of(job->device, JR_NUMBER_BLOCKS_PACKS);
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)PARTS_MOST * plan->reduction->accumulator_bytes;
}

/* Parts of a segment: several where segments alone would leave multiprocessors without work. */
static uint32_t choose_parts(const jr_plan *plan, uint64_t segment_count) {
    const uint64_t tile_packs = (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll;
    const uint64_t packs = plan->layout.length / jr_cut_pack_elements(plan->reduction);
    const uint64_t part_tiles = jr_tuned_number_of(&plan->context->device.info, JR_NUMBER_BLOCKS_PART_TILES);
    const uint64_t wanted = packs / (tile_packs * part_tiles) + 1, most = PARTS_MOST / segment_count;
    return most <= 1 ? 1 : (uint32_t)(wanted < most ? wanted : most);
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    uint32_t parts = choose_parts(plan, run->count);
    const uint64_t units = run->count * parts;
    const int grid = jr_segments_grid_of_all(plan, units);
    jr_segments_args args = jr_segments_args_of(plan, run);
    void *fold[] = {&args.input, (void *)&run->out, (void *)&run->workspace, &parts, &args.segments, &args.call};
    void *join[] = {(void *)&run->out, (void *)&run->workspace, &parts, &args.segments, &args.call};
    const jr_status status = jr_plan_step(plan, BLOCKS, grid, run->stream, fold);
    if (status != JR_OK || parts == 1) return status;
    return jr_plan_step(plan, JOIN, (int)run->count, run->stream, join);
}

const jr_algorithm_row jr_segmented_blocks = {
    .name = "segmented_blocks",
    .tuned = JR_TUNED_SEGMENTED_BLOCKS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/equal/blocks.cu", .entry = "jr_segmented_blocks"},
                {.source = "segmented/equal/blocks_join.cu", .entry = "jr_segmented_blocks_join"}},
    .workspace_bytes = workspace_bytes,
    .launches = jr_plan_two_launches,
    .applicable = applicable,
    .run = run};
