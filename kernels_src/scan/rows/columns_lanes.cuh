// Scans of columns that are one part each: by several lanes of a block, or, where columns are short, several by a thread.
#pragma once

#include "scan/rows/columns.cuh"

// Rows that a lane takes at a time, as many where columns are not loaded as packs: the bits are the same.
constexpr jr_u32 jr_lane_rows = jr_rows_at_once<jr_columns_fit ? jr_pack_elements : 1>;

// The folds of a block's lanes, by lane and column.
template <class ROW> struct jr_lane_folds {
    jr_room_of_one folds[JR_BLOCK * ROW::count];

    __device__ __forceinline__ jr_accumulator *of(jr_u32 thread) { return (jr_accumulator *)folds + thread * ROW::count; }
};

// The rows of a lane: number `first` of a column and those that follow.
template <class ROW> struct jr_lane_of_rows {
    ROW loaded[jr_lane_rows];
    jr_u64 first;
    jr_u32 count; // of them that there are

    // Rows past the end are led back to the last one, and what they bring is not used.
    __device__ __forceinline__ jr_lane_of_rows(const jr_cut &in, const jr_scan_columns &columns, jr_u64 element,
                                               jr_u64 row)
        : first(row), count(0) {
        if (row < columns.length) count = columns.length - row < jr_lane_rows ? (jr_u32)(columns.length - row) : jr_lane_rows;
#pragma unroll
        for (jr_u32 u = 0; u < jr_lane_rows; u++)
            loaded[u].load(in, element + (u < count ? row + u : columns.length - 1) * columns.inner);
    }
    __device__ __forceinline__ void fold(const jr_reducer &reducer, jr_u64 before, jr_accumulator *to) const {
        jr_accumulator fold[ROW::count];
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++) fold[k] = reducer.identity();
#pragma unroll
        for (jr_u32 u = 0; u < jr_lane_rows; u++)
#pragma unroll
            for (jr_u32 k = 0; k < ROW::count; k++)
                if (u < count) jr_take(reducer, fold[k], loaded[u].item(k, before + first + u));
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++) to[k] = fold[k];
    }
};

// All threads of the block take part, and as many lanes of a column as divide it take jr_lane_rows rows in turn.
template <class ROW>
__device__ __forceinline__ void jr_scan_columns_by_lanes(const jr_reducer &reducer, const jr_cut &in, void *out,
                                                         const jr_scan_columns &columns) {
    __shared__ jr_lane_folds<ROW> folds;
    const jr_u32 width = JR_BLOCK / columns.lanes, own = threadIdx.x % width, lane = threadIdx.x / width;
    const jr_u64 units = columns.pieces * (columns.inner / ROW::count);
#pragma unroll 1
    for (jr_u64 begin = blockIdx.x * (jr_u64)width; begin < units; begin += gridDim.x * (jr_u64)width) {
        const bool there = begin + own < units;
        const jr_columns_unit<ROW> unit(columns, there ? begin + own : units - 1);
        jr_accumulator carry[ROW::count], running[ROW::count];
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++) carry[k] = jr_before_rows(reducer, columns, unit.place + k);
#pragma unroll 1
        for (jr_u64 row = 0; row < columns.length; row += columns.lanes * jr_lane_rows) {
            const jr_lane_of_rows<ROW> rows(in, columns, unit.element, row + lane * jr_lane_rows);
            __syncthreads(); // all have read the folds of the rows before
            rows.fold(reducer, columns.before, folds.of(threadIdx.x));
            __syncthreads();
#pragma unroll 1
            for (jr_u32 l = 0; l < columns.lanes; l++)
#pragma unroll
                for (jr_u32 k = 0; k < ROW::count; k++) {
                    if (l == lane) running[k] = carry[k];
                    carry[k] = reducer.combine(carry[k], folds.of(l * width + own)[k]);
                }
#pragma unroll
            for (jr_u32 u = 0; u < jr_lane_rows; u++)
                if (u < rows.count && there)
                    jr_scan_row(reducer, rows.loaded[u], columns.before + rows.first + u, running, out,
                                unit.element + (rows.first + u) * columns.inner);
        }
        if (there && lane == 0)
#pragma unroll
            for (jr_u32 k = 0; k < ROW::count; k++) jr_carry_rows(columns, unit.place + k, carry[k]);
    }
}

// Columns of at most so many rows, of which each thread has several: it loads all rows of so many columns at once, a
// block's width apart. With 8 rows the kernel would need 86 registers instead of 64, and half of it be resident.
constexpr jr_u32 jr_short_rows = 4, jr_short_columns = 4;

__device__ __forceinline__ void jr_scan_short_columns(const jr_reducer &reducer, const jr_cut &in, void *out,
                                                      const jr_scan_columns &columns) {
    constexpr jr_u32 tile = JR_BLOCK * jr_short_columns;
    const jr_u64 units = columns.pieces * columns.inner;
#pragma unroll 1
    for (jr_u64 begin = blockIdx.x * (jr_u64)tile + threadIdx.x; begin < units; begin += gridDim.x * (jr_u64)tile) {
        jr_row_of_one loaded[jr_short_columns][jr_short_rows];
        jr_u64 element[jr_short_columns];
#pragma unroll
        for (jr_u32 c = 0; c < jr_short_columns; c++) {
            const jr_u64 i = begin + c * JR_BLOCK, last = units - 1;
            element[c] = jr_columns_unit<jr_row_of_one>(columns, i < units ? i : last).element;
#pragma unroll
            for (jr_u32 u = 0; u < jr_short_rows; u++)
                if (u < columns.length) loaded[c][u].load(in, element[c] + u * columns.inner);
        }
#pragma unroll
        for (jr_u32 c = 0; c < jr_short_columns; c++) {
            if (begin + c * JR_BLOCK >= units) continue;
            jr_accumulator running[1] = {jr_before_rows(reducer, columns, begin + c * JR_BLOCK)};
#pragma unroll
            for (jr_u32 u = 0; u < jr_short_rows; u++)
                if (u < columns.length)
                    jr_scan_row(reducer, loaded[c][u], columns.before + u, running, out, element[c] + u * columns.inner);
            jr_carry_rows(columns, begin + c * JR_BLOCK, running[0]);
        }
    }
}

// starts: one per part; NULL: a column is one part.
template <class ROW>
__device__ __forceinline__ void jr_scan_columns_of(const jr_reducer &reducer, const jr_cut &in, void *out,
                                                   const jr_accumulator *starts, const jr_scan_columns &columns) {
    if constexpr (JR_COLUMN_LANES_FIT(JR_BLOCK, ROW::count, sizeof(jr_accumulator))) {
        if (columns.lanes > 1) return jr_scan_columns_by_lanes<ROW>(reducer, in, out, columns);
    }
    if (ROW::count == 1 && starts == nullptr && columns.length <= jr_short_rows &&
        columns.pieces * columns.inner > (jr_u64)gridDim.x * JR_BLOCK)
        return jr_scan_short_columns(reducer, in, out, columns);
    jr_scan_column_parts<ROW>(reducer, in, out, starts, columns);
}
