// Chunks of the fixed tree (fold/tree.cuh) that a block folds each, and slots for what they leave: few values are left
// for block 0, which asks for all of them at once.
//
// A chunk is 2^k tiles of each of jr_tree_warps warps. The warps take its tiles in turn, so that a block reads one
// stretch of memory; the value of tile t goes to place t, and places are folded as elements are.
#pragma once

#include "fold/tree.cuh"
#include "reduce/collect.cuh"

// A warp loads a tile before it folds the one before, where registers hold two.
constexpr bool jr_tree_ahead = jr_tile_rows == 8 && JR_BLOCK <= 512 && sizeof(jr_accumulator) <= 8 && JR_INPUTS == 1 &&
                               sizeof(JR_X) <= 8 && 16 % sizeof(JR_X) == 0;
constexpr jr_u32 jr_tree_blocks =
    JR_BLOCK <= 512 && jr_tree_ahead ? 512 / JR_BLOCK : 1;       // of a multiprocessor, at least
constexpr jr_u32 jr_group_tiles = jr_warp_lanes * jr_tree_warps; // that a block folds between two barriers, at most

// Folds the first `count` values of N * 32, one at least: value n of lane l has position n * 32 + l. Lane 0 has the
// result. N: a power of two. As jr_combine_share, but with positions that are empty.
template <jr_u32 N, jr_u32 DISTANCE = 1> struct jr_spread_some {
    static __device__ __forceinline__ void fold(const jr_reducer &reducer, jr_accumulator (&value)[N], jr_u32 count) {
        const bool upper = threadIdx.x & DISTANCE;
        const jr_u32 below = jr_lane() & (2 * DISTANCE - 1), group = jr_lane() - below;
        jr_accumulator half[N / 2];
#pragma unroll
        for (jr_u32 u = 0; u < N / 2; u++) {
            const jr_accumulator even = value[2 * u], odd = value[2 * u + 1];
            const jr_accumulator got = jr_shuffle_across(jr_select(upper, even, odd), DISTANCE);
            const jr_accumulator left = jr_select(upper, got, even);
            const jr_u32 right = (2 * u * DISTANCE + below) * jr_warp_lanes + group + DISTANCE; // its position
            half[u] = right < count ? reducer.combine(left, jr_select(upper, odd, got)) : left;
        }
        jr_spread_some<N / 2, 2 * DISTANCE>::fold(reducer, half, count);
        value[0] = half[0];
    }
};
template <jr_u32 DISTANCE> struct jr_spread_some<1, DISTANCE> {
    static __device__ __forceinline__ void fold(const jr_reducer &, jr_accumulator (&)[1], jr_u32) {}
};
template <jr_u32 N>
__device__ __forceinline__ jr_accumulator jr_combine_some_share(const jr_reducer &reducer, jr_accumulator (&value)[N],
                                                                jr_u32 count) {
    jr_spread_some<N>::fold(reducer, value, count);
    jr_accumulator sum = value[0];
    const jr_u32 below = jr_lane() % N, place = below * jr_warp_lanes + jr_lane() - below;
#pragma unroll(jr_lane_steps <jr_accumulator>)
    for (jr_u32 distance = N; distance < jr_warp_lanes; distance *= 2) {
        const jr_accumulator right = jr_shuffle_down(sum, distance);
        if (place + distance < count) sum = reducer.combine(sum, right);
    }
#pragma unroll(jr_lane_steps <jr_accumulator>)
    for (jr_u32 distance = 1; distance < N; distance *= 2) {
        const jr_accumulator right = jr_shuffle_down(sum, distance);
        if ((jr_lane() + distance) * jr_warp_lanes < count) sum = reducer.combine(sum, right);
    }
    return sum;
}

