/* one_block for scans: a single block scans tile after tile (kernels_src/scan/rows/scan_one_block.cu). */
#include "plan/cut.h"
#include "plan/estimate_ring.h"
#include "plan/plan.h"

static bool applicable(const jr_job *job) {
    return job->layout.kind == 0;
}

static int count_launches(const jr_plan *plan, uint64_t count) {
    (void)plan;
    return count > 0;
}

/* All results but one. */
static uint64_t partial_bytes(const jr_plan *plan, uint64_t count) {
    return count > 0 ? (count - 1) * plan->reduction->output_bytes : 0;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_deal deal = jr_cut_deal(jr_cut_ordered_packs(plan->reduction, cut.head, run->count),
                               (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll, 1);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&cut, (void *)&run->out, &deal, &call};
    return jr_plan_step(plan, 0, 1, run->stream, args);
}

/* What it does in a step; not of host data, which may have to come in parts and has the same bits then, and for which
 * copies take the longer time. */
static bool is_small(const jr_job *job) {
    return jr_job_scans_as_it_likes(job) && !job->on_host &&
           jr_job_expected_count(job) <=
               jr_tuned_number_of(job->device, JR_NUMBER_SCAN_SMALL_BYTES) / job->reduction->inputs[0].bytes;
}

/* As much as the data is, in one step. */
static int choose_unroll(const jr_job *job, int block) {
    const int few = (int)jr_tuned_number_of(job->device, JR_NUMBER_SCAN_FEW_LOADS),
              many = (int)jr_tuned_number_of(job->device, JR_NUMBER_SCAN_MANY_LOADS);
    const uint64_t bytes_of_few = (uint64_t)block * (uint64_t)few * JR_VECTOR_BYTES;
    const bool more = jr_job_expected_count(job) > bytes_of_few / job->reduction->inputs[0].bytes;
    return more && job->reduction->accumulator_bytes <= 8 ? jr_estimate_fewer_for_scan(job->reduction, many) : few;
}

static const jr_algorithm_choices choices = {.preferred = is_small, .unroll = choose_unroll};

const jr_algorithm_row jr_scan_one_block = {
    .algorithm = JR_ALGORITHM_ONE_BLOCK,
    .name = "one_block",
    .tuned = JR_TUNED_SCAN_ONE_BLOCK,
    .kind = JR_JOB_SCAN,
    .kernels = {{.source = "scan/rows/scan_one_block.cu", .entry = "jr_scan_one_block"}},
    .grid_max = 1,
    .needs = "a scan",
    .applicable = applicable,
    .partial_bytes = partial_bytes,
    .launches = count_launches,
    .run = run,
    .choices = &choices};
