// Scans of columns: the folds of a column's parts become the starts of those parts. Few parts are gone along by one
// thread a column, many by one block.
#include "scan/common/scan_block.cuh"
#include "scan/rows/columns.cuh"

// The fold of a part of the column that begins at `folds`.
__device__ __forceinline__ jr_accumulator *jr_fold_of_part(jr_accumulator *folds, const jr_scan_columns &columns,
                                                           jr_u64 part) {
    return folds + part * columns.inner;
}

__device__ __forceinline__ void jr_start_by_thread(const jr_reducer &reducer, jr_accumulator *folds,
                                                   const jr_scan_columns &columns, jr_u64 column) {
    jr_accumulator before = jr_before_rows(reducer, columns, column);
#pragma unroll 1
    for (jr_u64 part = 0; part < columns.parts; part++) {
        jr_accumulator *const at = jr_fold_of_part(folds, columns, part);
        const jr_accumulator next = reducer.combine(before, *at);
        *at = before;
        before = next;
    }
    jr_carry_rows(columns, column, before);
}

// All threads take part.
__device__ __forceinline__ void jr_start_by_block(const jr_reducer &reducer, jr_accumulator *folds,
                                                  const jr_scan_columns &columns, jr_u64 column) {
    __shared__ jr_room_of_one totals[2][jr_block_warps];
    jr_accumulator carry = jr_before_rows(reducer, columns, column);
#pragma unroll 1
    for (jr_u64 begin = 0; begin < columns.parts; begin += JR_BLOCK) {
        const jr_u64 part = begin + threadIdx.x;
        jr_accumulator *const at = jr_fold_of_part(folds, columns, part);
        jr_accumulator value[1] = {part < columns.parts ? *at : reducer.identity()};
        carry = jr_scan_block(reducer, value, carry, (jr_accumulator *)totals[begin / JR_BLOCK % 2]);
        if (part < columns.parts) *at = value[0];
    }
    __syncthreads(); // before the next column, and all have read what stands before this one
    if (threadIdx.x == 0) jr_carry_rows(columns, column, carry);
}

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_columns_starts(jr_accumulator *folds, const __grid_constant__ jr_scan_columns columns,
                           const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const bool by_block = columns.parts > JR_PARTS_BY_THREAD;
    const jr_u64 count = columns.pieces / columns.parts * columns.inner, threads = by_block ? 1 : JR_BLOCK;
#pragma unroll 1
    for (jr_u64 column = blockIdx.x * threads + (by_block ? 0 : threadIdx.x); column < count;
         column += gridDim.x * threads) {
        const jr_u64 outer = column / columns.inner;
        jr_accumulator *const first =
            folds + outer * columns.parts * columns.inner + (column - outer * columns.inner);
        if (by_block)
            jr_start_by_block(reducer, first, columns, column);
        else
            jr_start_by_thread(reducer, first, columns, column);
    }
}
