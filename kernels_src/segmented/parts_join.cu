// segmented_parts_join: finishes segments that were cut into parts: the parts are the rows of a small array, which lies in
// the L2 cache.
//
// Bytes: an accumulator a part and segment, a result a segment. Launches: this one.
#include "segmented/shares.cuh"

// The parts of a segment.
struct jr_segment_parts {
    typedef jr_accumulator loaded;
    const jr_accumulator *first;

    __device__ __forceinline__ jr_accumulator load(const jr_row_cursor &cursor) const {
        return first[cursor.place];
    }
    __device__ __forceinline__ jr_accumulator lift(const jr_accumulator &part) const {
        return part;
    }
};

// parts: columns.length rows of columns.count accumulators. out: the results. columns: in one part. call.count: elements
// of a segment.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_parts_join(void *out, const jr_accumulator *parts, const __grid_constant__ jr_column_cut columns,
                            const __grid_constant__ jr_call call) {
    jr_begin();
    jr_accumulator *const cache = jr_block_cache();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 units = jr_column_units(columns);
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const jr_column_share share(columns, unit);
        jr_row_cursor cursor = share.cursor(columns.count);
        const jr_accumulator mine = jr_fold_rows(reducer, jr_segment_parts{parts + share.column}, cursor, share.left);
        const jr_accumulator total = jr_combine_columns(reducer, columns, mine, cache);
        if (share.taken && threadIdx.x < columns.width)
            reducer.write((jr_u8 *)out + share.column * columns.result_bytes, total, call.count);
    }
}
