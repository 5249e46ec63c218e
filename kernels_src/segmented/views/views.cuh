// Views: arrays whose elements may lie apart, backwards or upon each other; how a block folds the segments it takes.
#pragma once

#include "fold/ordered.cuh"
#include "segmented/join/shares.cuh"

#include "abi_views.h"

// Where an element lies in each array, modulo 2^64, and its index in its segment.
struct jr_view_place {
    jr_u64 at[JR_INPUTS], index;

    __device__ __forceinline__ void add(const jr_view_place &other) {
#pragma unroll
        for (jr_u32 i = 0; i < JR_INPUTS; i++) at[i] += other.at[i];
        index += other.index;
    }
    // Adds `count` steps along axis k.
    __device__ __forceinline__ void go(const jr_view_map &map, jr_u32 k, jr_u64 count) {
#pragma unroll
        for (jr_u32 i = 0; i < JR_INPUTS; i++) at[i] += count * map.stride[i][k];
        index += count * map.index[k];
    }
};

// A number's digits along the first N axes of a map, the last axis first; the rest is the last digit. place: of the
// number.
template <jr_u32 N> struct jr_view_digits {
    jr_u64 digit[N];
    jr_view_place place;

    __device__ __forceinline__ jr_view_digits(const jr_view_map &map, jr_u64 number) : place{} {
#pragma unroll
        for (jr_u32 k = 0; k < N; k++) {
            const jr_u64 rest = k + 1 == N ? 0 : map.size[k] > 1 ? number / map.size[k] : number;
            digit[k] = number - rest * map.size[k];
            place.go(map, k, digit[k]);
            number = rest;
        }
    }
};

// A thread's elements of a segment along N axes, one after the other.
template <jr_u32 N> struct jr_view_cursor {
    const jr_view_map &map;
    jr_view_digits<N> now, step;

    __device__ __forceinline__ jr_view_cursor(const jr_view_map &of, jr_u64 row, jr_u64 by)
        : map(of), now(of, row), step(of, by) {}
    __device__ __forceinline__ void next() {
        jr_u64 carry = 0;
        now.place.add(step.place);
#pragma unroll
        for (jr_u32 k = 0; k + 1 < N; k++) {
            now.digit[k] += step.digit[k] + carry;
            carry = now.digit[k] >= map.size[k];
            if (carry) {
                now.digit[k] -= map.size[k];
                now.place.go(map, k, 0 - map.size[k]);
                now.place.go(map, k + 1, 1);
            }
        }
    }
};

#define JR_VIEW_ITEM(other, member, type) (type##_VALUE)((const type *)view.arrays[1 + other])[place.at[1 + other]],

// The elements of a segment.
template <jr_u32 N> struct jr_view_elements {
    typedef jr_item loaded;
    const jr_reducer &reducer;
    const jr_view_cut &view;
    jr_view_place first; // of the segment

    __device__ __forceinline__ jr_item load(const jr_view_cursor<N> &cursor) const {
        jr_view_place place = first;
        place.add(cursor.now.place);
        return {(JR_X_VALUE)((const JR_X *)view.arrays[0])[place.at[0]], JR_OTHERS(JR_VIEW_ITEM) place.index};
    }
    __device__ __forceinline__ jr_accumulator lift(const jr_item &item) const {
        return reducer.lift(item);
    }
    __device__ __forceinline__ void take(const jr_reducer &, jr_accumulator &acc, const jr_item &item) const {
        jr_take(reducer, acc, item);
    }
};

// Which segment and lane of a unit a thread has, and its own place in the cache: lane * width + column.
struct jr_view_thread {
    jr_u32 column, lane, place;

    __device__ __forceinline__ jr_view_thread(const jr_view_cut &view) {
        const jr_u32 width = view.columns.width, lanes = view.columns.lanes;
        const bool turned = view.by_lanes && threadIdx.x < width * lanes;
        column = turned ? threadIdx.x / lanes : threadIdx.x % width;
        lane = turned ? threadIdx.x % lanes : threadIdx.x / width;
        place = lane * width + column;
    }
};

// The segments of one group and the elements of one part that a block takes at a time; see jr_column_share.
struct jr_view_share {
    jr_u64 column, row, step, left, part;
    bool taken;

