/* Segments of views, whose elements may lie apart, backwards or upon each other: segmented_view_lines along one axis,
 * segmented_view_planes along two, and segmented_view_axes (kernels_src/segmented/views). */
#include "abi_views.h"
#include "parts_join.h"
#include "segments.h"

enum { FOLD, JOIN };

/* What is shared out, to all blocks that the plan wants. */
static jr_view_cut cut_of(const jr_plan *plan, const jr_run *run) {
    const jr_view *view = &plan->view;
    const int kept = jr_view_count(view, false);
    jr_view_cut cut = {.segments = jr_view_map_of(view, false),
                       .elements = jr_view_map_of(view, true),
                       .by_lanes = jr_view_is_by_lanes(view)};
    const jr_columns columns = {.count = run->count,
                                .length = plan->layout.length,
                                .inner = !cut.by_lanes && kept > 0 ? view->axes.size[kept - 1] : 1,
                                .block = (uint32_t)plan->choice.tuning.block,
                                .grid = (uint64_t)jr_plan_grid(plan, UINT64_MAX)};
    cut.columns = jr_column_cut_of(&columns);
    cut.columns.result_bytes = jr_plan_result_stride(plan);
    for (int i = 0; i < plan->reduction->input_count; i++) cut.arrays[i] = run->in[i];
    return cut;
}

static jr_status run_views(const jr_plan *plan, const jr_run *run) {
    jr_view_cut cut = cut_of(plan, run);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {&cut, (void *)&run->out, (void *)&run->workspace, &call};
    const int grid = jr_segments_grid(plan, jr_column_cut_units(&cut.columns));
    const jr_status status = jr_plan_step(plan, FOLD, grid, run->stream, args);
    if (status != JR_OK || cut.columns.parts == 1) return status;
    return jr_parts_join(plan, run, JOIN, run->workspace, cut.columns.parts);
}

static bool has_lines(const jr_job *job) {
    return jr_view_count(&job->view, true) <= 1;
}

static bool has_planes(const jr_job *job) {
    return jr_view_count(&job->view, true) == 2;
}

static bool has_axes(const jr_job *job) {
    return jr_view_count(&job->view, true) > 2;
}

/* What the rows have in common: all but along how many axes elements lie. */
#define READS_VIEWS(file, function)                                                                                    \
    .kind = JR_JOB_SEGMENTS, .views = true,                                                                            \
    .kernels = {{.source = (file), .entry = (function), .full_optimisation = true}, JR_PARTS_JOIN_KERNEL},             \
    .workspace_bytes = jr_parts_join_bytes, .launches = jr_plan_two_launches, .run = run_views

const jr_algorithm_row jr_segmented_view_lines = {
    READS_VIEWS("segmented/views/view_lines.cu", "jr_segmented_view_lines"), .name = "segmented_view_lines",
    .applicable = has_lines};

const jr_algorithm_row jr_segmented_view_planes = {
    READS_VIEWS("segmented/views/view_planes.cu", "jr_segmented_view_planes"), .name = "segmented_view_planes",
    .applicable = has_planes};

const jr_algorithm_row jr_segmented_view_axes = {READS_VIEWS("segmented/views/view_axes.cu", "jr_segmented_view_axes"),
                                                 .name = "segmented_view_axes", .applicable = has_axes};
