/* rows: blocks march along rows of consecutive data blocks, in order; one block folds the rows' sums
 * (kernels_src/reduce/rows.cu, finish.cu). */
#include "cut.h"
#include "parts.h"

enum { ROWS_MAX = 1000 };

static bool applicable(const jr_job *job) {
    return job->wishes.grid <= ROWS_MAX;
}

/* An array of structs without a 16-byte boundary between two of them is marched along by elements. */
static jr_deal deal_data_blocks(const jr_plan *plan, const jr_cut *cut, uint64_t rows) {
    const bool by_elements = plan->reduction->inputs[0].type == JR_STRUCT && cut->pack_count == 0;
    return jr_cut_deal(by_elements ? cut->ends : cut->pack_count,
                       (uint64_t)plan->choice.tuning.block * (uint64_t)plan->choice.tuning.unroll, rows);
}

static jr_status fold(const jr_plan *plan, const jr_run *part, uint64_t first, uint64_t partials) {
    const int rows = jr_plan_grid(plan, part->count);
    jr_cut cut = jr_cut_of(plan->reduction, part->in, part->count);
    jr_deal deal = deal_data_blocks(plan, &cut, (uint64_t)rows);
    jr_call call = jr_plan_call(plan, part->count);
    call.first = first;
    void *args[] = {&cut, &deal, &partials, &call};
    return jr_plan_step(plan, 0, rows, part->stream, args);
}

/* A warp asks for nothing while it combines what it got: twice as many as usual wait at a time. */
const jr_algorithm_row jr_algorithm_row_ROWS = {
    .algorithm = JR_ALGORITHM_ROWS,
    .name = "rows",
    .kernels = {{.source = "reduce/rows.cu", .entry = "jr_reduce_rows"},
                {.source = "reduce/finish.cu", .entry = "jr_reduce_finish", .alone = true}},
    .grid_max = ROWS_MAX,
    .vectors_in_flight = 6144,
    .needs = "a grid of at most 1000, since it has at most 1000 rows",
    .applicable = applicable,
    .workspace_bytes = jr_parts_workspace,
    .partial_bytes = jr_parts_moved,
    .launches = 2,
    .run = jr_parts_run,
    .fold = fold,
    .finish = jr_plan_finish};
