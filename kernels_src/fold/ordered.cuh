// Ordered combining: over lanes, warps and blocks the left operand always stands earlier in the data, which operators
// that do not commute need.
//
// Source: the block-reduce of three nested levels (thread, warp, block) of row-wise reduce-then-scan.
#pragma once

#include "fold/combine.cuh"

// Before loops over a thread's values: they are written out, but for scans of exact sums, whose states lie in memory:
// sixteen of them written out took NVRTC minutes.
#if JR_OPERATORS_EXACT
#define JR_UNROLL_VALUES _Pragma("unroll 1")
#else
#define JR_UNROLL_VALUES _Pragma("unroll")
#endif

constexpr jr_u32 jr_block_warps = JR_BLOCK / jr_warp_lanes;
// A place in shared memory that no constructor fills. Aligned to no more than its accumulator: of 12 bytes that lie at a
// multiple of 16 the compiler reads 16, and the simulator refuses what was never written.
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

JR_SHUFFLE(jr_shuffle_up, const jr_accumulator &, __shfl_up_sync) // the lane so many below; without one, itself
JR_SHUFFLE(jr_broadcast, const jr_accumulator &, __shfl_sync)     // this lane

// Steps over the lanes of a warp that are written out where each of them is waited for: all, of what is in few registers.
template <class A> constexpr jr_u32 jr_lane_steps = sizeof(A) <= 8 ? 5 : 1;

// Combines N independent values a lane over the lanes of a warp, neighbours first; lane 0 has the results. STEPS: written
// out one behind the other; others are gone through by a loop, which compiles sooner.
template <jr_u32 STEPS = 1, class R, class A, jr_u32 N>
__device__ __forceinline__ void jr_combine_lanes(const R &reducer, A (&values)[N]) {
#pragma unroll(STEPS)
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
#pragma unroll
        for (jr_u32 n = 0; n < N; n++)
            values[n] = reducer.combine(values[n], jr_shuffle_down(values[n], distance));
    }
}

// Combines the values of a block's warps, which lie in shared memory; the first warp takes part, and its lane 0 has the
// result.
template <class R, class A> __device__ __forceinline__ A jr_combine_warps(const R &reducer, const A *totals) {
    A value[1] = {jr_lane() < jr_block_warps ? totals[jr_lane()] : reducer.identity()};
    jr_combine_lanes(reducer, value);
    return value[0];
}

// Combines N values a thread over a block; thread 0 has the result. Their order: warp by warp, in a warp the N rows one
// behind the other, in a row lane by lane. totals: jr_block_warps accumulators in shared memory that no thread reads or
// writes between the barrier before the last one and this call's. All threads take part.
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

// What a lane's neighbours below left open. Lanes lie in the order of their elements; `closed`: a segment ends within
// this lane's elements, and `open` is of those behind the last such end. Returns what is open in front of this lane:
// of all lanes below down to the last closed one; *ends: whether there is a closed one. open becomes what is open
// behind this lane; all lanes take part.
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
