// Combining: one value of each thread of a block becomes one value, in an order that never changes.
#pragma once

#include "operators/reducer.cuh"

// What a lane gets of another one in the same warp, word by word; every lane takes part. lane: as the instruction takes
// it. given: jr_accumulator, or a reference to one: registers are allotted differently, as the kernels were measured.
#define JR_SHUFFLE(name, given, instruction)                                                                           \
    __device__ __forceinline__ jr_accumulator name(given value, jr_u32 lane) {                                         \
        jr_accumulator_bits bits;                                                                                      \
        bits.value = value;                                                                                            \
        _Pragma("unroll(jr_unrolled_words<jr_accumulator>)") for (jr_u32 w = 0; w < jr_accumulator_words; w++)         \
            bits.words[w] = instruction(jr_full_mask, bits.words[w], lane);                                            \
        return bits.value;                                                                                             \
    }
JR_SHUFFLE(jr_shuffle_down, jr_accumulator, __shfl_down_sync)  // the lane so many above
JR_SHUFFLE(jr_shuffle_across, jr_accumulator, __shfl_xor_sync) // the lane whose number differs in this bit

// Combines the values of a warp; lane 0 has the result.
__device__ __forceinline__ jr_accumulator jr_combine_warp(const jr_reducer &reducer, jr_accumulator value) {
#pragma unroll 1
    for (jr_u32 distance = jr_warp_lanes / 2; distance > 0; distance /= 2)
        value = reducer.combine(value, jr_shuffle_down(value, distance));
    return value;
}

// Combines the values of a block: the first warp folds what all left in shared memory, four neighbours a lane where
// they fill it, and then its own lanes by shuffles. Thread 0 has the result; the other warps have nothing. All threads
// take part, once. cache: JR_BLOCK accumulators in shared memory, aligned to 16 bytes.
// Four of 4 bytes come with one load: as quick as an unrolled loop, whose code takes longer to make.
__device__ __forceinline__ jr_accumulator jr_combine_block(const jr_reducer &reducer, jr_accumulator value,
                                                          jr_accumulator *cache) {
    constexpr jr_u32 quad = JR_BLOCK % (4 * jr_warp_lanes) == 0 ? 4 : 1;
    cache[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x >= jr_warp_lanes) return value;
    value = reducer.identity();
#pragma unroll 1
    for (jr_u32 i = 0; i < JR_BLOCK; i += jr_warp_lanes * quad) {
        const jr_accumulator *four = cache + i + threadIdx.x * quad;
        jr_accumulator sum = four[0];
        if (quad == 4) sum = reducer.combine(reducer.combine(sum, four[1]), reducer.combine(four[2], four[3]));
        value = reducer.combine(value, sum);
    }
    return jr_combine_warp(reducer, value);
}

// Combines the values of a block by halving: the threads below `active` fold the value `active` away, a barrier a round.
// cache: JR_BLOCK accumulators in shared memory. Sizes that are no power of two round the half up, and the middle value
// waits. All threads take part; all of them may read the result after the last barrier.
// Source: the shared-memory one-block reduction of PyCUDA courses; M. Harris, "Optimizing Parallel Reduction in CUDA".
__device__ __forceinline__ jr_accumulator jr_combine_halving(const jr_reducer &reducer, jr_accumulator value,
                                                            jr_accumulator *cache) {
    cache[threadIdx.x] = value;
    for (jr_u32 left = JR_BLOCK; left > 1;) {
        const jr_u32 active = (left + 1) / 2;
        __syncthreads();
        if (threadIdx.x + active < left)
            cache[threadIdx.x] = reducer.combine(cache[threadIdx.x], cache[threadIdx.x + active]);
        left = active;
    }
    __syncthreads();
    return cache[0];
}

// The halving's cache: sized when compiled (static) or when launched (dynamic), by JR_SHARED_DYNAMIC.
__device__ __forceinline__ jr_accumulator *jr_block_cache() {
#if JR_SHARED_DYNAMIC
    extern __shared__ __align__(16) unsigned char jr_dynamic_shared[];
    return (jr_accumulator *)jr_dynamic_shared;
#else
    __shared__ __align__(16) unsigned char cache[JR_BLOCK * sizeof(jr_accumulator)];
    return (jr_accumulator *)cache;
#endif
}
