/* Plans that write a result for every element. */
#include "base/error.h"
#include "plan/plan.h"
#include "plan/segment_layout.h"
#include "spec/dtype.h"

static jr_status check_results(const jr_reduction *reduction, const jr_run *run) {
    if (run->count <= (UINT64_MAX - run->out) / reduction->output_bytes) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a count of %llu results of %zu bytes is beyond the address space",
                   (unsigned long long)run->count, reduction->output_bytes);
}

jr_status jr_scan_check_places(const jr_reduction *reduction, const jr_run *run) {
    const uint64_t out = run->out;
    JR_TRY(check_results(reduction, run));
    for (int i = 0; i < reduction->input_count; i++) {
        const uint64_t in = run->in[i];
        const size_t bytes = reduction->inputs[i].bytes;
        const bool apart = out + run->count * reduction->output_bytes <= in || in + run->count * bytes <= out;
        if (!apart && (in != out || bytes != reduction->output_bytes))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "the results at %p, %zu bytes each, overlap the input at %p, %zu bytes each: they must be "
                           "exactly at an input whose elements have the same size, or must not overlap it",
                           jr_cu_pointer(out), reduction->output_bytes, jr_cu_pointer(in), bytes);
    }
    return JR_OK;
}

jr_status jr_scan_segments_set(const jr_segment_layout *layout, const jr_work_data *data, jr_run *run) {
    JR_TRY(jr_segment_layout_elements(layout, data, false, &run->count));
    if (layout->kind == JR_SEGMENTS_KEYS || layout->kind == JR_SEGMENTS_OFFSETS) run->count = data->count;
    run->segments = (jr_run_segments){.offsets = jr_cu_address(data->offsets),
                                      .keys = jr_cu_address(data->keys),
                                      .count = data->segments,
                                      .run_keys = jr_cu_address(data->run_keys),
                                      .run_count = jr_cu_address(data->run_count)};
    return JR_OK;
}

static jr_status check_heads(const jr_plan *plan, const jr_run *run) {
    const jr_run_range results = {"results", run->out, run->count * plan->reduction->output_bytes},
                       offsets = {"offsets", run->segments.offsets, (run->segments.count + 1) * sizeof(uint64_t)};
    const jr_status status = jr_plan_check_apart(&results, &offsets);
    if (status != JR_OK || run->segments.keys == 0) return status;
    const jr_run_range keys = {"keys", run->segments.keys, run->count * jr_dtype_find(plan->layout.key_type)->bytes};
    return jr_plan_check_apart(&results, &keys);
}

/* Results may not lie where elements are read that lie apart, not even exactly there. */
static jr_status check_view(const jr_plan *plan, const jr_run *run) {
    const jr_run_range results = {"results", run->out, run->count * plan->reduction->output_bytes};
    JR_TRY(check_results(plan->reduction, run));
    for (int i = 0; run->count > 0 && i < plan->reduction->input_count; i++) {
        const jr_run_range input = jr_plan_input_range(plan, run, i, run->count);
        JR_TRY(jr_plan_check_apart(&results, &input));
    }
    return JR_OK;
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    JR_TRY(jr_plan_check_segmented(plan, run, run->count));
    if (run->count > 0) JR_TRY(jr_plan_check_places(plan, run));
    JR_TRY(plan->view.arrays > 0 ? check_view(plan, run) : jr_scan_check_places(plan->reduction, run));
    return check_heads(plan, run);
}

const jr_plan_kind jr_plan_scan = {.each = "element", .by_elements = true, .check = check};
