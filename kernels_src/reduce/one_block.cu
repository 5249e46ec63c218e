// one_block: a single block folds everything, each thread its share first, then the shared-memory halving tree.
//
// Source: the one-block reduction of PyCUDA courses.
#include "fold/combine.cuh"
#include "fold/load.cuh"

// in: the input. out: the result. Launched with one block.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_one_block(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_accumulator share = jr_fold_share(reducer, in, 0, 1);
    const jr_accumulator total = jr_combine_halving(reducer, share, jr_block_cache());
    if (threadIdx.x == 0) reducer.write(out, total, call.count);
}
