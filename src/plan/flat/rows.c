/* rows: blocks march along rows of consecutive data blocks, in order; one block folds the rows' sums
 * (kernels_src/reduce/rows.cu, finish.cu). */
#include "plan/cut.h"
#include "plan/parts.h"

enum { ROWS_MAX = 1000 };

static bool applicable(const jr_job *job) {
    return job->requested.grid <= ROWS_MAX;
}

/* An array of structs without a 16-byte boundary between two of them is marched along by elements. */
static jr_deal deal(const jr_plan *plan, const jr_cut *cut, uint64_t count, uint64_t rows) {
    const bool by_elements = plan->reduction->inputs[0].type == JR_STRUCT && cut->pack_count == 0;
    (void)count;
    return jr_cut_deal(by_elements ? cut->ends : cut->pack_count,
                       (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll, rows);
}

static const jr_algorithm_parts parts = {.fold = jr_plan_fold_once, .finish = jr_plan_finish, .deal = deal};

/* A warp asks for nothing while it combines what it got: twice as many as usual wait at a time. */
const jr_algorithm_row jr_algorithm_row_ROWS = {
    .algorithm = JR_ALGORITHM_ROWS,
    .name = "rows",
    .tuned = JR_TUNED_ROWS,
    .kernels = {{.source = "reduce/rows.cu", .entry = "jr_reduce_rows"},
                {.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .grid_max = ROWS_MAX,
    .needs = "a grid of at most 1000, since it has at most 1000 rows",
    .applicable = applicable,
    JR_RUNS_IN_PARTS,
    .parts = &parts};
