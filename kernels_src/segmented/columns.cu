// segmented_columns: reduces along an axis of a C-ordered array behind which others lie: [outer][length][inner].
//
// Bytes: every element once, a result a column; of parts an accumulator each, written here and read by
// segmented_axes_join. Launches: this one, and the join when columns are cut into parts.
#include "segmented/columns.cuh"

// The elements of a column.
struct jr_column_elements {
    typedef jr_item loaded;
    const jr_reducer &reducer;
    const jr_cut &in;
    jr_u64 at; // its first element

    __device__ __forceinline__ jr_item load(const jr_row_cursor &cursor) const {
        const jr_u64 e = at + cursor.place;
        return jr_item_at(in, (long long)(e - in.head), cursor.row - e + jr_piece_first(reducer));
    }
    __device__ __forceinline__ jr_accumulator lift(const jr_item &item) const {
        return reducer.lift(item);
    }
};

// in: the input, cut without an end. out: the results, when there is one part. partials: room for parts * count
// accumulators, when there are several. A block takes units in turn.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_columns(const __grid_constant__ jr_cut in, void *out, jr_accumulator *partials,
                         const __grid_constant__ jr_column_cut columns, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_accumulator *const cache = jr_block_cache();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 units = jr_column_units(columns);
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const jr_column_share share(columns, unit);
        const jr_u64 slab = share.column < columns.inner ? 0 : share.column / columns.inner;
        const jr_column_elements elements = {
            reducer, in, slab * columns.length * columns.inner + (share.column - slab * columns.inner)};
        jr_row_cursor cursor = share.cursor(columns.inner);
        const jr_accumulator mine = jr_fold_rows(reducer, elements, cursor, share.left);
        const jr_accumulator total = jr_combine_columns(reducer, columns, mine, cache);
        if (!share.taken || threadIdx.x >= columns.width) continue;
        if (columns.parts > 1)
            partials[share.part * columns.count + share.column] = total;
        else
            reducer.write((jr_u8 *)out + share.column * columns.result_bytes, total, columns.length);
    }
}