// The same of a tile, all of whose positions are there.
template <jr_u32 N>
__device__ __forceinline__ jr_accumulator jr_combine_tile(const jr_reducer &reducer, jr_accumulator (&value)[N]) {
    jr_spread<N>::fold(reducer, value);
    jr_accumulator sum = value[0];
#pragma unroll(jr_lane_steps <jr_accumulator>)
    for (jr_u32 distance = N; distance < jr_warp_lanes; distance *= 2)
        sum = reducer.combine(sum, jr_shuffle_down(sum, distance));
#pragma unroll(jr_lane_steps <jr_accumulator>)
    for (jr_u32 distance = 1; distance < N; distance *= 2) sum = reducer.combine(sum, jr_shuffle_down(sum, distance));
    return sum;
}

// Folds the values of the first `count` lanes; lane 0 has the result: its own value if count is 0.
__device__ __forceinline__ jr_accumulator jr_combine_first_lanes(const jr_reducer &reducer, jr_accumulator value,
                                                                 jr_u32 count) {
#pragma unroll(jr_lane_steps <jr_accumulator>)
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
        const jr_accumulator right = jr_shuffle_down(value, distance);
        if (jr_lane() + distance < count) value = reducer.combine(value, right);
    }
    return value;
}

// Values of a lane at a time where elements or slots are loaded one by one: more take registers from the loop over tiles.
constexpr jr_u32 jr_tree_singles = sizeof(jr_accumulator) <= 4 ? 16 : sizeof(jr_accumulator) <= 8 ? 8 : 2;

// Folds what there is of a tile that ends after the input or that vectors cannot load. Lane 0 has the result.
__device__ __forceinline__ jr_accumulator jr_fold_some_tile(const jr_reducer &reducer, const jr_tree_span &span,
                                                            jr_u64 e) {
    constexpr jr_u32 unit = jr_tree_singles * jr_warp_lanes;
    const jr_u64 end = e + jr_tile_elements < span.count ? e + jr_tile_elements : span.count;
    jr_waiting waiting;
    waiting.start(reducer);
#pragma unroll 1
    for (; e < end; e += unit) {
        jr_accumulator values[jr_tree_singles];
        const jr_u32 count = end - e < unit ? (jr_u32)(end - e) : unit;
#pragma unroll
        for (jr_u32 n = 0; n < jr_tree_singles; n++) {
            const jr_u32 at = n * jr_warp_lanes + jr_lane();
            values[n] = reducer.lift(span.item(e + (at < count ? at : count - 1)));
        }
        const jr_accumulator value = jr_combine_some_share(reducer, values, count);
        if (unit >= jr_tile_elements) return value;
        waiting.add(reducer, value, 0);
    }
    return waiting.end(reducer);
}

// Lane 0 has the fold of a tile's packs; e: the tile's first element.
__device__ __forceinline__ jr_accumulator jr_fold_tile_packs(const jr_reducer &reducer, const jr_tree_span &span,
                                                             const jr_packs (&packs)[jr_tile_rows], jr_u64 e) {
    jr_accumulator values[jr_tile_rows];
#pragma unroll
    for (jr_u32 u = 0; u < jr_tile_rows; u++)
        values[u] = jr_pairwise<jr_pack_elements>::fold(
            reducer, packs[u], 0, span.first + e + (u * jr_warp_lanes + jr_lane()) * jr_pack_elements);
    return jr_combine_tile(reducer, values);
}

#if JR_INPUTS == 1
// Folds a warp's tiles at e, e + step, ... before `end` that begin at 16-byte boundaries; see jr_tree_ahead.
__device__ __forceinline__ void jr_fold_tiles_ahead(const jr_reducer &reducer, const jr_tree_span &span, jr_u64 &e,
                                                    jr_u64 end, jr_accumulator *&places) {
    constexpr jr_u64 step = (jr_u64)jr_tile_elements * jr_tree_warps;
    jr_packs packs[jr_tile_rows];
    bool loaded = false; // packs are those of the tile before e
#pragma unroll 1
    for (;;) {
        jr_packs next[jr_tile_rows];
        const bool more = e < end && span.has_tile(e);
        if (more)
#pragma unroll
            for (jr_u32 u = 0; u < jr_tile_rows; u++)
                jr_load(next[u].x.elements, span.at(e + (u * jr_warp_lanes + jr_lane()) * jr_pack_elements));
        if (loaded) {
            const jr_accumulator value = jr_fold_tile_packs(reducer, span, packs, e - step);
            if (jr_lane() == 0) *places = value;
            places += jr_tree_warps;
        }
        if (!more) return;
        e += step;
        loaded = true;
#pragma unroll
        for (jr_u32 u = 0; u < jr_tile_rows; u++) packs[u] = next[u];
    }
}
#endif

