/* segmented_slabs: columns of small slabs whose rows begin between vectors (kernels_src/segmented/strided/slabs.cu). */
#include "base/whole.h"
#include "column_bands.h"
#include "segments.h"

enum { BLOCK = 256 };

/* Slabs that a warp takes at a time; 0: not even one. */
static uint64_t slabs_of(const jr_reduction *reduction, const jr_segment_layout *layout, int block) {
    const uint64_t room = JR_ROOM_BYTES(block) - JR_VECTOR_BYTES;
    if (layout->length == 0 || layout->length > room / layout->inner) return 0;
    return room / (layout->length * layout->inner * reduction->inputs[0].bytes);
}

/* Rows that begin at the boundaries of vectors, or are long, are loaded as bands; and so are columns that lie alone, as
 * their plans join parts, too (axes_plans.c). */
static bool applicable(const jr_job *job) {
    const jr_reduction *reduction = job->reduction;
    const jr_segment_layout *layout = &job->layout;
    const uint32_t pack_elements = jr_cut_pack_elements(reduction);
    return layout->kind == JR_SEGMENTS_STRIDED && layout->inner > 1 && reduction->input_count == 1 &&
           reduction->inputs[0].type != JR_STRUCT && layout->inner < (uint64_t)JR_NARROW_VECTORS * pack_elements &&
           jr_column_bands_period(layout->inner, pack_elements) > 1 &&
           slabs_of(reduction, layout, job->requested.block > 0 ? job->requested.block : BLOCK) > 0;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const int block = plan->choice.tuning.block;
    const uint64_t warps = (uint64_t)block / JR_WARP_LANES;
    uint32_t inner = (uint32_t)plan->layout.inner;
    const uint64_t slabs = run->count / inner, most = slabs_of(plan->reduction, &plan->layout, block);
    uint32_t taken = jr_segments_of_warp(plan, slabs, most, jr_divide_up(JR_WARP_LANES, inner));
    jr_segments_args args = jr_segments_args_of(plan, run);
    void *kernel_args[] = {&args.input, (void *)&run->out, &args.segments, &inner, &taken, &args.call};
    const int grid = jr_segments_grid_of_all(plan, (slabs - 1) / (warps * taken) + 1);
    return jr_plan_step(plan, 0, grid, run->stream, kernel_args);
}

const jr_algorithm_row jr_segmented_slabs = {
    .name = "segmented_slabs",
    .tuned = JR_TUNED_SEGMENTED_SLABS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/strided/slabs.cu", .entry = "jr_segmented_slabs"}},
    .applicable = applicable,
    .run = run,
    .shared = &jr_segments_patches};
