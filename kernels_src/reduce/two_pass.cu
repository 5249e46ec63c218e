// two_pass: one launch fills the machine and leaves one partial result a block, a second of one block finishes.
//
// Both launches are the same kernel: with partial_count 0 it folds elements, else it folds that many partial results.
// Source: the two-kernel reduction of PyCUDA courses.
#include "fold/combine.cuh"
#include "fold/load.cuh"

// in: the input (first launch). partials: room for partial_count accumulators; the first launch writes gridDim.x of them,
// the second reads partial_count. out: the result, written by the second.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_two_pass(const __grid_constant__ jr_cut in, void *out, jr_accumulator *partials, jr_u64 partial_count,
                       const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_accumulator share = reducer.identity();
    if (partial_count == 0)
        share = jr_fold_share(reducer, in, blockIdx.x, gridDim.x);
    else
#pragma unroll 1
        for (jr_u64 i = threadIdx.x; i < partial_count; i += JR_BLOCK) share = reducer.combine(share, partials[i]);
    const jr_accumulator total = jr_combine_halving(reducer, share, jr_block_cache());
    if (threadIdx.x > 0) return;
    if (partial_count == 0)
        partials[blockIdx.x] = total;
    else
        reducer.write(out, total, call.count);
}
