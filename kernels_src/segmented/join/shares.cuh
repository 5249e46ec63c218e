// Shares: which elements each thread of a block folds, and how the block combines them, for kernels whose threads load
// one element at a time: those along axes and those that join partial results.
//
// A segment is a column, next to its neighbours. A block takes `width` columns with `lanes` threads each, so that its
// loads are of whole cache lines; if there are few long columns, each is cut into parts of some rows.
#pragma once

#include "segmented/common/piece.cuh"
#include "segmented/common/segments.cuh"

constexpr jr_u32 jr_column_unroll = JR_COLUMN_ROWS; // rows that are asked for at once

// Combines terms of neighbouring rows pairwise.
template <jr_u32 N> struct jr_term_pairs {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_accumulator *terms) {
        return reducer.combine(jr_term_pairs<N / 2>::fold(reducer, terms),
                               jr_term_pairs<N - N / 2>::fold(reducer, terms + N / 2));
    }
};
template <> struct jr_term_pairs<1> {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &, const jr_accumulator *terms) {
        return *terms;
    }
};

// A thread's rows, one after the other. Each step adds to the row and its place: a division or a product of 64 bits
// would cost more than folding an element.
struct jr_row_cursor {
    jr_u64 row, place, step, stride;

    __device__ __forceinline__ void next() {
        row += step;
        place += stride;
    }
};

// Folds `left` rows. SOURCE: load(cursor), lift(loaded), take(reducer, acc, loaded). CURSOR: next().
template <class SOURCE, class CURSOR>
__device__ __forceinline__ jr_accumulator jr_fold_rows(const jr_reducer &reducer, const SOURCE &source, CURSOR &cursor,
                                                       jr_u64 left) {
    jr_accumulator acc = reducer.identity();
#pragma unroll 1
    while (left > 0) {
        const jr_u32 count = left < jr_column_unroll ? (jr_u32)left : jr_column_unroll;
        typename SOURCE::loaded loaded[jr_column_unroll];
        // Loads past the last row repeat that row; their values are not combined.
#pragma unroll
        for (jr_u32 u = 0; u < jr_column_unroll; u++) {
            loaded[u] = source.load(cursor);
            if (u + 1 < count || count == jr_column_unroll) cursor.next();
        }
#if JR_ADDS_IN_PLACE
#pragma unroll
        for (jr_u32 u = 0; u < jr_column_unroll; u++)
            if (u < count) source.take(reducer, acc, loaded[u]);
#else
        jr_accumulator terms[jr_column_unroll];
#pragma unroll
        for (jr_u32 u = 0; u < jr_column_unroll; u++)
            terms[u] = u < count ? source.lift(loaded[u]) : reducer.identity();
        acc = reducer.combine(acc, jr_term_pairs<jr_column_unroll>::fold(reducer, terms));
#endif
        left -= count;
    }
    return acc;
}

// The columns of one group and the rows of one part that a block takes at a time.
struct jr_column_share {
    jr_u64 column, row, step, left, part; // the first row, from one to the next, how many
    bool taken;                           // true: this thread has a column

    // unit: which group and part; neighbouring blocks take neighbouring columns.
    __device__ __forceinline__ jr_column_share(const jr_column_cut &columns, jr_u64 unit) {
        const jr_u64 groups = (columns.count + columns.width - 1) / columns.width;
        const jr_u32 lane = threadIdx.x / columns.width;
        part = columns.parts > 1 ? unit / groups : 0;
        column = (unit - part * groups) * columns.width + threadIdx.x % columns.width;
        taken = lane < columns.lanes && column < columns.count;
        const jr_u64 begin = part * columns.part_length, rest = columns.length - begin;
        const jr_u64 rows = rest < columns.part_length ? rest : columns.part_length;
        // Lanes take rows in turn, or, when the order counts, one piece each.
        const jr_u64 share = JR_COMMUTATIVE ? 1 : (rows + columns.lanes - 1) / columns.lanes;
        step = JR_COMMUTATIVE ? columns.lanes : 1;
        row = begin + lane * share;
        jr_u64 end = begin + rows;
        if (!JR_COMMUTATIVE && row + share < end) end = row + share;
        left = !taken || row >= end ? 0 : step == 1 ? end - row : (end - row - 1) / step + 1;
    }
    __device__ __forceinline__ jr_row_cursor cursor(jr_u64 inner) const {
        return {row, row * inner, step, step * inner};
    }
};

__device__ __forceinline__ jr_u64 jr_column_units(const jr_column_cut &columns) {
    return (columns.count + columns.width - 1) / columns.width * columns.parts;
}

// Combines the lanes of each column in their order, neighbours first; the first lane has the result. cache: JR_BLOCK
// accumulators in shared memory. All threads take part.
__device__ __forceinline__ jr_accumulator jr_combine_columns(const jr_reducer &reducer, const jr_column_cut &columns,
                                                             const jr_accumulator &acc, jr_accumulator *cache) {
    if (columns.lanes == 1) return acc;
    const jr_u32 lane = threadIdx.x / columns.width;
    __syncthreads(); // other threads may still read what the last unit left in cache
    cache[threadIdx.x] = acc;
#pragma unroll 1
    for (jr_u32 distance = 1; distance < columns.lanes; distance *= 2) {
        __syncthreads();
        if (lane % (2 * distance) == 0 && lane + distance < columns.lanes)
            cache[threadIdx.x] = reducer.combine(cache[threadIdx.x], cache[threadIdx.x + distance * columns.width]);
    }
    return cache[threadIdx.x];
}
