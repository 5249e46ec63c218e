// Groups: lanes of a warp that fold JR_UNROLL segments at a time, by 16-byte loads of all packs that a segment touches.
//
// A group has `lanes` lanes, a power of two; lane k of it takes pack k, k + lanes, ... of a segment. What a pack holds
// of other segments is left out. Packs that are not whole within all elements are not loaded: their elements are read
// one by one.
#pragma once

#include "segments.cuh"

constexpr jr_u32 jr_group_least = 4; // lanes

// Elements of up to JR_UNROLL segments, or of the rest of them.
struct jr_group_segments {
    jr_u64 begin[JR_UNROLL];  // where the segment begins
    jr_u64 from[JR_UNROLL];   // where the rest of it does
    jr_u32 length[JR_UNROLL]; // of the rest
};

// Folds those elements of a pack pairwise that lie in a segment. offset: of its first element in the segment's rest; it
// wraps below 0, so that one comparison finds both ends.
template <jr_u32 N> struct jr_within {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u32 offset, jr_u32 length, jr_u64 index) {
        return reducer.combine(jr_within<N / 2>::fold(reducer, packs, at, offset, length, index),
                               jr_within<N / 2>::fold(reducer, packs, at + N / 2, offset, length, index));
    }
};
template <> struct jr_within<1> {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u32 offset, jr_u32 length, jr_u64 index) {
        return offset + at < length ? reducer.lift(packs.item(at, index)) : reducer.identity();
    }
};

struct jr_group {
    const jr_reducer &reducer;
    const jr_inputs &in;
    jr_u32 lanes, lane;            // of the group; this one's number in it
    jr_u64 first, packs;           // the first whole pack within all elements, and how many there are
    jr_u64 heads_end, tails_begin; // elements before the one and from the other on are in no whole pack

    // from, to: all elements.
    __device__ __forceinline__ jr_group(const jr_reducer &with, const jr_inputs &of, jr_u32 size, jr_u64 from,
                                        jr_u64 to)
        : reducer(with), in(of), lanes(size), lane(threadIdx.x & (size - 1)) {
        const jr_span all(of, from, to);
        first = all.first;
        packs = all.end > all.first ? all.end - all.first : 0;
        heads_end = from + all.heads;
        tails_begin = all.behind > heads_end ? all.behind : heads_end;
    }

    // Folds segments that begin at packs pack[u] and are `count` whole packs each.
    __device__ __forceinline__ void fold_whole(jr_accumulator (&acc)[JR_UNROLL], const jr_u64 (&pack)[JR_UNROLL],
                                               jr_u32 count) const {
#pragma unroll 1
        for (jr_u32 at = lane; at < count; at += lanes) {
            jr_packs held[JR_UNROLL];
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) held[u].load(in, pack[u] + at);
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++)
                acc[u] = reducer.combine(
                    acc[u], jr_pairwise<jr_pack_elements>::fold(reducer, held[u], 0, at * jr_pack_elements));
        }
    }

    // Folds segments wherever they begin.
    __device__ __forceinline__ void fold(jr_accumulator (&acc)[JR_UNROLL], const jr_group_segments &of) const {
        jr_u64 low[JR_UNROLL]; // the segment's first pack less `first`; it wraps below 0
        jr_u32 offset[JR_UNROLL], most = 0;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            // Counted from the pack before the first one, as jr_span does.
            const jr_u64 place = of.from[u] + (jr_pack_elements - in.head);
            low[u] = place / jr_pack_elements - 1 - first;
            offset[u] = 0 - (jr_u32)(place % jr_pack_elements);
            const jr_u32 touched = (of.length[u] - offset[u] + jr_pack_elements - 1) / jr_pack_elements;
            most = touched > most ? touched : most;
        }
        if (packs == 0) most = 0;
#pragma unroll 1
        for (jr_u32 at = lane; at < most; at += lanes) {
            jr_packs held[JR_UNROLL];
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) held[u].load(in, first + (low[u] + at < packs ? low[u] + at : 0));
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) {
                const jr_u32 inside = offset[u] + at * jr_pack_elements;
                const jr_u64 index = of.from[u] - of.begin[u] + (long long)(int)inside;
                acc[u] = reducer.combine(
                    acc[u], jr_within<jr_pack_elements>::fold(
                                reducer, held[u], 0, low[u] + at < packs ? inside : of.length[u], of.length[u], index));
            }
        }
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) acc[u] = fold_ends(acc[u], of.begin[u], of.from[u], of.length[u]);
    }

    // Folds what a segment has of the elements that are in no whole pack.
    __device__ __forceinline__ jr_accumulator fold_ends(jr_accumulator acc, jr_u64 begin, jr_u64 from,
                                                        jr_u32 length) const {
        const jr_u64 to = from + length;
        if (from >= heads_end && to <= tails_begin) return acc;
#pragma unroll 1
        for (jr_u64 e = from + lane; e < to; e += lanes)
            if (e < heads_end || e >= tails_begin)
                acc = reducer.combine(acc, reducer.lift(jr_segment_item(in, e, begin)));
        return acc;
    }

    // Combines the lanes of every group of a warp; all of them have the results. All lanes of the warp take part.
    __device__ __forceinline__ void combine(jr_accumulator (&acc)[JR_UNROLL]) const {
#pragma unroll 1
        for (jr_u32 distance = lanes / 2; distance > 0; distance /= 2) {
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++)
                acc[u] = reducer.combine(acc[u], jr_shuffle_across(acc[u], distance));
        }
    }

    // The u-th of the values, u from `low` up to low + jr_group_least.
    static __device__ __forceinline__ jr_accumulator choose(const jr_accumulator (&acc)[JR_UNROLL], jr_u32 low,
                                                            jr_u32 u) {
        jr_accumulator chosen = acc[low];
#pragma unroll
        for (jr_u32 k = 1; k < jr_group_least; k++)
            if (low + k < JR_UNROLL) chosen = u == low + k ? acc[low + k] : chosen;
        return chosen;
    }
};
