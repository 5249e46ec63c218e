/* Makes plans of segments and runs them. */
#include "base/error.h"
#include "segment.h"

/* In the order of preference. */
static const jr_segment_row *const rows[] = {&jr_segmented_columns, &jr_segmented_short,  &jr_segmented_lanes,
                                             &jr_segmented_warps,   &jr_segmented_blocks, &jr_segmented_walk};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static const jr_segment_row *find_row(const jr_segment_layout *layout, const jr_reduction *reduction) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i]->applicable(layout, reduction)) return rows[i];
    return NULL;
}

static jr_status check_layout(const jr_segment_layout *layout) {
    if ((int)layout->kind < JR_SEGMENTS_EQUAL || layout->kind > JR_SEGMENTS_STRIDED)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown layout kind %d: set layout.kind to a JR_SEGMENTS_ value",
                       (int)layout->kind);
    if (layout->kind == JR_SEGMENTS_STRIDED && layout->inner == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "strided segments with an inner of 0: 1 or more elements must lie "
                                                  "from one of a segment to the next");
    return JR_OK;
}

/* Shared memory of a thread: an accumulator, its share of a patch of 2 KiB a warp, and the ends of segments. */
static size_t shared_bytes(const jr_reduction *reduction, int block) {
    enum { PATCH_AND_ENDS = 84 };
    return (size_t)block * (reduction->accumulator_bytes + reduction->accumulator_bytes / 16 + PATCH_AND_ENDS);
}

/* Every device has 48 KiB of static shared memory a block. A long segment has its 16-byte loads in flight by chains, as
 * the flat reduction has. */
static jr_status tune(const jr_algorithm_row *row, const jr_reduction *reduction, jr_spec *spec) {
    enum { SHARED_LIMIT = 49152, DEFAULT_BLOCK = 256, DEFAULT_UNROLL = 4 };
    if (spec->algorithm != JR_ALGORITHM_AUTO || spec->shared == JR_SHARED_DYNAMIC || spec->max_launch_ms > 0)
        return jr_fail(JR_ERROR_NOT_APPLICABLE,
                       "segments have algorithms of their own: leave spec.algorithm (%d), spec.shared (%d) and "
                       "spec.max_launch_ms (%g) 0",
                       (int)spec->algorithm, (int)spec->shared, (double)spec->max_launch_ms);
    if (spec->unroll == 0)
        spec->unroll = row->unroll > 0 && reduction->accumulator_bytes <= 8 ? row->unroll
                       : reduction->accumulator_bytes <= 16                 ? DEFAULT_UNROLL
                                                                            : 1;
    if (spec->block > 0 && shared_bytes(reduction, spec->block) > SHARED_LIMIT)
        return jr_fail(JR_ERROR_LAUNCH_RESOURCES,
                       "a block of %d threads needs %zu bytes of shared memory; %d are there: choose a smaller block",
                       spec->block, shared_bytes(reduction, spec->block), SHARED_LIMIT);
    if (spec->block > 0) return JR_OK;
    spec->block = row->block > 0 ? row->block : DEFAULT_BLOCK;
    while (shared_bytes(reduction, spec->block) > SHARED_LIMIT) spec->block /= 2;
    return JR_OK;
}

jr_status jr_segment_plan_make(jr_context *context, const jr_spec *spec, const jr_segment_layout *layout,
                               jr_plan **plan) {
    jr_reduction *reduction = NULL;
    jr_plan *made;
    jr_status status = check_layout(layout);
    if (status == JR_OK) status = jr_reduction_create(spec, &reduction);
    if (status != JR_OK) return status;
    jr_spec tuned = *spec;
    const jr_segment_row *row = find_row(layout, reduction);
    status = tune(&row->row, reduction, &tuned);
    if (status == JR_OK) status = jr_plan_make(context, &tuned, &row->row, &made);
    jr_reduction_destroy(reduction);
    if (status != JR_OK) return status;
    made->layout = *layout;
    *plan = made;
    return JR_OK;
}

jr_status jr_segment_refuse(const jr_plan *plan, const jr_run *run) {
    (void)plan, (void)run;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "this is a plan of segments: run it with jr_segment_plan_run");
}

jr_cut jr_segment_input(const jr_plan *plan, const jr_segment_run *run) {
    return jr_cut_of(plan->reduction, run->in, UINT64_MAX);
}

jr_segment_cut jr_segment_cut_of(const jr_plan *plan, const jr_segment_run *run) {
    return (jr_segment_cut){.offsets = (uint64_t)(uintptr_t)run->segments.offsets,
                            .count = run->segments.count,
                            .length = plan->layout.length,
                            .result_bytes = plan->reduction->output_bytes};
}

int jr_segment_grid(const jr_plan *plan, uint64_t wanted) {
    const int most = jr_plan_grid(plan, UINT64_MAX);
    return wanted >= (uint64_t)most ? most : wanted > 0 ? (int)wanted : 1;
}

static jr_status check_addresses(const jr_plan *plan, const jr_segment_run *run, uint64_t elements) {
    const bool unknown = plan->layout.kind == JR_SEGMENTS_OFFSETS;
    for (int i = 0; i < plan->reduction->input_count; i++) {
        const jr_input *input = &plan->reduction->inputs[i];
        const uint64_t address = (uint64_t)(uintptr_t)run->in[i];
        if (address == 0 && (unknown || elements > 0))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "input %d is NULL, but there are segments", i);
        if (address % input->alignment != 0 || elements > (UINT64_MAX - address) / input->bytes)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "input %d, %llu elements at address %p, is not aligned to its elements of %zu bytes or "
                           "goes beyond the address space",
                           i, (unsigned long long)elements, run->in[i], input->alignment);
    }
    if (run->out == NULL || (uintptr_t)run->out % plan->reduction->output_alignment != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the output address %p is NULL or not aligned to %zu bytes", run->out,
                       plan->reduction->output_alignment);
    if ((uintptr_t)run->workspace % 16 != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the workspace address %p is not aligned to 16 bytes",
                       run->workspace);
    return JR_OK;
}

jr_status jr_segment_plan_start(const jr_plan *plan, const jr_segment_run *run) {
    bool pushed;
    uint64_t elements;
    jr_segment_run filled = *run;
    if (plan->layout.kind == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "this is not a plan of segments: make it with jr_segment_plan_create");
    jr_status status = jr_segment_elements(&plan->layout, &run->segments, false, &elements);
    if (status != JR_OK || run->segments.count == 0) return status;
    if (filled.workspace == NULL)
        filled.workspace = (void *)(uintptr_t)plan->workspace; /* NOLINT(performance-no-int-to-ptr) */
    status = check_addresses(plan, &filled, elements);
    if (status == JR_OK) status = jr_device_enter(&plan->context->device, &pushed);
    if (status != JR_OK) return status;
    status = find_row(&plan->layout, plan->reduction)->run(plan, &filled);
    jr_device_leave(&plan->context->device, pushed);
    return status;
}
