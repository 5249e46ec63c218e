/* Plans of segments, and what their algorithms share. */
#include "segments.h"

#include <limits.h>

#include "base/error.h"
#include "base/whole.h"
#include "plan/segment_layout.h"

const jr_algorithm_shared jr_segments_patches = {.has_patches = true};

bool jr_segments_are_equal(const jr_job *job) {
    const jr_reduction *reduction = job->reduction;
    return job->layout.kind == JR_SEGMENTS_EQUAL && reduction->commutative && reduction->input_count == 1 &&
           reduction->inputs[0].type != JR_STRUCT;
}

bool jr_segments_shift(const jr_reduction *reduction) {
    enum { MOMENTS_BYTES = 24 };
    const bool moments = reduction->spec.op == JR_OP_VAR || reduction->spec.op == JR_OP_STD;
    return moments && reduction->accumulator_bytes == MOMENTS_BYTES && reduction->input_count == 1 &&
           !reduction->has_expressions && !reduction->skips_nan;
}

jr_segments_args jr_segments_args_of(const jr_plan *plan, const jr_run *run) {
    return (jr_segments_args){.input = jr_cut_of(plan->reduction, run->in, UINT64_MAX),
                              .segments = {.offsets = run->segments.offsets,
                                           .count = run->count,
                                           .length = plan->layout.length,
                                           .result_bytes = jr_plan_result_stride(plan)},
                              .call = jr_plan_call(plan, run)};
}

int jr_segments_grid(const jr_plan *plan, uint64_t units) {
    const int most = jr_plan_grid(plan, UINT64_MAX);
    return units >= (uint64_t)most ? most : units > 0 ? (int)units : 1;
}

int jr_segments_grid_of_all(const jr_plan *plan, uint64_t units) {
    const jr_tuning *tuning = &plan->choice.tuning;
    if (tuning->grid > 0 || tuning->blocks_per_multiprocessor > 0) return jr_segments_grid(plan, units);
    return units < INT_MAX ? (int)units : INT_MAX;
}

uint32_t jr_segments_of_warp(const jr_plan *plan, uint64_t items, uint64_t most, uint64_t step) {
    const uint64_t warps =
        (uint64_t)jr_plan_grid(plan, UINT64_MAX) * (uint64_t)plan->choice.tuning.block / JR_WARP_LANES;
    return (uint32_t)jr_least(step * jr_divide_up(items, warps * step), most);
}

uint32_t jr_segments_together(const jr_plan *plan, uint64_t count) {
    const uint64_t warps = (uint64_t)plan->choice.tuning.block / JR_WARP_LANES;
    const uint64_t each = jr_divide_up(count, (uint64_t)jr_plan_grid(plan, UINT64_MAX));
    return (uint32_t)(each < warps ? each : warps);
}

/* Results are written while others are still read. elements: of each input, 0 if the host does not know it. Segments of
 * one element each may be replaced by their results. */
static jr_status check_apart(const jr_plan *plan, const jr_run *run, uint64_t elements) {
    const jr_reduction *reduction = plan->reduction;
    const jr_run_range results = {"results", run->out, run->count * jr_plan_result_stride(plan)},
                       offsets = {"offsets", run->segments.offsets, (run->count + 1) * sizeof(uint64_t)};
    JR_TRY(jr_plan_check_apart(&results, &offsets));
    for (int i = 0; i < reduction->input_count; i++) {
        const jr_run_range input = jr_plan_input_range(plan, run, i, elements);
        const bool replaces = elements == run->count && input.at == results.at && input.bytes == results.bytes;
        if (!replaces && elements > 0) JR_TRY(jr_plan_check_apart(&results, &input));
    }
    return JR_OK;
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    const jr_work_data data = {.segments = run->count,
                               .offsets = jr_cu_pointer(run->segments.offsets),
                               .keys = jr_cu_pointer(run->segments.keys)};
    uint64_t elements;
    jr_status status = jr_segment_layout_elements(&plan->layout, &data, false, &elements);
    if (status != JR_OK || run->count == 0) return status;
    JR_TRY(jr_plan_check_segmented(plan, run, elements));
    JR_TRY(jr_plan_check_places(plan, run));
    return check_apart(plan, run, elements);
}

const jr_plan_kind jr_plan_segments = {.each = "segment", .check = check};
