// Groups: lanes of a warp that fold JR_UNROLL segments at a time, by 16-byte loads of all packs that a segment touches.
//
// A group has `lanes` lanes, a power of two; lane k of it takes pack k, k + lanes, ... of a segment. Elements of other
// segments in a pack are skipped. Packs that are not whole within all elements are not loaded: their elements are read
// one by one.
#pragma once

#include "segmented/common/segments.cuh"
#if JR_OPERATORS_STATISTICS
#include "fold/moments.cuh"
#endif

constexpr jr_u32 jr_group_least = JR_GROUP_MIN;
constexpr jr_u32 jr_group_writers = 1 << jr_group_least;

// Up to JR_UNROLL segments that lie near each other, or the rest of each: its elements that are not folded yet.
struct jr_group_segments {
    jr_u64 base;              // an element before all of them
    jr_u32 from[JR_UNROLL];   // elements from there to the rest of the segment
    jr_u32 length[JR_UNROLL]; // of the rest
    jr_u64 before[JR_UNROLL]; // elements of the segment before its rest
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

// Folds into an accumulator the elements of a whole pack, or those of a pack's elements that are within the segment.
__device__ __forceinline__ void jr_take_pack(const jr_reducer &reducer, jr_accumulator &acc, const jr_packs &packs,
                                             jr_u64 index) {
#if JR_ADDS_IN_PLACE
#pragma unroll 1
    for (jr_u32 k = 0; k < jr_pack_elements; k++) jr_take(reducer, acc, packs.item(k, index));
#else
    acc = reducer.combine(acc, jr_pairwise<jr_pack_elements>::fold(reducer, packs, 0, index));
#endif
}
__device__ __forceinline__ void jr_take_within(const jr_reducer &reducer, jr_accumulator &acc, const jr_packs &packs,
                                               jr_u32 offset, jr_u32 length, jr_u64 index) {
#if JR_ADDS_IN_PLACE
#pragma unroll 1
    for (jr_u32 k = 0; k < jr_pack_elements; k++)
        if (offset + k < length) jr_take(reducer, acc, packs.item(k, index));
#else
    acc = reducer.combine(acc, jr_within<jr_pack_elements>::fold(reducer, packs, 0, offset, length, index));
#endif
}

// What groups do with accumulators.
struct jr_plain_terms {
    // An accumulator that has the first element; and one that is yet to take it.
    static __device__ __forceinline__ jr_accumulator with(const jr_reducer &reducer, const jr_item &first) {
        return reducer.lift(first);
    }
    static __device__ __forceinline__ jr_accumulator before(const jr_reducer &reducer, const jr_item &) {
        return reducer.identity();
    }
    // element: the first one of the segment, where there is one.
    static __device__ __forceinline__ void begin(const jr_reducer &reducer, const jr_cut &, jr_u64,
                                                 jr_accumulator &acc) {
        acc = reducer.identity();
    }
    static __device__ __forceinline__ void take_pack(const jr_reducer &reducer, jr_accumulator &acc,
                                                     const jr_packs &packs, jr_u64 index) {
        jr_take_pack(reducer, acc, packs, index);
    }
    static __device__ __forceinline__ void take_within(const jr_reducer &reducer, jr_accumulator &acc,
                                                       const jr_packs &packs, jr_u32 offset, jr_u32 length,
                                                       jr_u64 index) {
        jr_take_within(reducer, acc, packs, offset, length, index);
    }
    static __device__ __forceinline__ void take(const jr_reducer &reducer, jr_accumulator &acc, const jr_item &item) {
        jr_take(reducer, acc, item);
    }
    static __device__ __forceinline__ void across(const jr_reducer &reducer, jr_accumulator &acc, jr_u32 distance) {
        acc = reducer.combine(acc, jr_shuffle_across(acc, distance));
    }
    static __device__ __forceinline__ void end(jr_accumulator &, jr_u32) {}
};
template <class O> struct jr_group_terms : jr_plain_terms {};

#if JR_OPERATORS_STATISTICS && JR_INPUTS == 1 && !JR_EXPRESSIONS && !JR_SKIP_NAN
// var and std of short segments: until its end an accumulator holds sums of differences from the segment's first element
// (fold/moments.cuh) in place of its own three numbers.
template <class O> struct jr_shifted_terms {
    static __device__ __forceinline__ jr_moments with(const jr_reducer &, const jr_item &first) {
        return {O::lift((JR_MAPPED)first.x, 0).mean, 0, 0};
    }
    static __device__ __forceinline__ jr_moments before(const jr_reducer &reducer, const jr_item &first) {
        return with(reducer, first);
    }
    static __device__ __forceinline__ void begin(const jr_reducer &reducer, const jr_cut &in, jr_u64 element,
                                                 jr_moments &acc) {
        acc = with(reducer, {(JR_X_VALUE)in.packs[(long long)(element - in.head)], 0});
    }
    static __device__ __forceinline__ void add(jr_moments &acc, double x, bool taken) {
        const double d = x - acc.count;
        if (!taken) return;
        acc.mean += d;
        acc.m2 = fma(d, d, acc.m2);
    }
    static __device__ __forceinline__ void take_within(const jr_reducer &, jr_moments &acc, const jr_packs &packs,
                                                       jr_u32 offset, jr_u32 length, jr_u64) {
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++)
            add(acc, O::lift((JR_MAPPED)packs.item(k, 0).x, 0).mean, offset + k < length);
    }
    static __device__ __forceinline__ void take_pack(const jr_reducer &reducer, jr_moments &acc, const jr_packs &packs,
                                                     jr_u64) {
        take_within(reducer, acc, packs, 0, jr_pack_elements, 0);
    }
    static __device__ __forceinline__ void take(const jr_reducer &, jr_moments &acc, const jr_item &item) {
        add(acc, O::lift((JR_MAPPED)item.x, 0).mean, true);
    }
    static __device__ __forceinline__ void across(const jr_reducer &, jr_moments &acc, jr_u32 distance) {
        acc.mean += __shfl_xor_sync(jr_full_mask, acc.mean, distance);
        acc.m2 += __shfl_xor_sync(jr_full_mask, acc.m2, distance);
    }
    static __device__ __forceinline__ void end(jr_moments &acc, jr_u32 count) {
        acc = jr_shifted{acc.count, acc.mean, acc.m2}.moments(count, 1.0 / count);
    }
};
template <class T, class A, class R> struct jr_group_terms<jr_var<T, A, R>> : jr_shifted_terms<jr_var<T, A, R>> {};
template <class T, class A, class R> struct jr_group_terms<jr_std<T, A, R>> : jr_shifted_terms<jr_std<T, A, R>> {};
#endif

