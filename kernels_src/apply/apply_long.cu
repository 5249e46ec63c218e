// apply_long: rows that registers do not hold; a block reads a row twice. Bytes: every element twice, of which the
// caches have a part the second time; every result once. Launches: one.
#include "apply/apply_row.cuh"

constexpr jr_u32 jr_long_tile = JR_BLOCK * JR_UNROLL; // packs

// Loads the thread's packs of a tile, of which `at` is the first.
__device__ __forceinline__ void jr_long_load(const jr_row &row, jr_u64 at, jr_row_x (&held)[JR_UNROLL]) {
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_u64 pack = at + u * JR_BLOCK;
        if (pack < row.packs) held[u].load(row.x + row.first(pack));
    }
}

__device__ __forceinline__ jr_accumulator jr_long_fold(const jr_reducer &reducer, const jr_row &row) {
    jr_accumulator chain[JR_UNROLL], total;
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u] = reducer.identity();
#pragma unroll 1
    for (jr_u64 at = threadIdx.x; at < row.packs; at += jr_long_tile) {
        jr_row_x held[JR_UNROLL];
        jr_long_load(row, at, held);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (at + u * JR_BLOCK < row.packs)
                chain[u] = reducer.combine(chain[u], row.fold(reducer, held[u], row.first(at + u * JR_BLOCK)));
    }
    total = chain[0];
#pragma unroll
    for (jr_u32 u = 1; u < JR_UNROLL; u++) total = reducer.combine(total, chain[u]);
    if (threadIdx.x >= row.ends()) return total;
    const jr_u64 k = row.end(threadIdx.x);
    return reducer.combine(total, reducer.lift(row.item(row.x[k], k)));
}

__device__ __forceinline__ void jr_long_apply(const jr_call &call, const jr_row &row, const jr_results &results) {
#pragma unroll 1
    for (jr_u64 at = threadIdx.x; at < row.packs; at += jr_long_tile) {
        jr_row_x held[JR_UNROLL];
        jr_long_load(row, at, held);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (at + u * JR_BLOCK < row.packs) row.apply(call, held[u], row.first(at + u * JR_BLOCK), results);
    }
    if (threadIdx.x >= row.ends()) return;
    const jr_u64 k = row.end(threadIdx.x);
    row.apply_one(call, row.x[k], k, results);
}

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_apply_long(const __grid_constant__ jr_row_cut rows, const __grid_constant__ jr_call call) {
    __shared__ jr_row_shared shared;
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_u32 turn = 0;
#pragma unroll 1
    for (jr_u64 r = blockIdx.x; r < rows.count; r += gridDim.x, turn ^= 1) {
        const jr_row row(rows, r);
        jr_results results;
        const jr_accumulator total = jr_row_combine_block(reducer, jr_long_fold(reducer, row), shared, turn);
        jr_row_finish(results, reducer, total, row.length);
        jr_long_apply(call, row, results);
    }
}
