// Ordered combining: scans over lanes, warps and blocks in which the left operand always stands earlier in the data, so
// that operators need not be commutative.
//
// Source: the block-reduce and block-scan of three nested levels (thread, warp, block) of row-wise reduce-then-scan; W.
// Hillis, G. Steele, "Data Parallel Algorithms" (1986), for the lanes of a warp.
#pragma once

#include "combine.cuh"

constexpr jr_u32 jr_block_warps = JR_BLOCK / jr_warp_lanes;

__device__ __forceinline__ jr_u32 jr_lane() {
    return threadIdx.x % jr_warp_lanes;
}
__device__ __forceinline__ jr_u32 jr_warp() {
    return threadIdx.x / jr_warp_lanes;
}

// Returns the accumulator of the lane `distance` below in the same warp, of a lane of it by number; every lane of the
// warp takes part. A lane below the distance gets its own.
__device__ __forceinline__ jr_accumulator jr_shuffle_up(jr_accumulator value, jr_u32 distance) {
    jr_accumulator_bits bits;
    bits.value = value;
#pragma unroll
    for (jr_u32 w = 0; w < jr_accumulator_words; w++)
        bits.words[w] = __shfl_up_sync(jr_full_mask, bits.words[w], distance);
    return bits.value;
}
__device__ __forceinline__ jr_accumulator jr_shuffle_from(jr_accumulator value, jr_u32 lane) {
    jr_accumulator_bits bits;
    bits.value = value;
#pragma unroll
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) bits.words[w] = __shfl_sync(jr_full_mask, bits.words[w], lane);
    return bits.value;
}

// Folds N independent values a lane over the lanes of a warp, in their order; lane 0 has the results.
template <jr_u32 N>
__device__ __forceinline__ void jr_combine_lanes(const jr_reducer &reducer, jr_accumulator (&values)[N]) {
#pragma unroll 1
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
#pragma unroll
        for (jr_u32 n = 0; n < N; n++)
            values[n] = reducer.combine(values[n], jr_shuffle_down(values[n], distance));
    }
}

// Scans N independent values a lane over the lanes of a warp: each becomes the fold of its own and all lower lanes'.
template <jr_u32 N>
__device__ __forceinline__ void jr_scan_lanes(const jr_reducer &reducer, jr_accumulator (&values)[N]) {
#pragma unroll 1
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
#pragma unroll
        for (jr_u32 n = 0; n < N; n++) {
            const jr_accumulator before = jr_shuffle_up(values[n], distance);
            if (jr_lane() >= distance) values[n] = reducer.combine(before, values[n]);
        }
    }
}

// What a block has folded so far: of a warp's part of the data, everything before it, and everything up to its block's
// end.
struct jr_progress {
    jr_accumulator before, after;
};

// Scans one value a warp over the warps of a block. carry: what lies before the block's data; all lanes have it.
// totals: jr_block_warps accumulators in shared memory that no thread reads or writes between the barrier before the
// last one and this call's.
__device__ __forceinline__ jr_progress jr_scan_warps(const jr_reducer &reducer, jr_accumulator warp_total,
                                                     jr_accumulator carry, jr_accumulator *totals) {
    if (jr_lane() == 0) totals[jr_warp()] = warp_total;
    __syncthreads();
    jr_accumulator value[1] = {jr_lane() < jr_block_warps ? totals[jr_lane()] : reducer.identity()};
    jr_scan_lanes(reducer, value);
    const jr_accumulator before = jr_shuffle_from(value[0], jr_warp() - 1); // of warp 0: not used
    const jr_accumulator whole = jr_shuffle_from(value[0], jr_block_warps - 1);
    return {jr_warp() == 0 ? carry : reducer.combine(carry, before), reducer.combine(carry, whole)};
}

// Scans N values a thread over a block. Their order: warp by warp, in a warp the N rows one behind the other, in a row
// lane by lane. Each becomes the fold of all that stand before it, the carry first. Returns the carry of the next data.
// totals: as above. All threads take part.
template <jr_u32 N>
__device__ __forceinline__ jr_accumulator jr_scan_block(const jr_reducer &reducer, jr_accumulator (&values)[N],
                                                        jr_accumulator carry, jr_accumulator *totals) {
    jr_accumulator row[N];
    jr_scan_lanes(reducer, values);
#pragma unroll
    for (jr_u32 n = 0; n < N; n++) row[n] = jr_shuffle_from(values[n], jr_warp_lanes - 1);
    jr_accumulator total = row[0];
#pragma unroll
    for (jr_u32 n = 1; n < N; n++) total = reducer.combine(total, row[n]);
    const jr_progress progress = jr_scan_warps(reducer, total, carry, totals);
    jr_accumulator before = progress.before;
#pragma unroll
    for (jr_u32 n = 0; n < N; n++) {
        const jr_accumulator lower = jr_shuffle_up(values[n], 1);
        values[n] = jr_lane() == 0 ? before : reducer.combine(before, lower);
        before = reducer.combine(before, row[n]);
    }
    return progress.after;
}

// Folds N values a thread over a block, in the order of jr_scan_block, behind the carry. Thread 0 has the result; all
// threads take part. totals: as above.
template <jr_u32 N>
__device__ __forceinline__ jr_accumulator jr_combine_ordered(const jr_reducer &reducer, jr_accumulator (&values)[N],
                                                             jr_accumulator carry, jr_accumulator *totals) {
    jr_combine_lanes(reducer, values);
#pragma unroll
    for (jr_u32 n = 1; n < N; n++) values[0] = reducer.combine(values[0], values[n]);
    if (jr_lane() == 0) totals[jr_warp()] = values[0];
    __syncthreads();
    if (jr_warp() > 0) return carry;
    const jr_accumulator value = jr_lane() < jr_block_warps ? totals[jr_lane()] : reducer.identity();
    return reducer.combine(carry, jr_combine_warp_ordered(reducer, value));
}
