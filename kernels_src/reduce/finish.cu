// finish: one block folds partial results in their order and writes the result; the last step of several algorithms.
#include "fold/ordered.cuh"

// partials: partial_count of them. out: the result. Launched with one block; each thread takes neighbours.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_finish(const jr_accumulator *partials, jr_u64 partial_count, void *out,
                     const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 share = (partial_count + JR_BLOCK - 1) / JR_BLOCK, begin = threadIdx.x * share;
    const jr_u64 end = begin + share < partial_count ? begin + share : partial_count;
    jr_accumulator value[1] = {reducer.identity()};
#pragma unroll 1
    for (jr_u64 i = begin; i < end; i++) value[0] = reducer.combine(value[0], partials[i]);
    const jr_accumulator total = jr_combine_block_ordered(reducer, value, jr_block_cache());
    if (threadIdx.x == 0) reducer.write(out, total, call.count);
}
