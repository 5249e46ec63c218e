/* single_pass and one_block of the fixed tree: one launch, in which block 0 folds what all leave
 * (kernels_src/reduce/tree_single_pass.cu). */
#include "plan/cut.h"
#include "plan/tree.h"

/* Block 0 occupies its place while it waits for the others: two places are needed, or a single block. */
static bool applicable(const jr_job *job) {
    return job->requested.grid == 1 || job->device->multiprocessor_count >= 2;
}

static bool is_one_block(const jr_job *job) {
    return job->requested.grid <= 1;
}

/* Marks of all blocks stand before the nodes. */
static size_t marks_bytes(const jr_plan *plan) {
    return ((size_t)jr_plan_grid(plan, UINT64_MAX) * sizeof(uint32_t) + 15) / 16 * 16;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return marks_bytes(plan) + jr_tree_workspace(plan);
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_tree_cut chunks = jr_tree_chunks_of(plan, run);
    jr_call call = jr_plan_call(plan, run);
    uint64_t marks = run->workspace, nodes = marks + marks_bytes(plan);
    void *args[] = {&cut, &chunks, &nodes, (void *)&run->out, &marks, &call};
    return jr_plan_step(plan, 0, jr_plan_grid(plan, run->count), run->stream, args);
}

const jr_algorithm_row jr_tree_single_pass = {
    .algorithm = JR_ALGORITHM_SINGLE_PASS,
    .name = "single_pass",
    .tuned = JR_TUNED_TREE_SINGLE_PASS,
    .kernels = {{.source = "reduce/tree_single_pass.cu", .entry = "jr_reduce_tree_single_pass"}},
    .tree = true,
    .needs = "a device of two multiprocessors or more or a grid of 1",
    .applicable = applicable,
    .grid = jr_tree_grid,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = jr_tree_moved,
    .run = run,
    .choices = &jr_tree_choices};

const jr_algorithm_row jr_tree_one_block = {
    .algorithm = JR_ALGORITHM_ONE_BLOCK,
    .name = "one_block",
    .tuned = JR_TUNED_TREE_ONE_BLOCK,
    .kernels = {{.source = "reduce/tree_single_pass.cu", .entry = "jr_reduce_tree_single_pass"}},
    .tree = true,
    .grid_max = 1,
    .needs = "a grid of 1, since it is a single block",
    .applicable = is_one_block,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = jr_tree_moved,
    .run = run,
    .choices = &jr_tree_choices};
