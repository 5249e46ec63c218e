/* segmented_warps: equal segments of some thousand elements, a warp each (kernels_src/segmented/equal/warps.cu). */
#include "segments.h"

enum { WARPS, BLOCKS /* for few segments */ };

static bool applicable(const jr_job *job) {
    const uint64_t packs = job->layout.length / jr_cut_pack_elements(job->reduction);
    return jr_segments_are_equal(job) && packs >= jr_tuned_number_of(job->device, JR_NUMBER_WARPS_PACKS) &&
           packs <= jr_tuned_number_of(job->device, JR_NUMBER_WARPS_PACKS_MAX);
}

/* Fewer segments than keep the memory busy by a warp each have a block each, which loads a segment in one step or a
 * few, in one launch, where segmented_walk takes two. A warp's work at a time is all that it does, unless a grid was
 * asked for: as blocks end, others begin to load. */
static jr_status run(const jr_plan *plan, const jr_run *run) {
    const uint64_t count = run->count, warps = (uint64_t)plan->choice.tuning.block / JR_WARP_LANES;
    const jr_device_info *device = &plan->context->device.info;
    const uint64_t least =
        jr_tuned_number_of(device, JR_NUMBER_WARPS_SEGMENTS) * (uint64_t)device->multiprocessor_count;
    uint32_t parts = 1;
    jr_segments_args args = jr_segments_args_of(plan, run);
    void *by_warps[] = {&args.input, (void *)&run->out, &args.segments, &args.call};
    void *by_blocks[] = {&args.input, (void *)&run->out, (void *)&run->workspace, &parts, &args.segments, &args.call};
    if (count < least) return jr_plan_step(plan, BLOCKS, jr_segments_grid_of_all(plan, count), run->stream, by_blocks);
    return jr_plan_step(plan, WARPS, jr_segments_grid_of_all(plan, (count - 1) / warps + 1), run->stream, by_warps);
}

const jr_algorithm_row jr_segmented_warps = {
    .name = "segmented_warps",
    .tuned = JR_TUNED_SEGMENTED_WARPS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/equal/warps.cu", .entry = "jr_segmented_warps"},
                {.source = "segmented/equal/blocks.cu", .entry = "jr_segmented_blocks"}},
    .applicable = applicable,
    .run = run};
