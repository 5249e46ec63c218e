/* tournament: each block plays neighbouring elements against each other, two elements a thread; one block folds what
 * the blocks leave (kernels_src/reduce/tournament.cu, finish.cu). */
#include "cut.h"
#include "parts.h"

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
    const uint64_t blocks = count / share + (count % share != 0);
    return blocks == 0 ? 1 : blocks < JR_GRID_MAX ? (int)blocks : JR_GRID_MAX;
}

static jr_status fold(const jr_plan *plan, const jr_run *part, uint64_t first, uint64_t partials) {
    const int blocks = jr_plan_grid(plan, part->count);
    jr_cut cut = jr_cut_of(plan->reduction, part->in, part->count);
    jr_deal deal = jr_cut_deal(part->count, tile_count(plan), (uint64_t)blocks);
    jr_call call = jr_plan_call(plan, part->count);
    call.first = first;
    void *args[] = {&cut, &deal, &partials, &call};
    return jr_plan_step(plan, 0, blocks, part->stream, args);
}

const jr_algorithm_row jr_algorithm_row_TOURNAMENT = {
    .algorithm = JR_ALGORITHM_TOURNAMENT,
    .name = "tournament",
    .kernels = {{.source = "reduce/tournament.cu", .entry = "jr_reduce_tournament"},
                {.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .unroll = 1,
    .needs = "nothing in particular",
    .applicable = applicable,
    .grid = grid,
    .workspace_bytes = jr_parts_workspace,
    .partial_bytes = jr_parts_moved,
    .launches = 2,
    .run = jr_parts_run,
    .fold = fold,
    .finish = jr_plan_finish};
