// Scans of columns: elements of a column are `inner` apart; neighbouring columns are next to each other.
//
// A thread takes neighbouring columns (as many as fill 16 bytes, if arrays and results are aligned so) and scans them
// row by row, so that a warp loads and stores whole lines. Where columns are fewer, several lanes of a block take rows of
// one in turn, and exchange their folds. Few long columns are cut into parts: each part is folded, the folds
// of a column's parts are scanned, and each part is scanned from its start (reduce-then-scan, like three_pass). The lanes
// and parts, and so the bits of a result, depend on the shape alone.
#pragma once

#include "scan/common/tile_results.cuh"

// So many neighbouring columns have their folds in registers without harm.
constexpr bool jr_columns_fit = JR_COLUMNS_FIT(jr_pack_elements, sizeof(jr_accumulator));

// Elements that a thread loads at once, as rows of so many columns.
template <jr_u32 N> constexpr jr_u32 jr_rows_at_once = JR_COLUMN_ROWS_AT_ONCE(N);

// A row of one column, and of as many as a pack has elements.
struct jr_row_of_one {
    static constexpr jr_u32 count = 1;
    jr_item only;
    __device__ __forceinline__ void load(const jr_cut &in, jr_u64 element) {
        only = jr_item_at(in, (long long)(element - in.head), 0);
    }
    __device__ __forceinline__ jr_item item(jr_u32, jr_u64 row) const {
        jr_item own = only;
        own.i = row;
        return own;
    }
    template <class R> static __device__ __forceinline__ void store(void *out, jr_u64 element, const R &results) {
        ((jr_result *)out)[element] = results.elements[0];
    }
};
struct jr_row_of_pack {
    static constexpr jr_u32 count = jr_pack_elements;
    jr_packs packs;
    __device__ __forceinline__ void load(const jr_cut &in, jr_u64 element) {
        packs.load(in, element / jr_pack_elements);
    }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 row) const {
        jr_item own = packs.item(k, 0);
        own.i = row;
        return own;
    }
    static __device__ __forceinline__ void store(void *out, jr_u64 element, const jr_results &results) {
        jr_u8 *const to = (jr_u8 *)out + element * sizeof(jr_result);
        if (jr_result_pack_bytes % 16 == 0) {
#pragma unroll
            for (jr_u32 v = 0; v < jr_result_pack_bytes / 16; v++) ((uint4 *)to)[v] = results.vectors[v];
        } else {
#pragma unroll
            for (jr_u32 k = 0; k < count; k++) ((jr_result *)to)[k] = results.elements[k];
        }
    }
};

// The columns and the rows that a thread takes at a time.
template <class ROW> struct jr_columns_unit {
    jr_u64 place;  // of the first column's fold among those of all parts
    jr_u64 row, end, element; // element: the first column's in that row

    __device__ __forceinline__ jr_columns_unit(const jr_scan_columns &columns, jr_u64 unit) {
        // A division of 64 bits would take as long as a load.
        const jr_u64 width = columns.inner / ROW::count;
        const jr_u64 piece = (unit | width) >> 32 ? unit / width : (jr_u32)unit / (jr_u32)width;
        const jr_u64 column = (unit - piece * width) * ROW::count;
        const jr_u64 outer = columns.parts > 1 ? piece / columns.parts : piece, part = piece - outer * columns.parts;
        place = piece * columns.inner + column;
        row = (columns.parts > 1 ? part : 0) * columns.part_length;
        end = row + columns.part_length < columns.length ? row + columns.part_length : columns.length;
        element = (outer * columns.length + row) * columns.inner + column;
    }
};

// What stands before the first of a column's rows.
__device__ __forceinline__ jr_accumulator jr_before_rows(const jr_reducer &reducer, const jr_scan_columns &columns,
                                                         jr_u64 column) {
    if (columns.before > 0) return ((const jr_accumulator *)columns.carry)[column];
    return jr_with_initial(reducer, reducer.identity());
}

// Writes the fold up to the end of the rows, for the launch that follows.
__device__ __forceinline__ void jr_carry_rows(const jr_scan_columns &columns, jr_u64 column, const jr_accumulator &fold) {
    if (columns.carry != 0) ((jr_accumulator *)columns.carry)[column] = fold;
}

