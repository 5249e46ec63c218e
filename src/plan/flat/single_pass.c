/* single_pass: one launch, partial results through polled slots (kernels_src/reduce/single_pass.cu). */
#include "slots.h"

/* Block 0 occupies its place while it waits for the others: two places are needed, or a single block. */
static bool applicable(const jr_job *job) {
    return job->reduction->commutative && (job->requested.grid == 1 || job->device->multiprocessor_count >= 2);
}

const jr_algorithm_row jr_algorithm_row_SINGLE_PASS = {
    .algorithm = JR_ALGORITHM_SINGLE_PASS,
    .name = "single_pass",
    .tuned = JR_TUNED_SINGLE_PASS,
    .kernels = {{.source = "reduce/single_pass.cu", .entry = "jr_reduce_single_pass"}},
    .needs = "a commutative operator, and a device of two multiprocessors or more or a grid of 1",
    .applicable = applicable,
    .workspace_bytes = jr_slots_workspace,
    .partial_bytes = jr_slots_moved,
    .run = jr_plan_run_once};
