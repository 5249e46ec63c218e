// two_pass: one launch fills the machine and leaves one partial result a block, a second of one block finishes.
//
// Both launches are the same kernel: with partial_count 0 it folds elements, else it folds that many partial results.
// Source: the two-kernel reduction of PyCUDA courses.
#include "combine.cuh"
#include "load.cuh"

// in: the input (first launch). partials: gridDim.x accumulators, written by the first
// launch and read by the second. out: one result, written by the second.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_two_pass(const jr_cut in, jr_result *out, jr_accumulator *partials, jr_u32 partial_count,
                       jr_result initial) {
    jr_accumulator share = jr_operator::identity();
    if (partial_count == 0)
        share = jr_fold_share(in, blockIdx.x, gridDim.x);
    else
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < partial_count; i += JR_BLOCK)
            share = jr_operator::combine(share, partials[i]);
    const jr_accumulator total = jr_combine_halving(share, jr_block_cache());
    if (threadIdx.x > 0) return;
    if (partial_count == 0)
        partials[blockIdx.x] = total;
    else
        *out = jr_finish(total, initial);
}
