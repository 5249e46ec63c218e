// Ordered scans over lanes, warps and blocks: each value becomes the fold of all that stand before it.
//
// Source: the block-scan of three nested levels (thread, warp, block) of row-wise reduce-then-scan; W. Hillis, G. Steele,
// "Data Parallel Algorithms" (1986), for the lanes of a warp.
#pragma once

#include "fold/ordered.cuh"

// Scans N independent values a lane over the lanes of a warp: each becomes the fold of its own and all lower lanes'.
template <class R, class A, jr_u32 N>
__device__ __forceinline__ void jr_scan_lanes(const R &reducer, A (&values)[N]) {
#pragma unroll(jr_lane_steps<A>)
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
        JR_UNROLL_VALUES
        for (jr_u32 n = 0; n < N; n++) {
            const A before = jr_shuffle_up(values[n], distance);
            if (jr_lane() >= distance) values[n] = reducer.combine(before, values[n]);
        }
    }
}

// What a thread's warp holds of N rows of values, and what its block holds, without what stands before the block.
template <class A, jr_u32 N> struct jr_scanned_rows {
    A row[N], total; // each row's fold, and that of all
};
template <class A> struct jr_scanned_warps {
    A before, whole; // the fold of the warps before this one (of warp 0: not used), and of all
};

// Scans N rows of one value a lane; each value becomes the fold of its row up to it.
template <class R, class A, jr_u32 N>
__device__ __forceinline__ jr_scanned_rows<A, N> jr_scan_rows(const R &reducer, A (&values)[N]) {
    jr_scanned_rows<A, N> rows;
    jr_scan_lanes(reducer, values);
    JR_UNROLL_VALUES
    for (jr_u32 n = 0; n < N; n++) rows.row[n] = jr_broadcast(values[n], jr_warp_lanes - 1);
    rows.total = rows.row[0];
    JR_UNROLL_VALUES
    for (jr_u32 n = 1; n < N; n++) rows.total = reducer.combine(rows.total, rows.row[n]);
    return rows;
}

// Scans one value a warp over the warps of a block. totals: jr_block_warps accumulators in shared memory that no thread
// reads or writes between the barrier before the last one and this call's. All threads take part.
template <class R, class A>
__device__ __forceinline__ jr_scanned_warps<A> jr_scan_warps(const R &reducer, const A &total, A *totals) {
    if (jr_lane() == 0) totals[jr_warp()] = total;
    __syncthreads();
    A value[1] = {jr_lane() < jr_block_warps ? totals[jr_lane()] : reducer.identity()};
    jr_scan_lanes(reducer, value);
    return {jr_broadcast(value[0], jr_warp() - 1), jr_broadcast(value[0], jr_block_warps - 1)};
}

// The last step: rows that were scanned become the folds of all that stand before each value. before: what stands before
// the warp's first value; all its lanes have it.
template <class R, class A, jr_u32 N>
__device__ __forceinline__ void jr_scan_behind(const R &reducer, A (&values)[N], const jr_scanned_rows<A, N> &rows,
                                               A before) {
    JR_UNROLL_VALUES
    for (jr_u32 n = 0; n < N; n++) {
        const A lower = jr_shuffle_up(values[n], 1);
        values[n] = jr_lane() == 0 ? before : reducer.combine(before, lower);
        before = reducer.combine(before, rows.row[n]);
    }
}

// The same over the warps of a block. carry: what stands before its first value; all threads have it.
template <class R, class A, jr_u32 N>
__device__ __forceinline__ void jr_scan_behind(const R &reducer, A (&values)[N], const jr_scanned_rows<A, N> &rows,
                                               const jr_scanned_warps<A> &warps, const A &carry) {
    jr_scan_behind(reducer, values, rows, jr_warp() == 0 ? carry : reducer.combine(carry, warps.before));
}

// Scans N values per thread over a block. The order of values: warp by warp; in a warp the N rows in order; in a row
// lane by lane. Each value becomes the fold of the carry and all values before it. Returns the carry for the data that
// follow. totals: see jr_scan_warps. All threads call it.
template <class R, class A, jr_u32 N>
__device__ __forceinline__ A jr_scan_block(const R &reducer, A (&values)[N], const A &carry, A *totals) {
    const jr_scanned_rows<A, N> rows = jr_scan_rows(reducer, values);
    const jr_scanned_warps<A> warps = jr_scan_warps(reducer, rows.total, totals);
    jr_scan_behind(reducer, values, rows, warps, carry);
    return reducer.combine(carry, warps.whole);
}