// Goes down the rows of a unit: use(row as loaded, its number, the first column's element).
template <class ROW, class USE>
__device__ __forceinline__ void jr_walk_rows(const jr_cut &in, jr_u64 inner, const jr_columns_unit<ROW> &unit,
                                             const USE &use) {
    constexpr jr_u32 rows = jr_rows_at_once<ROW::count>;
    jr_u64 element = unit.element;
#pragma unroll 1
    for (jr_u64 row = unit.row; row < unit.end; row += rows, element += rows * inner) {
        const jr_u64 left = unit.end - row;
        ROW loaded[rows];
        // Rows past the end are led back to the last one, and what they bring is not used.
#pragma unroll
        for (jr_u32 u = 0; u < rows; u++) loaded[u].load(in, element + (u < left ? u : left - 1) * inner);
#pragma unroll
        for (jr_u32 u = 0; u < rows; u++)
            if (u < left) use(loaded[u], row + u, element + u * inner);
    }
}

// Folds each column's part.
template <class ROW>
__device__ __forceinline__ void jr_fold_columns(const jr_reducer &reducer, const jr_cut &in, jr_accumulator *folds,
                                                const jr_scan_columns &columns) {
    const jr_u64 units = columns.pieces * (columns.inner / ROW::count);
#pragma unroll 1
    for (jr_u64 i = blockIdx.x * (jr_u64)JR_BLOCK + threadIdx.x; i < units; i += gridDim.x * (jr_u64)JR_BLOCK) {
        const jr_columns_unit<ROW> unit(columns, i);
        jr_accumulator fold[ROW::count];
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++) fold[k] = reducer.identity();
        jr_walk_rows(in, columns.inner, unit, [&](const ROW &loaded, jr_u64 row, jr_u64) {
#pragma unroll
            for (jr_u32 k = 0; k < ROW::count; k++)
                jr_take(reducer, fold[k], loaded.item(k, columns.before + row));
        });
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++) folds[unit.place + k] = fold[k];
    }
}

// Scans one row from the folds before it, which become those up to its end, and writes its results.
template <class ROW>
__device__ __forceinline__ void jr_scan_row(const jr_reducer &reducer, const ROW &loaded, jr_u64 place,
                                            jr_accumulator (&running)[ROW::count], void *out, jr_u64 element) {
    jr_results results;
#pragma unroll
    for (jr_u32 k = 0; k < ROW::count; k++) {
        const jr_accumulator next = reducer.combine(running[k], reducer.lift(loaded.item(k, place)));
        results.elements[k] = jr_scan_result(reducer, JR_EXCLUSIVE ? running[k] : next, place + !JR_EXCLUSIVE);
        running[k] = next;
    }
    ROW::store(out, element, results);
}

// Scans each column's part from its start. starts: one per part; NULL: a column is one part, and begins with the
// initial value or with the carry.
template <class ROW>
__device__ __forceinline__ void jr_scan_column_parts(const jr_reducer &reducer, const jr_cut &in, void *out,
                                                     const jr_accumulator *starts, const jr_scan_columns &columns) {
    const jr_u64 units = columns.pieces * (columns.inner / ROW::count);
#pragma unroll 1
    for (jr_u64 i = blockIdx.x * (jr_u64)JR_BLOCK + threadIdx.x; i < units; i += gridDim.x * (jr_u64)JR_BLOCK) {
        const jr_columns_unit<ROW> unit(columns, i);
        jr_accumulator running[ROW::count];
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++)
            running[k] = starts != nullptr ? starts[unit.place + k] : jr_before_rows(reducer, columns, unit.place + k);
        jr_walk_rows(in, columns.inner, unit, [&](const ROW &loaded, jr_u64 row, jr_u64 element) {
            jr_scan_row(reducer, loaded, columns.before + row, running, out, element);
        });
        if (starts != nullptr) continue;
#pragma unroll
        for (jr_u32 k = 0; k < ROW::count; k++) jr_carry_rows(columns, unit.place + k, running[k]);
    }
}
