/* single_pass and one_block of the fixed tree: one launch, in which block 0 folds what each chunk leaves
 * (kernels_src/reduce/tree_single_pass.cu). */
#include "base/whole.h"
#include "plan/cut.h"
#include "plan/tree.h"

/* Block 0 occupies its place while it waits for the others: two places are needed, or a single block. */
static bool applicable(const jr_job *job) {
    return job->requested.grid == 1 || job->device->multiprocessor_count >= 2;
}

static bool is_one_block(const jr_job *job) {
    return job->requested.grid <= 1;
}

/* Chunks of a run at most: block 0 takes few values at once, and all blocks have several chunks. A warp of block 0
 * takes slots 32 times at most, 32 slots or more each time. */
enum { CHUNKS_MAX = 2048, CHUNKS_OF_WARP_MAX = 1024 };

static uint64_t chunk_elements(const jr_plan *plan, uint64_t count) {
    const uint64_t most = plan->choice.tuning.block < 2 * JR_WARP_LANES ? CHUNKS_OF_WARP_MAX : CHUNKS_MAX;
    uint64_t elements = jr_tree_tile(plan);
    for (int warps = plan->choice.tuning.block / JR_WARP_LANES; warps > 1; warps /= 2) elements *= 2;
    while (jr_divide_up(count, elements) > most) elements *= 2;
    return elements;
}

static int grid(const jr_plan *plan, uint64_t count) {
    const uint64_t chunks = jr_divide_up(count, chunk_elements(plan, count));
    if (chunks >= (uint64_t)plan->wave) return plan->wave;
    return chunks > 0 ? (int)chunks : 1;
}

static size_t workspace_bytes(const jr_plan *plan) {
    return (size_t)CHUNKS_MAX * JR_SLOT_BYTES(plan->reduction->accumulator_bytes);
}

/* A slot is written, read and cleared. */
static uint64_t moved_bytes(const jr_plan *plan, uint64_t count) {
    const uint64_t chunks = jr_divide_up(count, chunk_elements(plan, count));
    return chunks > 1 ? 3 * chunks * JR_SLOT_BYTES(plan->reduction->accumulator_bytes) : 0;
}

static jr_status run(const jr_plan *plan, const jr_run *run) {
    const uint64_t elements = chunk_elements(plan, run->count);
    jr_cut cut = jr_cut_of(plan->reduction, run->in, run->count);
    jr_tree_cut chunks = {.count = run->count, .elements = elements, .chunks = jr_divide_up(run->count, elements)};
    jr_call call = jr_plan_call(plan, run);
    void *args[] = {&cut, &chunks, (void *)&run->out, (void *)&run->workspace, &call};
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
    .grid = grid,
    .workspace_bytes = workspace_bytes,
    .partial_bytes = moved_bytes,
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
    .partial_bytes = moved_bytes,
    .run = run,
    .choices = &jr_tree_choices};
