// Ordered combining: lanes and threads in the order of their elements, which operators that do not commute need.
#pragma once

#include "combine.cuh"

// Returns the accumulator of the lane `distance` below in the same warp; every lane of the warp takes part.
__device__ __forceinline__ jr_accumulator jr_shuffle_up(const jr_accumulator &value, jr_u32 distance) {
    jr_accumulator_bits bits;
    bits.value = value;
#pragma unroll
    for (jr_u32 w = 0; w < jr_accumulator_words; w++)
        bits.words[w] = __shfl_up_sync(jr_full_mask, bits.words[w], distance);
    return bits.value;
}
// Returns the accumulator of lane `lane`.
__device__ __forceinline__ jr_accumulator jr_broadcast(const jr_accumulator &value, jr_u32 lane) {
    jr_accumulator_bits bits;
    bits.value = value;
#pragma unroll
    for (jr_u32 w = 0; w < jr_accumulator_words; w++)
        bits.words[w] = __shfl_sync(jr_full_mask, bits.words[w], lane);
    return bits.value;
}

// What a lane's neighbours below left open. Lanes lie in the order of their elements; `closed`: a segment ends within
// this lane's elements, and `open` is of those behind the last such end. Returns what is open in front of this lane:
// of all lanes below down to the last closed one; *ends: whether there is a closed one. open becomes what is open
// behind this lane; all lanes take part.
__device__ __forceinline__ jr_accumulator jr_open_before(const jr_reducer &reducer, jr_accumulator &open, bool closed,
                                                         bool *ends) {
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    int stop = closed;
#pragma unroll 1
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
        const jr_accumulator below = jr_shuffle_up(open, distance);
        const int below_stop = __shfl_up_sync(jr_full_mask, stop, distance);
        if (lane >= distance && !stop) {
            open = reducer.combine(below, open);
            stop = below_stop;
        }
    }
    const jr_accumulator before = jr_shuffle_up(open, 1);
    const int before_stop = __shfl_up_sync(jr_full_mask, stop, 1);
    *ends = lane > 0 && before_stop;
    return lane > 0 ? before : reducer.identity();
}

// Combines the values of `count` groups of threads, `width` threads each, in the order of the groups: thread t < width
// has the result of threads t, t + width, ... cache: JR_BLOCK accumulators in shared memory. All threads take part.
__device__ __forceinline__ jr_accumulator jr_combine_groups(const jr_reducer &reducer, const jr_accumulator &value,
                                                            jr_accumulator *cache, jr_u32 width, jr_u32 count) {
    const jr_u32 group = threadIdx.x / width;
    cache[threadIdx.x] = value;
#pragma unroll 1
    for (jr_u32 distance = 1; distance < count; distance *= 2) {
        __syncthreads();
        if (group % (2 * distance) == 0 && group + distance < count)
            cache[threadIdx.x] = reducer.combine(cache[threadIdx.x], cache[threadIdx.x + distance * width]);
    }
    return cache[threadIdx.x];
}
