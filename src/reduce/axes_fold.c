/* Folds along axes. */
#include "axes_fold.h"

#include "column_cut.h"

size_t jr_axes_parts_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX) * (size_t)plan->choice.tuning.block *
           plan->reduction->accumulator_bytes;
}

/* What is shared out, and to how many blocks at most. */
static jr_axes_cut cut_of(const jr_plan *plan, const jr_axes *axes, int grid) {
    const int last = axes->count - 1;
    jr_columns columns = {.count = 1,
                          .length = 1,
                          .inner = last >= 0 && !jr_axes_is_reduced(axes, last) ? axes->size[last] : 1,
                          .block = (uint32_t)plan->choice.tuning.block,
                          .grid = (uint64_t)grid};
    for (int i = 0; i < axes->count; i++)
        *(jr_axes_is_reduced(axes, i) ? &columns.length : &columns.count) *= axes->size[i];
    jr_axes_cut cut = {.columns = jr_column_cut_of(&columns),
                       .segments = jr_axes_map(axes, false),
                       .elements = jr_axes_map(axes, true)};
    cut.columns.result_bytes = jr_plan_result_stride(plan);
    return cut;
}

static jr_status launch(const jr_plan *plan, const jr_run *run, const jr_axes_kernels *kernels, int kernel,
                        jr_axes_cut *cut, void *input) {
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {input, (void *)&run->out, (void *)&kernels->parts, cut, &call};
    return jr_plan_step(plan, kernel, jr_segments_grid(plan, jr_column_cut_units(&cut->columns)), run->stream, args);
}

jr_status jr_axes_fold(const jr_plan *plan, const jr_run *run, const jr_axes_kernels *kernels, void *input,
                       const jr_axes *axes) {
    jr_axes_cut cut = cut_of(plan, axes, jr_plan_grid(plan, UINT64_MAX));
    const jr_status status = launch(plan, run, kernels, kernels->first, &cut, input);
    return status == JR_OK && cut.columns.parts > 1 ? jr_axes_join(plan, run, kernels, cut.columns.parts) : status;
}

jr_status jr_axes_join(const jr_plan *plan, const jr_run *run, const jr_axes_kernels *kernels, uint64_t parts) {
    const jr_axes rows = {.size = {parts, run->count}, .count = 2, .reduced = 1};
    jr_axes_cut cut = cut_of(plan, &rows, 1); /* in one part */
    uint64_t input = kernels->parts;
    return launch(plan, run, kernels, kernels->join, &cut, &input);
}
