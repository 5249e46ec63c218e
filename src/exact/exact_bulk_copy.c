/* bulk_copy of exact sums: tiles come by bulk copies (kernels_src/exact/exact_bulk_copy.cu). */
#include "exact_flat.h"

/* The instruction came with compute capability 9.0. */
static bool applicable(const jr_job *job) {
    return jr_job_is_exact_sum(job) && job->wishes.shared != JR_SHARED_STATIC && job->reduction->input_count == 1 &&
           job->device->capability_major >= 9;
}

const jr_algorithm_row jr_exact_bulk_copy = {
    .algorithm = JR_ALGORITHM_BULK_COPY,
    .name = "bulk_copy",
    .kernels = {{.source = "exact/exact_bulk_copy.cu", .entry = "jr_reduce_exact_bulk_copy", .slowly = true},
                {.source = "exact/exact_finish.cu", .entry = "jr_reduce_exact_finish", .alone = true}},
    .block = 512,
    .preferred_from_bytes = 128ull << 20, /* measured on an H200 by a prototype */
    .ring = {.tiles_least = 2, .tiles_max = 5, .fixed_bytes = 1536},
    .thread_bytes = JR_EXACT_THREAD_BYTES,
    .needs =
        "a commutative operator, one input, and a device of compute capability 9.0 with two multiprocessors or more",
    .applicable = applicable,
    .choose_unroll = jr_exact_unroll,
    .workspace_bytes = jr_exact_workspace,
    .partial_bytes = jr_exact_moved,
    .count_launches = jr_exact_launches,
    .run = jr_exact_run,
    .fold = jr_exact_fold,
    .finish = jr_plan_finish};
