/* segmented_short: equal segments of few elements, a lane each (kernels_src/segmented_short.cu). */
#include "segment.h"

/* A patch (kernels_src/patch.cuh) holds 16 elements a lane, or 8 of large ones and of those that it does not hold. */
static uint64_t lane_elements(const jr_reduction *reduction) {
    const jr_input *input = &reduction->inputs[0];
    return reduction->input_count == 1 && input->type != JR_STRUCT && input->bytes <= 4 ? 16 : 8;
}

static bool applicable(const jr_segment_layout *layout, const jr_reduction *reduction) {
    return layout->kind == JR_SEGMENTS_EQUAL && layout->length > 0 && layout->length <= lane_elements(reduction);
}

static jr_status run(const jr_plan *plan, const jr_segment_run *run) {
    const uint64_t tile = (uint64_t)plan->tuning.block * (lane_elements(&plan->reduction) / plan->layout.length);
    const int grid = jr_segment_grid(plan, run->segments.count / tile + 1);
    jr_cut input = jr_segment_input(plan, run);
    jr_segment_cut segments = jr_segment_cut_of(plan, run);
    jr_call call = jr_plan_call(plan, 0);
    void *args[] = {&input, (void *)&run->out, &segments, &call};
    return jr_plan_step(plan, 0, grid, run->stream, args);
}

const jr_segment_row jr_segmented_short = {.row = {.name = "segmented_short",
                                                   .kernels = {{"segmented_short.cu", "jr_segmented_short"}},
                                                   .vectors_in_flight = JR_SEGMENT_IN_FLIGHT,
                                                   .launches = 1,
                                                   .run = jr_segment_refuse},
                                           .applicable = applicable,
                                           .run = run};
