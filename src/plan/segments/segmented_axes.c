/* Segments along several axes: segmented_axes, element by element (kernels_src/segmented/axes/axes.cu), and
 * segmented_steps, which reduces one axis first and then the others of its accumulators (axes_join.cu). */
#include "base/error.h"
#include "parts_join.h"
#include "plan/axes.h"

/* The kernels of a plan that folds so: axes.cu, or axes_join.cu; and that of parts. */
enum { FOLD, JOIN };

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

/* Reduces merged axes of elements or accumulators to the results of a run: one launch, and another one over the parts
 * when segments were cut. parts: address of jr_parts_join_bytes, aligned to 16. input: what the first kernel takes:
 * a jr_cut, or the address of accumulators. */
static jr_status fold_axes(const jr_plan *plan, const jr_run *run, uint64_t parts, void *input, const jr_axes *axes) {
    jr_axes_cut cut = cut_of(plan, axes);
    jr_call call = jr_plan_call(plan, run);
    call.count = plan->layout.length;
    void *args[] = {input, (void *)&run->out, &parts, &cut, &call};
    const int grid = jr_segments_grid(plan, jr_column_cut_units(&cut.columns));
    const jr_status status = jr_plan_step(plan, FOLD, grid, run->stream, args);
    if (status != JR_OK || cut.columns.parts == 1) return status;
    return jr_parts_join(plan, run, JOIN, parts, cut.columns.parts);
}

/* ---- segmented_axes: in one step ---- */

static bool has_axes(const jr_job *job) {
    return job->layout.kind == JR_SEGMENTS_AXES;
}

static jr_status run_at_once(const jr_plan *plan, const jr_run *run) {
    const jr_axes axes = jr_axes_of(&plan->layout);
    jr_cut input = jr_segments_args_of(plan, run).input;
    return fold_axes(plan, run, run->workspace, &input, &axes);
}

const jr_algorithm_row jr_segmented_axes = {
    .name = "segmented_axes",
    .tuned = JR_TUNED_SEGMENTED_AXES,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/axes/axes.cu", .entry = "jr_segmented_axes"}, JR_PARTS_JOIN_KERNEL},
    .workspace_bytes = jr_parts_join_bytes,
    .launches = jr_plan_two_launches,
    .applicable = has_axes,
    .run = run_at_once};

/* ---- segmented_steps: the longest axis first, as segments of another plan ---- */

/* More than any device has, and far from the end of 64 bits. */
static const uint64_t ACCUMULATOR_BYTES_MOST = 1ull << 60;

/* The axis of the first step: the longest, which leaves the fewest accumulators; the last one where the elements' order
 * counts. */
static int choose_axis(const jr_job *job) {
    int chosen = -1;
    for (int i = 0; i < job->layout.dimensions; i++) {
        if ((job->layout.reduced >> i & 1) == 0) continue;
        if (chosen < 0 || !job->reduction->commutative || job->layout.shape[i] >= job->layout.shape[chosen]) chosen = i;
    }
    return chosen;
}

static uint64_t first_count(const jr_job *job, int axis) {
    const jr_axes axes = jr_axes_of(&job->layout);
    uint64_t count = 1;
    for (int i = 0; i < axes.count; i++)
        if (i != axis) count *= axes.size[i];
    return count;
}

/* The first step's segments number their elements by themselves: who sees the index takes segmented_axes. */
static bool has_first_step(const jr_job *job) {
    if (job->layout.kind != JR_SEGMENTS_AXES || job->reduction->sees_index) return false;
    const int axis = choose_axis(job);
    return job->layout.shape[axis] >= jr_tuned_number_of(job->device, JR_NUMBER_STEPS_LENGTH) &&
           first_count(job, axis) <= ACCUMULATOR_BYTES_MOST / job->reduction->accumulator_bytes;
}

static jr_job first_job(const jr_job *job) {
    const jr_axes axes = jr_axes_of(&job->layout);
    const int axis = choose_axis(job);
    const uint64_t inner = jr_axes_stride(&axes, axis);
    jr_job first = *job;
    first.to_state = true;
    first.adviser = NULL;
    first.layout = (jr_segment_layout){.kind = inner > 1 ? JR_SEGMENTS_STRIDED : JR_SEGMENTS_EQUAL,
                                       .length = axes.size[axis],
                                       .inner = inner > 1 ? inner : 0};
    return first;
}

/* The axes without the first step's. */
static jr_axes rest_of(const jr_plan *plan) {
    const uint64_t inner = plan->first->layout.inner, stride = inner > 0 ? inner : 1;
    jr_axes axes = jr_axes_of(&plan->layout);
    for (int i = 0; i < axes.count; i++)
        if (jr_axes_is_reduced(&axes, i) && jr_axes_stride(&axes, i) == stride) {
            axes.size[i] = 1;
            break; /* strides are of the whole array */
        }
    return jr_axes_merge(&axes);
}

/* Where things lie in the workspace: accumulators of the first step, parts of the second, the first one's workspace. */
typedef struct step_room {
    uint64_t count; /* of the first step's segments */
    size_t parts, first, end;
} step_room;

static size_t aligned(size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

static step_room room_of(const jr_plan *plan) {
    const jr_axes rest = rest_of(plan);
    step_room room = {.count = 1};
    for (int i = 0; i < rest.count; i++) room.count *= rest.size[i];
    room.parts = aligned((size_t)room.count * plan->reduction->accumulator_bytes);
    room.first = room.parts + aligned(jr_parts_join_bytes(plan));
    room.end = room.first + jr_plan_workspace(plan->first);
    return room;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return room_of(plan).end;
}

static int count_launches(const jr_plan *plan, uint64_t count) {
    return jr_plan_launches(plan->first, count) + 2;
}

static jr_status run_steps(const jr_plan *plan, const jr_run *run) {
    const step_room room = room_of(plan);
    const jr_axes rest = rest_of(plan);
    const jr_cu_deviceptr workspace = run->workspace;
    uint64_t accumulators = workspace, parts = accumulators + room.parts;
    jr_run first = *run;
    first.count = room.count;
    first.mark = 0;
    first.out = workspace;
    first.workspace = workspace + room.first;
    JR_TRY(plan->first->choice.row->run(plan->first, &first));
    return fold_axes(plan, run, parts, &accumulators, &rest);
}

const jr_algorithm_row jr_segmented_steps = {
    .name = "segmented_steps",
    .tuned = JR_TUNED_SEGMENTED_STEPS,
    .kind = JR_JOB_SEGMENTS,
    .kernels = {{.source = "segmented/axes/axes_join.cu", .entry = "jr_segmented_axes_join"}, JR_PARTS_JOIN_KERNEL},
    .workspace_bytes = workspace_bytes,
    .launches = count_launches,
    .applicable = has_first_step,
    .run = run_steps,
    .first_job = first_job};
