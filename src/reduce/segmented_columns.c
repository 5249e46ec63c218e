/* segmented_columns: segments whose elements lie apart (kernels_src/segmented/columns.cu). */
#include "axes_fold.h"
#include "column_cut.h"

enum { COLUMNS, JOIN };

static bool applicable(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_STRIDED;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const jr_columns columns = {.count = run->count,
                                .length = plan->layout.length,
                                .inner = plan->layout.inner,
                                .block = (uint32_t)plan->choice.tuning.block,
                                .grid = (uint64_t)jr_plan_grid(plan, UINT64_MAX)};
    jr_column_cut cut = jr_column_cut_of(&columns);
    jr_segments_args given = jr_segments_args_of(plan, run);
    cut.result_bytes = given.segments.result_bytes;
    given.call.count = cut.length;
    void *args[] = {&given.input, (void *)&run->out, (void *)&run->workspace, &cut, &given.call};
    const int grid = jr_segments_grid(plan, jr_column_cut_units(&cut));
    const jr_status status = jr_plan_step(plan, COLUMNS, grid, run->stream, args);
    const jr_axes_kernels kernels = {.join = JOIN, .parts = (uint64_t)(uintptr_t)run->workspace};
    return status == JR_OK && cut.parts > 1 ? jr_axes_join(plan, run, &kernels, cut.parts) : status;
}

const jr_algorithm_row jr_segmented_columns = {
    .name = "segmented_columns",
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/columns.cu", .entry = "jr_segmented_columns"},
                {.source = "segmented/axes_join.cu", .entry = "jr_segmented_axes_join"}},
    .workspace_bytes = jr_axes_parts_bytes,
    .launches = 2,
    .applicable = applicable,
    .run = run};
