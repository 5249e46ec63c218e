/* single_pass: one launch, partial results through polled slots (kernels_src/reduce/single_pass.cu). */
#include "plan.h"

/* Block 0 occupies its place while it waits for the others: two places are needed, or a single block. */
static bool applicable(const jr_spec *spec, const jr_reduction *reduction, const jr_device_info *device) {
    return reduction->commutative && (spec->grid == 1 || device->multiprocessor_count >= 2);
}

/* A slot for every block but the first. */
static size_t workspace_bytes(const jr_plan *plan) {
    const size_t grid = (size_t)jr_plan_grid(plan, UINT64_MAX);
    return (grid - 1) * JR_SLOT_BYTES(plan->reduction->accumulator_bytes);
}

/* A slot is written, read and cleared. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    const uint64_t grid = (uint64_t)jr_plan_grid(plan, count);
    return 3 * (grid - 1) * JR_SLOT_BYTES(plan->reduction->accumulator_bytes);
}

const jr_algorithm_row jr_algorithm_single_pass = {
    .algorithm = JR_ALGORITHM_SINGLE_PASS,
    .name = "single_pass",
    .kernels = {{"reduce/single_pass.cu", "jr_reduce_single_pass"}},
    .needs = "a commutative operator, and a device of two multiprocessors or more or a grid of 1",
    .splits_by_size = true,
    .applicable = applicable,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = partial_bytes,
    .launches = 1,
    .run = jr_plan_run_once};
