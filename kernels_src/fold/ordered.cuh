// Ordered combining: over lanes, warps and blocks the left operand always comes earlier in the data, which operators
// that do not commute need.
//
// Source: the block-reduce of three nested levels (thread, warp, block) of row-wise reduce-then-scan.
#pragma once

#include "fold/combine.cuh"

// Goes before loops over a thread's values. They are unrolled, except for scans of exact sums, whose states are in
// memory: unrolling sixteen of those took NVRTC minutes.
#if JR_OPERATORS_EXACT
#define JR_UNROLL_VALUES _Pragma("unroll 1")
#else
#define JR_UNROLL_VALUES _Pragma("unroll")
#endif

constexpr jr_u32 jr_block_warps = JR_BLOCK / jr_warp_lanes;
// Shared memory for one accumulator, without a constructor. Its alignment is the accumulator's and not more: where 12
// bytes are at a multiple of 16 the compiler reads 16, and the simulator faults on bytes that were never written.
template <class A> struct alignas(A) jr_room {
    unsigned char bytes[sizeof(A)];
};
typedef jr_room<jr_accumulator> jr_room_of_one;

__device__ __forceinline__ jr_u32 jr_lane() {
    return threadIdx.x % jr_warp_lanes;
}
__device__ __forceinline__ jr_u32 jr_warp() {
    return threadIdx.x / jr_warp_lanes;
}

JR_SHUFFLE(jr_shuffle_up, const jr_accumulator &, __shfl_up_sync) // from the lane so many below, or itself
JR_SHUFFLE(jr_broadcast, const jr_accumulator &, __shfl_sync)     // this lane

// How many of the five steps over a warp's lanes are unrolled where each step waits for the one before: all for small
// accumulators.
template <class A> constexpr jr_u32 jr_lane_steps = sizeof(A) <= 8 ? 5 : 1;

// Combines N independent values per lane over the lanes of a warp, neighbours first; lane 0 has the results. STEPS: how
// many steps are unrolled; the others are a loop, which compiles sooner.
template <jr_u32 STEPS = 1, class R, class A, jr_u32 N>
__device__ __forceinline__ void jr_combine_lanes(const R &reducer, A (&values)[N]) {
#pragma unroll(STEPS)
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
#pragma unroll
        for (jr_u32 n = 0; n < N; n++)
            values[n] = reducer.combine(values[n], jr_shuffle_down(values[n], distance));
    }
}

// Combines the values of a block's warps in shared memory. The first warp calls it, and its lane 0 has the result.
template <class R, class A> __device__ __forceinline__ A jr_combine_warps(const R &reducer, const A *totals) {
    A value[1] = {jr_lane() < jr_block_warps ? totals[jr_lane()] : reducer.identity()};
    jr_combine_lanes(reducer, value);
    return value[0];
}

// Combines N values per thread over a block; thread 0 has the result. The order of values: warp by warp; in a warp the
// N rows in order; in a row lane by lane. totals: jr_block_warps accumulators in shared memory, which no thread may
// read or write between the last but one barrier and this call's barrier. All threads call it.
template <class R, class A, jr_u32 N>
__device__ __forceinline__ A jr_combine_block_ordered(const R &reducer, A (&values)[N], A *totals) {
    jr_combine_lanes(reducer, values);
#pragma unroll
    for (jr_u32 n = 1; n < N; n++) values[0] = reducer.combine(values[0], values[n]);
    if (jr_lane() == 0) totals[jr_warp()] = values[0];
    __syncthreads();
    if (jr_warp() > 0) return values[0];
    return jr_combine_warps(reducer, totals);
}

// Folds the part of a segment that lower lanes leave open. Lanes are in the order of their elements; `closed`: a
// segment ends within this lane's elements; `open`: the fold of the elements after the last such end. Returns the open
// fold before this lane: over the lower lanes down to and including the nearest closed one; *ends becomes true if a
// lower lane is closed. `open` becomes the open fold after this lane. All lanes call it.
__device__ __forceinline__ jr_accumulator jr_open_before(const jr_reducer &reducer, jr_accumulator &open, bool closed,
                                                         bool *ends) {
    const jr_u32 lane = jr_lane();
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
