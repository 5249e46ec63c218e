/* segmented_columns: segments whose elements lie apart (kernels_src/segmented/columns.cu). */
#include "column_cut.h"
#include "segments.h"

enum { COLUMNS, JOIN };

static bool applicable(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_STRIDED;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)jr_plan_grid(plan, UINT64_MAX) * (size_t)plan->choice.tuning.block *
           plan->reduction->accumulator_bytes;
}

static jr_status join(const jr_plan *plan, const jr_run *run, const jr_column_cut *first, jr_call *call) {
    const jr_columns columns = {.count = first->count,
                                .length = first->parts,
                                .inner = first->count,
                                .block = (uint32_t)plan->choice.tuning.block,
                                .grid = 1}; /* in one part */
    jr_column_cut cut = jr_column_cut_of(&columns);
    cut.result_bytes = first->result_bytes;
    void *args[] = {(void *)&run->out, (void *)&run->workspace, &cut, call};
    return jr_plan_step(plan, JOIN, jr_segments_grid(plan, jr_column_cut_units(&cut)), run->stream, args);
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
    return status == JR_OK && cut.parts > 1 ? join(plan, run, &cut, &given.call) : status;
}

const jr_algorithm_row jr_segmented_columns = {
    .name = "segmented_columns",
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/columns.cu", .entry = "jr_segmented_columns"},
                {.source = "segmented/columns_join.cu", .entry = "jr_segmented_columns_join"}},
    .workspace_bytes = workspace_bytes,
    .launches = 2,
    .applicable = applicable,
    .run = run};
