/* Exact sums by windows and digits (kernels_src/exact/exact_collect.cuh): single_pass, with windows in registers and
 * digits through slots (exact_single_pass.cu), and bulk_copy, whose tiles come by bulk copies (exact_bulk_copy.cu). */
#include "plan/cut.h"
#include "plan/parts.h"

/* Loads of a thread: its share of what is in flight, and no more summands than stay in registers. */
static int choose_unroll(const jr_job *job, int block) {
    enum { SUMMANDS_MOST = 32 };
    const int loads = (int)jr_tuned_number_of(job->device, JR_NUMBER_EXACT_LOADS);
    const int most = SUMMANDS_MOST / (int)jr_cut_pack_elements(job->reduction);
    (void)block;
    return most < loads ? most : loads;
}

/* Of every block but the first. */
static uint64_t record_bytes(const jr_plan *plan, uint64_t count) {
    return ((uint64_t)jr_plan_grid(plan, count) - 1) * JR_EXACT_RECORD_BYTES;
}

/* Launches that are to be short leave their blocks' sums for one that finishes. */
static bool is_split(const jr_plan *plan) {
    return plan->choice.launch_count > 0;
}

/* A workspace of digits and records. */
static size_t workspace_bytes(const jr_plan *plan) {
    if (is_split(plan)) return jr_parts_workspace(plan);
    return JR_EXACT_SHARED_WORDS * sizeof(uint32_t) + (size_t)record_bytes(plan, UINT64_MAX);
}

/* What a run writes to the workspace, reads from it and clears of it. */
static uint64_t moved_bytes(const jr_plan *plan, uint64_t count) {
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

static int count_launches(const jr_plan *plan, uint64_t count) {
    return is_split(plan) ? jr_parts_count_launches(plan, count) : 1;
}

static jr_status run_sum(const jr_plan *plan, const jr_run *run) {
    return is_split(plan) ? jr_parts_run(plan, run) : launch(plan, run, 0);
}

static jr_status fold_part(const jr_plan *plan, const jr_run *part, uint64_t partials) {
    return launch(plan, part, partials);
}

/* ---- the two algorithms ---- */

static bool adds_exactly(const jr_job *job) {
    return jr_job_is_exact_sum(job) && job->requested.shared != JR_SHARED_STATIC;
}

/* The instruction came with compute capability 9.0. */
static bool copies_in_bulk(const jr_job *job) {
    return adds_exactly(job) && job->reduction->input_count == 1 && job->device->capability_major >= 9;
}

/* What a row has in common with the other: all but how elements are loaded. */
#define ADDS_EXACTLY(file, function)                                                                                   \
    .kernels = {{.source = (file), .entry = (function), .full_optimisation = true},                                    \
                {.source = "exact/exact_finish.cu", .entry = "jr_reduce_exact_finish", .alone = true}},                \
    .workspace_bytes = workspace_bytes, .partial_bytes = moved_bytes, .launches = count_launches, .run = run_sum,      \
    .choices = &choices, .shared = &bins, .parts = &parts

static const jr_algorithm_choices choices = {.unroll = choose_unroll};
static const jr_algorithm_shared bins = {.thread_bytes = JR_EXACT_THREAD_BYTES};
static const jr_algorithm_parts parts = {.fold = fold_part, .finish = jr_plan_finish};
static const jr_algorithm_ring ring = {.tiles_least = 2, .tiles_max = 5, .fixed_bytes = 1536};

const jr_algorithm_row jr_exact_single_pass = {
    ADDS_EXACTLY("exact/exact_single_pass.cu", "jr_reduce_exact_single_pass"),
    .algorithm = JR_ALGORITHM_SINGLE_PASS,
    .name = "single_pass",
    .tuned = JR_TUNED_EXACT_SINGLE_PASS,
    .needs = "a commutative operator, and a device of two multiprocessors or more or a grid of 1",
    .applicable = adds_exactly};

const jr_algorithm_row jr_exact_bulk_copy = {
    ADDS_EXACTLY("exact/exact_bulk_copy.cu", "jr_reduce_exact_bulk_copy"),
    .algorithm = JR_ALGORITHM_BULK_COPY,
    .name = "bulk_copy",
    .tuned = JR_TUNED_EXACT_BULK_COPY,
    .ring = &ring,
    .needs =
        "a commutative operator, one input, and a device of compute capability 9.0 with two multiprocessors or more",
    .applicable = copies_in_bulk};
