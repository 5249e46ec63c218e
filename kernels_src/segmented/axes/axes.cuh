// Axes: where the elements of segments lie that are several axes of an array, and how a block folds those that it takes.
#pragma once

#include "segmented/join/shares.cuh"

// A number's digits along the axes of a map, the last axis first.
struct jr_axis_digits {
    jr_u64 digit[JR_AXES_MAX];

    __device__ __forceinline__ jr_axis_digits(const jr_axis_map &map, jr_u64 number) {
#pragma unroll
        for (jr_u32 k = 0; k < JR_AXES_MAX; k++) {
            const jr_u64 rest = map.size[k] > 1 ? number / map.size[k] : number;
            digit[k] = number - rest * map.size[k];
            number = rest;
        }
    }
    // Adds a number below the product of the sizes; the sum, too, must be below it.
    __device__ __forceinline__ void add(const jr_axis_map &map, const jr_axis_digits &other) {
        jr_u64 carry = 0;
#pragma unroll
        for (jr_u32 k = 0; k < JR_AXES_MAX; k++) {
            digit[k] += other.digit[k] + carry;
            carry = digit[k] >= map.size[k];
            if (carry) digit[k] -= map.size[k];
        }
    }
    __device__ __forceinline__ jr_u64 place(const jr_axis_map &map) const {
        jr_u64 at = 0;
#pragma unroll
        for (jr_u32 k = 0; k < JR_AXES_MAX; k++) at += digit[k] * map.stride[k];
        return at;
    }
};

// A thread's elements of a segment, one after the other.
struct jr_axis_cursor {
    const jr_axis_map &map;
    jr_axis_digits digits, step_digits;
    jr_u64 row, step;

    __device__ __forceinline__ jr_axis_cursor(const jr_axis_map &of, const jr_column_share &share)
        : map(of), digits(of, share.row), step_digits(of, share.step), row(share.row), step(share.step) {}
    __device__ __forceinline__ void next() {
        row += step;
        digits.add(map, step_digits);
    }
    __device__ __forceinline__ jr_u64 place() const { return digits.place(map); }
};

// A block takes units in turn. SOURCE: see jr_fold_rows; begin(the place of the segment that follows).
template <class SOURCE>
__device__ __forceinline__ void jr_fold_axes(const jr_reducer &reducer, SOURCE source, const jr_axes_cut &axes,
                                             void *out, jr_accumulator *partials) {
    jr_accumulator *const cache = jr_block_cache();
    const jr_column_cut &columns = axes.columns;
    const jr_u64 units = jr_column_units(columns);
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const jr_column_share share(columns, unit);
        source.begin(jr_axis_digits(axes.segments, share.column).place(axes.segments));
        jr_axis_cursor cursor(axes.elements, share);
        const jr_accumulator mine = jr_fold_rows(reducer, source, cursor, share.left);
        const jr_accumulator total = jr_combine_columns(reducer, columns, mine, cache);
        if (!share.taken || threadIdx.x >= columns.width) continue;
        if (columns.parts > 1)
            partials[share.part * columns.count + share.column] = total;
        else
            reducer.write((jr_u8 *)out + share.column * columns.result_bytes, total, reducer.call.count);
    }
}
