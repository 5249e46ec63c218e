/* bulk_copy: one block a multiprocessor folds tiles that bulk copies bring (kernels_src/reduce/bulk_copy.cu). */
#include "slots.h"

/* The instruction came with compute capability 9.0. */
static bool applicable(const jr_job *job) {
    return job->reduction->commutative && job->reduction->input_count == 1 && job->device->capability_major >= 9 &&
           (job->requested.grid == 1 || job->device->multiprocessor_count >= 2) &&
           !jr_job_is_exact_sum(job); /* which its namesake for exact sums takes */
}

static const jr_algorithm_ring ring = {
    .tiles_least = 2, .tiles_max = 8, .filling_threads = JR_WARP_LANES, .fixed_bytes = 1024};

const jr_algorithm_row jr_algorithm_row_BULK_COPY = {
    .algorithm = JR_ALGORITHM_BULK_COPY,
    .name = "bulk_copy",
    .tuned = JR_TUNED_BULK_COPY,
    .kernels = {{.source = "reduce/bulk_copy.cu", .entry = "jr_reduce_bulk_copy"}},
    .needs =
        "a commutative operator, one input, and a device of compute capability 9.0 with two multiprocessors or more",
    .applicable = applicable,
    .workspace_bytes = jr_slots_workspace,
    .partial_bytes = jr_slots_moved,
    .run = jr_plan_run_once,
    .ring = &ring};
