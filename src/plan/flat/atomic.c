/* atomic: one launch, each block combines what it folded into one total by an atomic (kernels_src/reduce/atomic.cu). */
#include "plan/plan.h"

/* Blocks come in any order. */
static bool applicable(const jr_job *job) {
    return job->reduction->commutative;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return JR_TOTAL_BYTES(plan->reduction->accumulator_bytes);
}

/* Read and written by each block. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    return 2 * (uint64_t)jr_plan_grid(plan, count) * ((plan->reduction->accumulator_bytes + 7) / 8 * 8);
}

const jr_algorithm_row jr_algorithm_row_ATOMIC = {
    .algorithm = JR_ALGORITHM_ATOMIC,
    .name = "atomic",
    .tuned = JR_TUNED_ATOMIC,
    .kernels = {{.source = "reduce/atomic.cu", .entry = "jr_reduce_atomic"}},
    .needs = "a commutative operator",
    .applicable = applicable,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = partial_bytes,
    .run = jr_plan_run_once};
