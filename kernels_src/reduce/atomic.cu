// atomic: each block folds its share and combines it into one total with an atomic; the last block to come finishes.
//
// Source: the atomic sum of PyCUDA courses ("works, but slowly"), one atomic a block instead of one an element.
#include "reduce/atomic.cuh"
#include "fold/combine.cuh"
#include "fold/load.cuh"

// in: the input. out: the result. total: all clear, and clear again when the kernel ends.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_atomic(const __grid_constant__ jr_cut in, void *out, jr_total *total,
                     const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_accumulator share = jr_fold_share(reducer, in, blockIdx.x, gridDim.x);
    const jr_accumulator sum = jr_combine_block(reducer, share, jr_block_cache());
    if (threadIdx.x > 0) return;
    jr_total_combine(reducer, total, sum);
    __threadfence();
    // The counter returns to 0 by itself.
    if (atomicInc(&total->arrived, gridDim.x - 1) < gridDim.x - 1) return;
    __threadfence();
    reducer.write(out, jr_total_take(reducer, total), call.count);
}