struct jr_group {
    const jr_reducer &reducer;
    const jr_cut &in;
    jr_u64 begin, end;                 // the elements that whole packs within all elements hold
    jr_u32 lanes, count, lane, number; // lanes of a group, groups of a warp; this lane in its group, its group

    // from, to: all elements.
    __device__ __forceinline__ jr_group(const jr_reducer &with, const jr_cut &of, jr_u64 from, jr_u64 to)
        : reducer(with), in(of) {
        const jr_span all(of, from, to);
        begin = from + all.heads;
        end = to - all.tails;
        resize(jr_group_least);
    }

    // size: 1 << size lanes.
    __device__ __forceinline__ void resize(jr_u32 size) {
        lanes = 1u << size;
        count = jr_warp_lanes >> size;
        lane = threadIdx.x & (lanes - 1);
        number = threadIdx.x % jr_warp_lanes >> size;
    }

    // Folds segments that begin at packs pack[u] and are `packs` whole ones each.
    template <class TERMS = jr_plain_terms>
    __device__ __forceinline__ void fold_whole(jr_accumulator (&acc)[JR_UNROLL], const jr_u64 (&pack)[JR_UNROLL],
                                               jr_u32 packs) const {
#pragma unroll 1
        for (jr_u32 at = lane; at < packs; at += lanes) {
            jr_packs held[JR_UNROLL];
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) held[u].load(in, pack[u] + at);
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) TERMS::take_pack(reducer, acc[u], held[u], at * jr_pack_elements);
        }
    }

    // Folds segments wherever they begin.
    template <class TERMS = jr_plain_terms>
    __device__ __forceinline__ void fold(jr_accumulator (&acc)[JR_UNROLL], const jr_group_segments &of) const {
        // Counted from the pack before the first one, as jr_span does.
        const jr_u64 base = of.base + (jr_pack_elements - in.head), base_pack = base / jr_pack_elements - 1;
        const jr_u32 phase = (jr_u32)(base % jr_pack_elements);
        const jr_u32 near = distance(of.base, begin), far = distance(of.base, end);
        jr_u32 low[JR_UNROLL], offset[JR_UNROLL], length[JR_UNROLL], last[JR_UNROLL], most = 0;
        jr_u64 index[JR_UNROLL]; // of the first element in whole packs
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 to = of.from[u] + of.length[u], stop = to < far ? to : far;
            const jr_u32 start = of.from[u] > near ? of.from[u] : near;
            if (of.from[u] < near || to > far) acc[u] = fold_ends<TERMS>(acc[u], of, u);
            length[u] = start < stop ? stop - start : 0;
            index[u] = of.before[u] + (start - of.from[u]);
            const jr_u32 place = (start < far ? start : far - 1) + phase;
            low[u] = place / jr_pack_elements;
            offset[u] = 0 - place % jr_pack_elements;
            const jr_u32 packs = length[u] > 0 ? (length[u] - offset[u] + jr_pack_elements - 1) / jr_pack_elements : 0;
            last[u] = packs > 0 ? packs - 1 : 0;
            most = packs > most ? packs : most;
        }
