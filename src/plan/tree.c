/* Cuts elements into the chunks of the fixed tree. */
#include "tree.h"

#include "base/whole.h"
#include "cut.h"

enum { ROWS_MOST = 8 }; /* of a tile, as kernels_src/fold/tree.cuh has it */
/* Nodes of all chunks together: accumulators that one block folds at the end, within a few microseconds. */
enum { NODES_MAX = 65536, NODES_MOST_WIDE = 16384, WIDE_BYTES = 16 };

static uint64_t nodes_most(const jr_plan *plan) {
    return plan->reduction->accumulator_bytes <= WIDE_BYTES ? NODES_MAX : NODES_MOST_WIDE;
}

/* A row of a warp; a chunk has one at least, and a tile's rows where it may. */
static uint64_t row_elements(const jr_plan *plan) {
    return (uint64_t)JR_WARP_LANES * jr_cut_pack_elements(plan->reduction);
}

uint64_t jr_tree_tile(const jr_plan *plan) {
    uint64_t rows = 1;
    while (rows < ROWS_MOST && 2 * rows <= (uint64_t)plan->choice.tuning.unroll) rows *= 2;
    return rows * row_elements(plan);
}

uint64_t jr_tree_granule(const jr_reduction *reduction) {
    return (uint64_t)ROWS_MOST * JR_WARP_LANES * jr_cut_pack_elements(reduction);
}

uint64_t jr_tree_chunk(const jr_plan *plan, uint64_t count, uint64_t most) {
    uint64_t chunk = jr_tree_tile(plan);
    while (jr_divide_up(count, chunk) > nodes_most(plan)) chunk *= 2;
    while (chunk > most && chunk > row_elements(plan)) chunk /= 2;
    return chunk;
}

jr_tree_cut jr_tree_chunks_of(const jr_plan *plan, const jr_run *run) {
    const uint64_t chunk = run->flat.chunk > 0 ? run->flat.chunk : jr_tree_chunk(plan, run->count, UINT64_MAX);
    return (jr_tree_cut){.count = run->count, .elements = chunk, .chunks = jr_divide_up(run->count, chunk)};
}

int jr_tree_grid(const jr_plan *plan, uint64_t count) {
    const uint64_t warps = (uint64_t)plan->choice.tuning.block / JR_WARP_LANES;
    const uint64_t blocks = jr_divide_up(jr_divide_up(count, jr_tree_tile(plan)), warps);
    if (blocks >= (uint64_t)plan->wave) return plan->wave;
    return blocks > 0 ? (int)blocks : 1;
}

size_t jr_tree_workspace(const jr_plan *plan) {
    return (size_t)nodes_most(plan) * plan->reduction->accumulator_bytes;
}

uint64_t jr_tree_moved(const jr_plan *plan, uint64_t count) {
    const uint64_t chunk = jr_tree_chunk(plan, count, UINT64_MAX);
    return 2 * jr_divide_up(count, chunk) * plan->reduction->accumulator_bytes;
}

/* Loads of a thread are its values, too: fewer of wide accumulators and of several inputs. */
static int unroll_of_width(const jr_job *job) {
    const size_t bytes = job->reduction->accumulator_bytes;
    const int inputs = job->reduction->input_count;
    if (bytes > 32) return 1;
    if (bytes > 16 || inputs > 2) return 2;
    return bytes > 8 || inputs > 1 || job->reduction->inputs[0].bytes > 8 ? 4 : 8;
}

/* Small inputs have small tiles, so that more warps have one. Source: the thresholds of a prototype on an H100. */
enum { TWO_ROWS_BYTES = 384 << 10, FOUR_ROWS_BYTES = 2560 << 10 };

static int choose_unroll(const jr_job *job, int block) {
    const uint64_t count = jr_job_expected_count(job);
    const int most = unroll_of_width(job);
    (void)block;
    if (count == 0) return most;
    const double bytes = (double)count * (double)job->reduction->inputs[0].bytes;
    const int rows = bytes <= TWO_ROWS_BYTES ? 2 : bytes <= FOUR_ROWS_BYTES ? 4 : most;
    return rows < most ? rows : most;
}

const jr_algorithm_choices jr_tree_choices = {.unroll = choose_unroll};
