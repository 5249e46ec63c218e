/* segmented_lanes: equal segments of up to some hundred elements, a few lanes each
 * (kernels_src/segmented/equal/lanes.cu). */
#include "segments.h"

/* Longer ones take segmented_warps, and of few packs segmented_walk. */
static bool applicable(const jr_job *job) {
    return jr_segments_are_equal(job) && job->layout.length > 0 &&
           job->layout.length <= jr_tuned_number_of(job->device, JR_NUMBER_LANES_LENGTH_MAX);
}

/* A group has 1 << this many lanes: of 4 loads a lane at most, as far as 32 lanes go. Segments of whole packs take 8
 * from 5 packs on, which ask for whole 128-byte lines; others touch a pack more, which would be a load of few elements.
 */
static uint32_t choose_size(const jr_plan *plan) {
    enum { LINE = 3, MOST = 5, LOADS = 4 };
    const uint64_t pack_elements = jr_cut_pack_elements(plan->reduction), length = plan->layout.length;
    const bool whole = length % pack_elements == 0;
    const uint64_t packs = length / pack_elements + (whole ? 0 : 2);
    uint32_t size = whole && packs > 1u << JR_GROUP_MIN ? LINE : JR_GROUP_MIN;
    while (size < MOST && (uint64_t)LOADS << size < packs) size++;
    return size;
}

/* Segments of a tile; 0: none, as groups share them as well, packs are not whole, or a tile would not be full. */
static uint32_t choose_tile(const jr_plan *plan, const jr_cut *input) {
    enum { PACKS_MAX = 64 };
    const jr_reduction *reduction = plan->reduction;
    const uint64_t pack_elements = jr_cut_pack_elements(reduction), packs = plan->layout.length / pack_elements;
    const uint64_t tile =
        JR_TILE_ROUNDS((size_t)plan->choice.tuning.block, reduction->accumulator_bytes) * JR_WARP_LANES;
    if (input->head != 0 || plan->layout.length % pack_elements != 0 || packs % (1 << JR_GROUP_MIN) == 0) return 0;
    return packs <= PACKS_MAX && tile / packs * packs >= tile - tile / 8 ? (uint32_t)(tile / packs) : 0;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_segments_args args = jr_segments_args_of(plan, run);
    const uint64_t block = (uint64_t)plan->choice.tuning.block;
    uint32_t size = choose_size(plan), tiled = choose_tile(plan, &args.input);
    const uint64_t tile = (block >> size) * (uint64_t)plan->choice.tuning.unroll;
    const int grid = tiled > 0 ? jr_segments_grid_of_all(plan, run->count / (block / JR_WARP_LANES * tiled) + 1)
                               : jr_segments_grid(plan, run->count / tile + 1);
    void *kernel_args[] = {&args.input, (void *)&run->out, &args.segments, &size, &tiled, &args.call};
    return jr_plan_step(plan, 0, grid, run->stream, kernel_args);
}

const jr_algorithm_row jr_segmented_lanes = {
    .name = "segmented_lanes",
    .tuned = JR_TUNED_SEGMENTED_LANES,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/equal/lanes.cu", .entry = "jr_segmented_lanes"}},
    .applicable = applicable,
    .run = run};