#pragma unroll 1
        for (jr_u32 at = lane; at < most; at += lanes) {
            jr_packs held[JR_UNROLL];
            // Loads past a segment's end are led back to its last pack.
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++)
                held[u].load(in, base_pack + (low[u] + (at < last[u] ? at : last[u])));
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) {
                const jr_u32 inside = offset[u] + at * jr_pack_elements;
                TERMS::take_within(reducer, acc[u], held[u], inside, length[u], index[u] + (long long)(int)inside);
            }
        }
    }

    // The number of elements from `base` to `place`: 0 when `place` is before `base`; at most a number greater than the
    // length of any segment.
    static __device__ __forceinline__ jr_u32 distance(jr_u64 base, jr_u64 place) {
        constexpr jr_u64 all = 1u << 30;
        const jr_u64 elements = place > base ? place - base : 0;
        return (jr_u32)(elements < all ? elements : all);
    }

    // Folds what a segment has of the elements that are in no whole pack.
    template <class TERMS>
    __device__ __forceinline__ jr_accumulator fold_ends(jr_accumulator acc, const jr_group_segments &of,
                                                        jr_u32 u) const {
        const jr_u64 from = of.base + of.from[u];
#pragma unroll 1
        for (jr_u64 e = from + lane; e < from + of.length[u]; e += lanes)
            if (e < begin || e >= end) TERMS::take(reducer, acc, jr_segment_item(in, e, from - of.before[u]));
        return acc;
    }

    // Combines the lanes of every group of a warp; all of them have the results. All lanes of the warp take part.
    template <class TERMS = jr_plain_terms>
    __device__ __forceinline__ void combine(jr_accumulator (&acc)[JR_UNROLL]) const {
#pragma unroll 1
        for (jr_u32 distance = lanes / 2; distance > 0; distance /= 2) {
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) TERMS::across(reducer, acc[u], distance);
        }
    }

    // The u-th of the values, u from `low` up to low + jr_group_writers.
    static __device__ __forceinline__ jr_accumulator choose(const jr_accumulator (&acc)[JR_UNROLL], jr_u32 low,
                                                            jr_u32 u) {
        jr_accumulator chosen = acc[low];
#pragma unroll
        for (jr_u32 k = 1; k < jr_group_writers; k++)
            if (low + k < JR_UNROLL) chosen = u == low + k ? acc[low + k] : chosen;
        return chosen;
    }
};
