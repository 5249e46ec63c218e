/* single_pass of exact sums: windows in registers, digits through slots (kernels_src/exact/exact_single_pass.cu). */
#include "exact_flat.h"

static bool applicable(const jr_job *job) {
    return jr_job_is_exact_sum(job) && job->wishes.shared != JR_SHARED_STATIC;
}

const jr_algorithm_row jr_exact_single_pass = {
    .algorithm = JR_ALGORITHM_SINGLE_PASS,
    .name = "single_pass",
    .kernels = {{.source = "exact/exact_single_pass.cu", .entry = "jr_reduce_exact_single_pass", .slowly = true},
                {.source = "exact/exact_finish.cu", .entry = "jr_reduce_exact_finish", .alone = true}},
    .block = 512,
    .vectors_in_flight = 2048, /* one block a multiprocessor: its shared memory is the bins' */
    .thread_bytes = JR_EXACT_THREAD_BYTES,
    .needs = "a commutative operator, and a device of two multiprocessors or more or a grid of 1",
    .applicable = applicable,
    .choose_unroll = jr_exact_unroll,
    .workspace_bytes = jr_exact_workspace,
    .partial_bytes = jr_exact_moved,
    .count_launches = jr_exact_launches,
    .run = jr_exact_run,
    .fold = jr_exact_fold,
    .finish = jr_plan_finish};
