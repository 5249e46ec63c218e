// The walk divides the work into equal shares, along a line on which each segment has its elements and then jr_end_cost
// for the work of its end. Segment s begins at offsets[s] - offsets[0] + jr_end_cost * s. A share begins in a segment,
// or at its end. Every warp has one share, a block the shares of its warps.
#pragma once

#include "fold/ordered.cuh"
#include "segmented/common/segments.cuh"

constexpr jr_u64 jr_end_cost = JR_WALK_END_COST, jr_share_least = JR_WALK_SHARE_LEAST;

// A position between two elements: in segment s, before element e. `inside`: elements of the segment, or all of them,
// come before it.
struct jr_place {
    jr_u64 s, e;
    bool inside;
};

struct jr_walk {
    const jr_segment_cut &segments;
    jr_u64 base, length, share; // the first element; the line's length; length of a warp's share

    __device__ __forceinline__ jr_walk(const jr_segment_cut &of) : segments(of) {
        base = jr_segment_begin(of, 0);
        length = jr_segment_begin(of, of.count) - base + jr_end_cost * of.count;
        const jr_u64 warps = (jr_u64)gridDim.x * jr_block_warps;
        const jr_u64 equal = (length + warps - 1) / warps;
        share = equal > jr_share_least ? equal : jr_share_least;
    }
    __device__ __forceinline__ jr_u64 line(jr_u64 s) const { return jr_segment_begin(segments, s) - base + jr_end_cost * s; }

    // Finds the positions at `at` and `to` on the line. Half of the lanes search for each: a step, which takes a trip
    // to memory, reads 16 segments at once. Every lane of the warp calls it.
    __device__ __forceinline__ void find(jr_u64 at, jr_u64 to, jr_place &first, jr_place &end) const {
        constexpr jr_u32 half = jr_warp_lanes / 2;
        const jr_u32 lane = jr_lane(), above = lane / half * half;
        const jr_u64 wanted = above > 0 ? to : at;
        jr_u64 low = 0, high = segments.count;
#pragma unroll 1
        while (__any_sync(jr_full_mask, high - low > 1)) {
            const jr_u64 step = (high - low + half - 1) / half, probe = low + (lane - above + 1) * step;
            const jr_u32 passed = __ballot_sync(jr_full_mask, probe < high && line(probe) <= wanted) >> above;
            low += __popc(passed & ((1u << half) - 1)) * step;
            high = low + step < high ? low + step : high;
        }
        const jr_place place = inside(low, wanted);
        first = {__shfl_sync(jr_full_mask, place.s, 0), __shfl_sync(jr_full_mask, place.e, 0),
                 (bool)__shfl_sync(jr_full_mask, place.inside, 0)};
        end = {__shfl_sync(jr_full_mask, place.s, half), __shfl_sync(jr_full_mask, place.e, half),
               (bool)__shfl_sync(jr_full_mask, place.inside, half)};
    }

    // The position at `at`, which is in segment s, or after all segments.
    __device__ __forceinline__ jr_place inside(jr_u64 s, jr_u64 at) const {
        if (at >= length) return {segments.count, base + length - jr_end_cost * segments.count, false};
        const jr_u64 begin = jr_segment_begin(segments, s), elements = jr_segment_begin(segments, s + 1) - begin;
        const jr_u64 into = at - line(s);
        if (into > elements) return {s + 1, begin + elements, false};
        return {s, begin + into, into > 0};
    }
};

// What blocks write for the join: for block b, the fold of the open segment at the end of its share, and the fold of
// the elements up to its first segment's end.
struct jr_block_rest {
    jr_accumulator *tails, *heads;
    jr_u64 *head_segments; // the segment to which the head belongs; jr_no_segment: the block has no head

    __device__ __forceinline__ jr_block_rest(void *workspace, jr_u32 blocks) {
        head_segments = (jr_u64 *)workspace;
        tails = (jr_accumulator *)(head_segments + JR_WALK_NUMBERS(blocks));
        heads = tails + blocks;
    }
};
constexpr jr_u64 jr_no_segment = ~0ull;
