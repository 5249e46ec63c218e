// segmented_columns_join: finishes columns that were cut into parts: the parts are the rows of a smaller array.
//
// Bytes: an accumulator a part and column, a result a column. Launches: this one.
#include "segmented/columns.cuh"

// The parts of a column.
struct jr_column_parts {
    typedef jr_accumulator loaded;
    const jr_accumulator *first;
    jr_u64 inner; // columns

    __device__ __forceinline__ jr_accumulator load(jr_u64, jr_u64 place) const {
        return first[place];
    }
    __device__ __forceinline__ jr_accumulator lift(const jr_accumulator &part) const {
        return part;
    }
};

// partials: columns.length rows of columns.count accumulators. out: the results. columns: cut anew, into one part.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_columns_join(void *out, const jr_accumulator *partials, const __grid_constant__ jr_column_cut columns,
                              const __grid_constant__ jr_call call) {
    jr_begin();
    jr_accumulator *const cache = jr_block_cache();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 units = jr_column_units(columns);
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const jr_column_share share(columns, unit);
        const jr_column_parts parts = {partials + share.column, columns.count};
        const jr_accumulator mine = jr_fold_rows(reducer, parts, share.row, share.end, share.step);
        const jr_accumulator total = jr_combine_columns(reducer, columns, mine, cache);
        if (share.taken && threadIdx.x < columns.width)
            reducer.write((jr_u8 *)out + share.column * columns.result_bytes, total, call.count);
    }
}
