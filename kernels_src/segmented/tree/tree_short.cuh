// Short segments of equal lengths by the fixed tree: a few lanes of a warp fold a segment each, so many lanes as it has
// packs, rounded up to a power of two. Lane k folds the elements that would be its pack if the segment began at a
// boundary: by one load of 16 bytes where packs are whole, else element by element.
#pragma once

#include "segmented/common/segments.cuh"

constexpr jr_u64 jr_tree_short = jr_warp_lanes * jr_pack_elements;       // elements of such a segment at most
constexpr jr_u32 jr_tree_segments = jr_tile_rows < 4 ? jr_tile_rows : 4; // of a lane at a time

// Folds a lane's values, neighbours first: those of the first `there` elements, one at least.
__device__ __forceinline__ jr_accumulator jr_fold_some_pack(const jr_reducer &reducer,
                                                            jr_accumulator (&values)[jr_pack_elements], jr_u32 there) {
#pragma unroll
    for (jr_u32 distance = 1; distance < jr_pack_elements; distance *= 2)
#pragma unroll
        for (jr_u32 k = 0; k + distance < jr_pack_elements; k += 2 * distance)
            if (k + distance < there) values[k] = reducer.combine(values[k], values[k + distance]);
    return values[0];
}

// Folds all segments. lanes: of a segment, a power of two. out: the results.
template <bool WHOLE>
__device__ __forceinline__ void jr_fold_short_trees(const jr_reducer &reducer, const jr_cut &in,
                                                    const jr_segment_cut &segments, jr_u32 lanes, void *out) {
    const jr_u32 length = (jr_u32)segments.length, lane = jr_lane() & (lanes - 1), each = jr_warp_lanes / lanes;
    const jr_u32 first =
        lane * jr_pack_elements; // the lane's first element; lanes after the last one fold its elements
    const jr_u32 near = first < length ? first : (length - 1) / jr_pack_elements * jr_pack_elements;
    const jr_u64 step = (jr_u64)each * jr_tree_segments, warps = (jr_u64)gridDim.x * jr_block_warps;
#pragma unroll 1
    for (jr_u64 s = ((jr_u64)blockIdx.x * jr_block_warps + jr_warp()) * step; s < segments.count; s += warps * step) {
        const jr_u64 own = s + jr_lane() / lanes;
        jr_accumulator values[jr_tree_segments];
        jr_packs packs[jr_tree_segments];
#pragma unroll
        for (jr_u32 u = 0; u < jr_tree_segments; u++) {
            const jr_u64 at = own + u * each < segments.count ? own + u * each : segments.count - 1;
            if (WHOLE)
                packs[u].load(in, (at * length + near) / jr_pack_elements);
            else {
                jr_accumulator of[jr_pack_elements];
#pragma unroll
                for (jr_u32 k = 0; k < jr_pack_elements; k++) {
                    const jr_u32 e = near + k < length ? near + k : length - 1;
                    of[k] = reducer.lift(jr_item_at(in, (long long)(at * length + e - in.head), 0 - at * length));
                }
                values[u] = jr_fold_some_pack(reducer, of, length - near);
            }
        }
#pragma unroll
        for (jr_u32 u = 0; WHOLE && u < jr_tree_segments; u++)
            values[u] = jr_pairwise<jr_pack_elements>::fold(reducer, packs[u], 0, near);
#pragma unroll 1
        for (jr_u32 distance = 1; distance < lanes; distance *= 2)
#pragma unroll
            for (jr_u32 u = 0; u < jr_tree_segments; u++) {
                const jr_accumulator right = jr_shuffle_down(values[u], distance);
                if (first + distance * jr_pack_elements < length) values[u] = reducer.combine(values[u], right);
            }
#pragma unroll
        for (jr_u32 u = 0; u < jr_tree_segments; u++)
            if (lane == 0 && own + u * each < segments.count)
                jr_segment_write(reducer, segments, out, own + u * each, values[u], length);
    }
}

// Whether all segments are short and alike; then they are folded.
__device__ __forceinline__ bool jr_fold_if_short(const jr_reducer &reducer, const jr_cut &in,
                                                 const jr_segment_cut &segments, void *out) {
    if (segments.offsets != nullptr || segments.length == 0 || segments.length > jr_tree_short) return false;
    jr_u32 lanes = 1;
#pragma unroll 1
    while (lanes * jr_pack_elements < segments.length) lanes *= 2;
    if (in.head == 0 && segments.length % jr_pack_elements == 0 && !JR_ALL_ENDS)
        jr_fold_short_trees<true>(reducer, in, segments, lanes, out);
    else
        jr_fold_short_trees<false>(reducer, in, segments, lanes, out);
    return true;
}