// Folds a warp's tiles at e, e + step, ... before `end` and leaves tile t's value at places[t * jr_tree_warps].
__device__ __forceinline__ void jr_fold_tiles(const jr_reducer &reducer, const jr_tree_span &span, jr_u64 e, jr_u64 end,
                                              jr_accumulator *places) {
    constexpr jr_u64 step = (jr_u64)jr_tile_elements * jr_tree_warps;
#if JR_INPUTS == 1
    if constexpr (jr_tree_ahead)
        if (span.shift == 0) jr_fold_tiles_ahead(reducer, span, e, end, places);
#endif
#pragma unroll 1
    for (; e < end && span.has_tile(e); e += step, places += jr_tree_warps) {
        jr_packs packs[jr_tile_rows];
        if constexpr (jr_tree_ahead)
            span.load_shifted(packs, e);
        else
            span.load_tile(packs, e);
        const jr_accumulator value = jr_fold_tile_packs(reducer, span, packs, e);
        if (jr_lane() == 0) *places = value;
    }
#pragma unroll 1
    for (; e < end; e += step, places += jr_tree_warps) {
        const jr_accumulator value = jr_fold_some_tile(reducer, span, e);
        if (jr_lane() == 0) *places = value;
    }
}

// Folds what is at places of a block, `count` of them; thread 0 has the result. Before they are written again, the
// threads meet at a barrier.
__device__ __forceinline__ jr_accumulator jr_fold_places(const jr_reducer &reducer, jr_accumulator *places,
                                                         jr_u32 count) {
    const jr_u32 from = jr_warp() * jr_warp_lanes;
    jr_accumulator value = reducer.identity();
    if (from + jr_lane() < count) value = places[from + jr_lane()];
    if (from < count) value = jr_combine_first_lanes(reducer, value, count - from);
    if (count <= jr_warp_lanes) return value;
    if (from < count && jr_lane() == 0) places[from] = value;
    __syncthreads();
    if (jr_warp() > 0) return value;
    const jr_u32 warps = (count + jr_warp_lanes - 1) / jr_warp_lanes;
    if (jr_lane() < warps) value = places[jr_lane() * jr_warp_lanes];
    return jr_combine_first_lanes(reducer, value, warps);
}

// Folds the elements from `begin` to `end`, a chunk, by a block; thread 0 has the result. places: jr_group_tiles
// accumulators in shared memory.
__device__ __forceinline__ jr_accumulator jr_fold_chunk(const jr_reducer &reducer, const jr_tree_span &span,
                                                        jr_u64 begin, jr_u64 end, jr_accumulator *places) {
    constexpr jr_u64 group = (jr_u64)jr_group_tiles * jr_tile_elements;
    jr_waiting waiting;
    if (end - begin > group) waiting.start(reducer);
#pragma unroll 1
    for (jr_u64 e = begin;; e += group) {
        const jr_u64 last = e + group < end ? e + group : end;
        if (e > begin) __syncthreads();
        if (jr_warp() < jr_tree_warps)
            jr_fold_tiles(reducer, span, e + jr_warp() * jr_tile_elements, last, places + jr_warp());
        __syncthreads();
        const jr_u32 tiles = (jr_u32)((last - e + jr_tile_elements - 1) / jr_tile_elements);
        const jr_accumulator value = jr_fold_places(reducer, places, tiles);
        if (end - begin <= group) return value;
        if (jr_warp() == 0) waiting.add(reducer, value, 0);
        if (last == end) return jr_warp() == 0 ? waiting.end(reducer) : value;
    }
}

