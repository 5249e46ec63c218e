/* Plans of segments, and what their algorithms share. */
#include "segments.h"

#include <limits.h>

#include "base/error.h"
#include "segment_layout.h"

jr_cut jr_segments_input(const jr_plan *plan, const jr_run *run) {
    return jr_cut_of(plan->reduction, run->in, UINT64_MAX);
}

jr_segment_cut jr_segments_cut(const jr_plan *plan, const jr_run *run) {
    return (jr_segment_cut){.offsets = (uint64_t)(uintptr_t)run->offsets,
                            .count = run->count,
                            .length = plan->layout.length,
                            .result_bytes = jr_plan_result_stride(plan)};
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

/* Where offsets are the device's, how many elements there are is not known. */
static jr_status check_inputs(const jr_plan *plan, const jr_run *run, uint64_t elements) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < plan->reduction->input_count; i++) {
        if (run->in[i] == NULL && run->offsets != NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "input %d is NULL, but there are segments", i);
        status = jr_plan_check_input(plan, i, run->in[i], elements);
    }
    return status;
}

static jr_status check(const jr_plan *plan, const jr_run *run) {
    const jr_segments segments = {.count = run->count, .offsets = run->offsets};
    uint64_t elements;
    jr_status status = jr_segment_layout_elements(&plan->layout, &segments, false, &elements);
    if (status != JR_OK || run->count == 0) return status;
    status = check_inputs(plan, run, elements);
    return status == JR_OK ? jr_plan_check_places(plan, run) : status;
}

static jr_status launch(const jr_plan *plan, const jr_run *run) {
    return run->count > 0 ? plan->choice.row->run(plan, run) : JR_OK;
}

const jr_plan_kind jr_plan_segments = {.each = "segment",
                                       .check = check,
                                       .launch = launch,
                                       .launches = jr_plan_row_launches,
                                       .workspace_bytes = jr_plan_row_workspace};
