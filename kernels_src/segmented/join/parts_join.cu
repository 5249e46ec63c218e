// segmented_parts_join: finishes segments that were cut into parts: the parts are the rows of a small array, which fits
// the L2 cache. Bytes: one accumulator per part and segment, one result per segment. Launches: this one.
#include "fold/ordered.cuh"
#include "segmented/join/shares.cuh"

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
    __device__ __forceinline__ void take(const jr_reducer &reducer, jr_accumulator &acc, const jr_accumulator &part) const {
        acc = reducer.combine(acc, part);
    }
};

// Combines the lanes of each column, neighbours first, within each warp and then across warps, and writes the results.
// columns.width: a power of two up to 32; lanes fill the block. mine: this thread's accumulator. All threads take part.
__device__ __forceinline__ void jr_join_warps(const jr_reducer &reducer, const jr_column_cut &columns, jr_u64 first,
                                              jr_accumulator mine, jr_accumulator *cache, jr_u8 *out, jr_u64 length) {
    const jr_u32 width = columns.width;
#pragma unroll 1
    for (jr_u32 distance = width; distance < jr_warp_lanes; distance *= 2)
        mine = reducer.combine(mine, jr_shuffle_down(mine, distance));
    __syncthreads(); // other threads may still read what the last unit left in cache
    if (jr_lane() < width) cache[jr_lane() * jr_block_warps + jr_warp()] = mine;
    __syncthreads();
#pragma unroll 1
    for (jr_u32 w = jr_warp(); w < width && first + w < columns.count; w += jr_block_warps) {
        const jr_accumulator total = jr_combine_warps(reducer, cache + w * jr_block_warps);
        if (jr_lane() == 0) reducer.write(out + (first + w) * columns.result_bytes, total, length);
    }
}

// parts: columns.length rows of columns.count accumulators. out: the results. columns: in one part. in_warps: are lanes
// combined by jr_join_warps, for columns.width of 1, 2 or 4 and lanes that fill the block? call.count: elements of a segment.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_parts_join(void *out, const jr_accumulator *parts, const __grid_constant__ jr_column_cut columns,
                            jr_u32 in_warps, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_accumulator *const cache = jr_block_cache();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 units = jr_column_units(columns);
#pragma unroll 1
    for (jr_u64 unit = blockIdx.x; unit < units; unit += gridDim.x) {
        const jr_column_share share(columns, unit);
        jr_row_cursor cursor = share.cursor(columns.count);
        const jr_accumulator mine = jr_fold_rows(reducer, jr_segment_parts{parts + share.column}, cursor, share.left);
        if (sizeof(jr_accumulator) <= JR_JOIN_BYTES && in_warps) {
            jr_join_warps(reducer, columns, unit * columns.width, mine, cache, (jr_u8 *)out, call.count);
            continue;
        }
        const jr_accumulator total = jr_combine_columns(reducer, columns, mine, cache);
        if (share.taken && threadIdx.x < columns.width)
            reducer.write((jr_u8 *)out + share.column * columns.result_bytes, total, call.count);
    }
}
