/* Folds along axes. */
#include "axes_fold.h"

#include "column_cut.h"

/* What is shared out, to all blocks that the plan wants. */
static jr_axes_cut cut_of(const jr_plan *plan, const jr_axes *axes) {
    const int last = axes->count - 1;
    jr_columns columns = {.count = 1,
                          .length = 1,
                          .inner = last >= 0 && !jr_axes_is_reduced(axes, last) ? axes->size[last] : 1,
                          .block = (uint32_t)plan->choice.tuning.block,
                          .grid = (uint64_t)jr_plan_grid(plan, UINT64_MAX)};
    for (int i = 0; i < axes->count; i++)
        *(jr_axes_is_reduced(axes, i) ? &columns.length : &columns.count) *= axes->size[i];
    jr_axes_cut cut = {.columns = jr_column_cut_of(&columns),
                       .segments = jr_axes_map(axes, false),
                       .elements = jr_axes_map(axes, true)};
    cut.columns.result_bytes = jr_plan_result_stride(plan);
    return cut;
}

jr_status jr_axes_fold(const jr_plan *plan, const jr_run *run, uint64_t parts, void *input, const jr_axes *axes) {
    jr_axes_cut cut = cut_of(plan, axes);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {input, (void *)&run->out, &parts, &cut, &call};
    const int grid = jr_segments_grid(plan, jr_column_cut_units(&cut.columns));
    const jr_status status = jr_plan_step(plan, JR_AXES_FOLD, grid, run->stream, args);
    if (status != JR_OK || cut.columns.parts == 1) return status;
    return jr_parts_join(plan, run, JR_AXES_JOIN, parts, cut.columns.parts);
}
