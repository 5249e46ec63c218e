// Ordered scans over lanes, warps and blocks: each value becomes the fold of all that stand before it.
//
// Source: the block-scan of three nested levels (thread, warp, block) of row-wise reduce-then-scan; W. Hillis, G. Steele,
// "Data Parallel Algorithms" (1986), for the lanes of a warp.
#pragma once

#include "fold/ordered.cuh"

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
// totals: as of jr_combine_block_ordered.
__device__ __forceinline__ jr_progress jr_scan_warps(const jr_reducer &reducer, jr_accumulator warp_total,
                                                     jr_accumulator carry, jr_accumulator *totals) {
    if (jr_lane() == 0) totals[jr_warp()] = warp_total;
    __syncthreads();
    jr_accumulator value[1] = {jr_lane() < jr_block_warps ? totals[jr_lane()] : reducer.identity()};
    jr_scan_lanes(reducer, value);
    const jr_accumulator before = jr_broadcast(value[0], jr_warp() - 1); // of warp 0: not used
    const jr_accumulator whole = jr_broadcast(value[0], jr_block_warps - 1);
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
    for (jr_u32 n = 0; n < N; n++) row[n] = jr_broadcast(values[n], jr_warp_lanes - 1);
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
