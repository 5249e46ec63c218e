/* tournament: each block plays neighbouring elements against each other, two elements a thread; one block folds what
 * the blocks leave (kernels_src/reduce/tournament.cu, finish.cu). */
#include "base/whole.h"
#include "plan/cut.h"
#include "plan/parts.h"

/* The order of elements is kept throughout. */
static bool applicable(const jr_job *job) {
    (void)job;
    return true;
}

/* Elements of one tournament. */
static uint64_t tile_count(const jr_plan *plan) {
    return 2 * (uint64_t)plan->choice.tuning.block;
}

/* As many blocks as there are tournaments for; beyond the largest grid each block plays more of them. */
static int grid(const jr_plan *plan, uint64_t count) {
    const uint64_t share = tile_count(plan) * (uint64_t)plan->choice.tuning.unroll;
    const uint64_t blocks = jr_divide_up(count, share);
    return blocks == 0 ? 1 : blocks < JR_GRID_MAX ? (int)blocks : JR_GRID_MAX;
}

static jr_deal deal(const jr_plan *plan, const jr_cut *cut, uint64_t count, uint64_t blocks) {
    (void)cut;
    return jr_cut_deal(count, tile_count(plan), blocks);
}

static const jr_algorithm_parts parts = {.fold = jr_plan_fold_once, .finish = jr_plan_finish, .deal = deal};

const jr_algorithm_row jr_algorithm_row_TOURNAMENT = {
    .algorithm = JR_ALGORITHM_TOURNAMENT,
    .name = "tournament",
    .tuned = JR_TUNED_TOURNAMENT,
    .kernels = {{.source = "reduce/tournament.cu", .entry = "jr_reduce_tournament"},
                {.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .needs = "nothing in particular",
    .applicable = applicable,
    .grid = grid,
    JR_RUNS_IN_PARTS,
    .parts = &parts};
