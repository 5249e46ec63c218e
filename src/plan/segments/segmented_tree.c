/* segmented_tree, segmented_tree_axes: segments by the fixed tree, a warp or a block each
 * (kernels_src/segmented/tree/tree.cu, tree_axes.cu). */
#include "base/whole.h"
#include "plan/axes.h"
#include "plan/tree.h"
#include "segments.h"

static bool lie_in_order(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_EQUAL || job->layout.kind == JR_SEGMENTS_OFFSETS;
}

static bool lie_apart(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_STRIDED || job->layout.kind == JR_SEGMENTS_AXES;
}

static jr_status run_in_order(const jr_plan *plan, const jr_run *run) {
    jr_segments_args given = jr_segments_args_of(plan, run);
    uint32_t together = jr_segments_together(plan, run->count);
    void *args[] = {&given.input, &given.segments, &together, (void *)&run->out, &given.call};
    return jr_plan_step(plan, 0, jr_segments_grid(plan, jr_divide_up(run->count, together)), run->stream, args);
}

/* One axis of them that is not there, as jr_axis_map has it. */
static const jr_axis_map NO_AXES = {.size = {1, 1, 1, 1}};

static jr_status run_apart(const jr_plan *plan, const jr_run *run) {
    const jr_segment_layout *layout = &plan->layout;
    jr_segments_args given = jr_segments_args_of(plan, run);
    uint32_t together = jr_segments_together(plan, run->count);
    jr_axis_map numbers = NO_AXES, elements = NO_AXES;
    if (layout->kind == JR_SEGMENTS_AXES) {
        const jr_axes axes = jr_axes_of(layout);
        numbers = jr_axes_map(&axes, false);
        elements = jr_axes_map(&axes, true);
    } else {
        numbers.size[0] = layout->inner;
        numbers.stride[0] = 1;
        numbers.size[1] = run->count / layout->inner;
        numbers.stride[1] = layout->length * layout->inner;
        elements.size[0] = layout->length;
        elements.stride[0] = layout->inner;
    }
    void *args[] = {&given.input, &given.segments, &numbers, &elements, &together, (void *)&run->out, &given.call};
    return jr_plan_step(plan, 0, jr_segments_grid(plan, jr_divide_up(run->count, together)), run->stream, args);
}

const jr_algorithm_row jr_segmented_tree = {
    .name = "segmented_tree",
    .tuned = JR_TUNED_SEGMENTED_TREE,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/tree/tree.cu", .entry = "jr_segmented_tree"}},
    .tree = true,
    .applicable = lie_in_order,
    .run = run_in_order,
    .choices = &jr_tree_choices};

const jr_algorithm_row jr_segmented_tree_axes = {
    .name = "segmented_tree_axes",
    .tuned = JR_TUNED_SEGMENTED_TREE_AXES,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/tree/tree_axes.cu", .entry = "jr_segmented_tree_axes"}},
    .tree = true,
    .applicable = lie_apart,
    .run = run_apart,
    .choices = &jr_tree_choices};
