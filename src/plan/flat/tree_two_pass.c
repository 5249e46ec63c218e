/* two_pass of the fixed tree: one launch leaves a node for each chunk, a second of one block folds the nodes
 * (kernels_src/reduce/tree_two_pass.cu, tree_finish.cu). It works in parts, too. */
#include "plan/cut.h"
#include "plan/parts.h"
#include "plan/tree.h"

static bool applicable(const jr_job *job) {
    (void)job;
    return true;
}

static jr_status fold(const jr_plan *plan, const jr_run *part, uint64_t partials) {
    jr_cut cut = jr_cut_of(plan->reduction, part->in, part->count);
    jr_tree_cut chunks = jr_tree_chunks_of(plan, part);
    jr_call call = jr_plan_call(plan, part);
    void *args[] = {&cut, &chunks, &partials, &call};
    return jr_plan_step(plan, 0, jr_plan_grid(plan, part->count), part->stream, args);
}

static const jr_algorithm_parts parts = {.fold = fold, .finish = jr_plan_finish};

const jr_algorithm_row jr_tree_two_pass = {
    .algorithm = JR_ALGORITHM_TWO_PASS,
    .name = "two_pass",
    .tuned = JR_TUNED_TREE_TWO_PASS,
    .kernels = {{.source = "reduce/tree_two_pass.cu", .entry = "jr_reduce_tree_two_pass"},
                {.source = "reduce/tree_finish.cu", .entry = "jr_reduce_tree_finish", .alone = true}},
    .tree = true,
    .needs = "nothing",
    .applicable = applicable,
    .grid = jr_tree_grid,
    .workspace_bytes = jr_tree_workspace,
    .partial_bytes = jr_tree_moved,
    .launches = jr_parts_count_launches,
    .run = jr_parts_run,
    .parts = &parts,
    .choices = &jr_tree_choices};