// Takes N slots, 32 apart, those before `count`; asks for all of them at once, and clears them.
template <jr_u32 N>
__device__ __forceinline__ void jr_take_slots(jr_u64 *slots, jr_u32 first, jr_u32 count, jr_accumulator (&values)[N]) {
    if constexpr (N == 1) {
        if (first < count) values[0] = jr_slot_take(slots, first);
        return;
    }
    jr_u64 words[N][jr_accumulator_words], ready;
#pragma unroll 1
    do {
        ready = jr_slot_mark;
#pragma unroll
        for (jr_u32 n = 0; n < N; n++)
#pragma unroll
            for (jr_u32 w = 0; w < jr_accumulator_words; w++) {
                words[n][w] = jr_slot_mark;
                if (first + n * jr_warp_lanes < count)
                    JR_LOAD_RELAXED(words[n][w],
                                    slots + (jr_u64)(first + n * jr_warp_lanes) * jr_accumulator_words + w);
            }
#pragma unroll
        for (jr_u32 n = 0; n < N; n++)
#pragma unroll
            for (jr_u32 w = 0; w < jr_accumulator_words; w++) ready &= words[n][w];
    } while (!ready);
#pragma unroll
    for (jr_u32 n = 0; n < N; n++) {
        jr_accumulator_bits bits;
#pragma unroll
        for (jr_u32 w = 0; w < jr_accumulator_words; w++) {
            bits.words[w] = (jr_u32)words[n][w];
            if (first + n * jr_warp_lanes < count)
                JR_STORE_RELAXED(slots + (jr_u64)(first + n * jr_warp_lanes) * jr_accumulator_words + w, 0ull);
        }
        values[n] = bits.value;
    }
}

// Folds `count` slots by a block, in their order; thread 0 has the result. totals: jr_tree_warps accumulators in shared
// memory.
__device__ __forceinline__ jr_accumulator jr_fold_slots(const jr_reducer &reducer, jr_u64 *slots, jr_u32 count,
                                                        jr_accumulator *totals) {
    constexpr jr_u32 loads = jr_accumulator_words == 1   ? 8
                             : jr_accumulator_words == 2 ? 4
                             : jr_accumulator_words <= 4 ? 2
                                                         : 1;
    constexpr jr_u32 unit = loads * jr_warp_lanes;
    jr_u32 each = unit; // slots of a warp, a power of two
#pragma unroll 1
    while (each * jr_tree_warps < count) each *= 2;
    const jr_u32 begin = jr_warp() < jr_tree_warps ? jr_warp() * each : count;
    const jr_u32 end = begin + each < count ? begin + each : count;
    jr_accumulator value = reducer.identity(), kept = value; // lane t keeps the value of the warp's turn t
    jr_u32 turn = 0;
#pragma unroll 1
    for (jr_u32 i = begin; i < end; i += unit, turn++) {
        jr_accumulator values[loads];
#pragma unroll
        for (jr_u32 n = 0; n < loads; n++) values[n] = reducer.identity();
        jr_take_slots(slots, i + jr_lane(), end, values);
        value = jr_combine_some_share(reducer, values, end - i < unit ? end - i : unit);
        if (each == unit) break;
        const jr_accumulator first = jr_broadcast(value, 0);
        if (jr_lane() == turn % jr_warp_lanes) kept = first;
    }
    if (each > unit) value = jr_combine_first_lanes(reducer, kept, turn);
    if (begin < end && jr_lane() == 0) totals[jr_warp()] = value;
    __syncthreads();
    if (jr_warp() > 0 || count == 0) return value;
    const jr_u32 warps = (count + each - 1) / each;
    if (jr_lane() < warps) value = totals[jr_lane()];
    return jr_combine_first_lanes(reducer, value, warps);
}
