/* Runs exact sums. */
#include "exact_flat.h"

#include "plan/cut.h"
#include "plan/parts.h"

int jr_exact_unroll(const jr_job *job, int block) {
    enum { LOADS = 4, SUMMANDS_MOST = 32 };
    const int most = SUMMANDS_MOST / (int)jr_cut_pack_elements(job->reduction);
    (void)block;
    return most < LOADS ? most : LOADS;
}

/* Of every block but the first. */
static uint64_t record_bytes(const jr_plan *plan, uint64_t count) {
    return ((uint64_t)jr_plan_grid(plan, count) - 1) * JR_EXACT_RECORD_BYTES;
}

/* Launches that are to be short leave their blocks' sums for one that finishes. */
static bool is_split(const jr_plan *plan) {
    return plan->choice.launch_count > 0;
}

size_t jr_exact_workspace(const jr_plan *plan) {
    if (is_split(plan)) return jr_parts_workspace(plan);
    return JR_EXACT_SHARED_WORDS * sizeof(uint32_t) + (size_t)record_bytes(plan, UINT64_MAX);
}

uint64_t jr_exact_moved(const jr_plan *plan, uint64_t count) {
    if (is_split(plan)) return jr_parts_moved(plan, count);
    return 3 * record_bytes(plan, count);
}

/* Whole tiles as many times as all blocks have one, and the rest in nearly equal shares of rows. */
static jr_shares share_out(const jr_plan *plan, const jr_cut *cut, uint64_t blocks) {
    const uint64_t row = (uint64_t)plan->choice.tuning.block, unroll = (uint64_t)plan->choice.tuning.unroll;
    const uint64_t rounds = cut->pack_count / row / (unroll * blocks);
    const uint64_t left = (cut->pack_count + row - 1) / row - rounds * unroll * blocks;
    return (jr_shares){rounds * blocks, (uint32_t)(left / blocks), (uint32_t)(left % blocks)};
}

static jr_status launch(const jr_plan *plan, const jr_run *run, uint64_t partials) {
    const int grid = jr_plan_grid(plan, run->count);
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_shares shares = share_out(plan, &cut, (uint64_t)grid);
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&cut, &shares, (void *)&run->out, (void *)&run->workspace, &partials, &call};
    return jr_plan_step(plan, 0, grid, run->stream, args);
}

int jr_exact_launches(const jr_plan *plan, uint64_t count) {
    return is_split(plan) ? jr_parts_count_launches(plan, count) : 1;
}

jr_status jr_exact_run(const jr_plan *plan, const jr_run *run) {
    return is_split(plan) ? jr_parts_run(plan, run) : launch(plan, run, 0);
}

jr_status jr_exact_fold(const jr_plan *plan, const jr_run *part, uint64_t partials) {
    return launch(plan, part, partials);
}
