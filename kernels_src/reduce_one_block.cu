// one_block: a single block folds everything, each thread its share first, then the shared-memory halving tree.
//
// Source: the one-block reduction of PyCUDA courses.
#include "combine.cuh"
#include "load.cuh"

// in: the input. out: one result. Launched with one block.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_one_block(const jr_cut in, jr_result *out, jr_result initial) {
    const jr_accumulator share = jr_fold_share(in, 0, 1);
    const jr_accumulator total = jr_combine_halving(share, jr_block_cache());
    if (threadIdx.x == 0) *out = jr_finish(total, initial);
}