    __device__ __forceinline__ jr_view_share(const jr_column_cut &columns, const jr_view_thread &thread, jr_u64 unit) {
        const jr_u64 groups = (columns.count + columns.width - 1) / columns.width;
        part = columns.parts > 1 ? unit / groups : 0;
        column = (unit - part * groups) * columns.width + thread.column;
        taken = thread.lane < columns.lanes && column < columns.count;
        const jr_u64 begin = part * columns.part_length, rest = columns.length - begin;
        const jr_u64 rows = rest < columns.part_length ? rest : columns.part_length;
        const jr_u64 share = JR_COMMUTATIVE ? 1 : (rows + columns.lanes - 1) / columns.lanes;
        step = JR_COMMUTATIVE ? columns.lanes : 1;
        row = begin + thread.lane * share;
        jr_u64 end = begin + rows;
        if (!JR_COMMUTATIVE && row + share < end) end = row + share;
        left = !taken || row >= end ? 0 : step == 1 ? end - row : (end - row - 1) / step + 1;
    }
};

constexpr bool jr_view_shuffles = sizeof(jr_accumulator) <= 16 && JR_BLOCK % jr_warp_lanes == 0;

// Combines all threads of a block, whose segment it is, by shuffles and two barriers; thread 0 has the result.
__device__ __forceinline__ jr_accumulator jr_combine_threads(const jr_reducer &reducer, const jr_accumulator &acc,
                                                             jr_accumulator *cache) {
    jr_accumulator value[1] = {acc};
    jr_combine_lanes<jr_lane_steps<jr_accumulator>>(reducer, value);
    __syncthreads(); // other threads may still read what the last unit left in cache
    if (jr_lane() == 0) cache[jr_warp()] = value[0];
    __syncthreads();
    return jr_warp() == 0 ? jr_combine_warps(reducer, cache) : value[0];
}

// Combines the lanes of each segment in their order, neighbours first; lane 0 has the result. All threads take part.
__device__ __forceinline__ jr_accumulator jr_combine_lanes(const jr_reducer &reducer, const jr_column_cut &columns,
                                                           const jr_view_thread &thread, const jr_accumulator &acc,
                                                           jr_accumulator *cache) {
    if (columns.lanes == 1) return acc;
    if constexpr (jr_view_shuffles)
        if (columns.lanes == JR_BLOCK) return jr_combine_threads(reducer, acc, cache);
    __syncthreads(); // other threads may still read what the last unit left in cache
    cache[thread.place] = acc;
#pragma unroll 1
    for (jr_u32 distance = 1; distance < columns.lanes; distance *= 2) {
        __syncthreads();
        if (thread.lane % (2 * distance) == 0 && thread.lane + distance < columns.lanes)
            cache[thread.place] = reducer.combine(cache[thread.place], cache[thread.place + distance * columns.width]);
    }
    return cache[thread.place];
}

// A block takes units in turn. N: axes of a segment at most.
template <jr_u32 N>
__device__ __forceinline__ void jr_fold_view(const jr_reducer &reducer, const jr_view_cut &view, void *out,
                                             jr_accumulator *partials) {
    jr_accumulator *const cache = jr_block_cache();
    const jr_column_cut &columns = view.columns;
    const jr_view_thread thread(view);
    const jr_u64 units = jr_column_units(columns);
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const jr_view_share share(columns, thread, unit);
        jr_view_elements<N> source{reducer, view, {}};
        if (share.taken) source.first = jr_view_digits<JR_AXES_MAX>(view.segments, share.column).place;
        source.first.index += jr_piece_first(reducer);
        jr_view_cursor<N> cursor(view.elements, share.row, share.step);
        const jr_accumulator mine = jr_fold_rows(reducer, source, cursor, share.left);
        const jr_accumulator total = jr_combine_lanes(reducer, columns, thread, mine, cache);
        if (!share.taken || thread.lane > 0) continue;
        if (columns.parts > 1)
            partials[share.part * columns.count + share.column] = total;
        else
            reducer.write((jr_u8 *)out + share.column * columns.result_bytes, total, reducer.call.count);
    }
}
