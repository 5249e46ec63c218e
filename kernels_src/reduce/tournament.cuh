// The tournament: a tree over neighbouring threads of a block, a barrier a round, half as many threads in each.
#pragma once

#include "fold/combine.cuh"

// Combines the values of a block: in the round of `step`, threads whose number 2 * step divides fold the value `step`
// away. Thread 0 has the result; all threads take part, and none may still read the cache. cache: JR_BLOCK accumulators
// in shared memory. The order is kept: before that round thread t, when `step` divides it, has the values t to t + step
// - 1 of the block in their order, and it folds those that follow them. Sizes that are no power of two leave a thread
// without an opponent, which waits. Source: the knock-out form of "Parallele Reduktion" (Linux-Magazin), where all
// threads stay until the last round.
__device__ __forceinline__ jr_accumulator jr_combine_tournament(const jr_reducer &reducer, jr_accumulator value,
                                                               jr_accumulator *cache) {
    cache[threadIdx.x] = value;
#pragma unroll 1
    for (jr_u32 step = 1; step < JR_BLOCK; step *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * step) == 0 && threadIdx.x + step < JR_BLOCK)
            cache[threadIdx.x] = reducer.combine(cache[threadIdx.x], cache[threadIdx.x + step]);
    }
    return cache[threadIdx.x];
}
