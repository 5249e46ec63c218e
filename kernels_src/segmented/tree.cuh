// Segments by the fixed tree: its shape is that of each segment's length alone. A segment is folded by a warp, or, when
// it is long, by a block; nothing of that changes what is combined with what.
#pragma once

#include "fold/tree.cuh"
#include "segmented/segments.cuh"

// Folds all segments. `together`, at most the warps of a block, are taken by a block at a time. SEGMENTS: length(s), and
// span(s, begin, count), count of the elements of s from `begin` on. out: the results.
template <class SEGMENTS>
__device__ __forceinline__ void jr_fold_trees(const jr_reducer &reducer, const SEGMENTS &of,
                                              const jr_segment_cut &segments, jr_u32 together, void *out) {
    const jr_u64 most = together > 1 ? 32 * jr_tile_elements : jr_tile_elements; // of one warp
    jr_accumulator *const totals = jr_block_cache();
#pragma unroll 1
    for (jr_u64 group = (jr_u64)blockIdx.x * together; group < segments.count; group += (jr_u64)gridDim.x * together) {
        const jr_u64 left = segments.count - group;
        const jr_u32 here = left < together ? (jr_u32)left : together;
        jr_u32 longer = __ballot_sync(jr_full_mask, jr_lane() < here && of.length(group + jr_lane()) > most);
        const bool own = jr_warp() < here && !(longer >> jr_warp() & 1);
        // First each warp its own, then all of them the longer ones, one after the other.
#pragma unroll 1
        for (bool alone = true; alone || longer; alone = false) {
            const jr_u64 s = group + (alone ? jr_warp() : __ffs((int)longer) - 1);
            if (alone && !own) continue;
            const jr_u64 length = of.length(s);
            const jr_u64 share = alone ? length : jr_tree_share(length, jr_tree_warps, jr_tile_elements);
            const jr_u64 begin = alone ? 0 : jr_warp() * share;
            const jr_u64 rest = begin < length && (alone || jr_warp() < jr_tree_warps) ? length - begin : 0;
            jr_accumulator value = jr_fold_tree(reducer, of.span(s, begin, rest < share ? rest : share));
            if (!alone) {
                longer &= longer - 1;
                value = jr_combine_tree_warps(reducer, value, totals, share, length);
                __syncthreads(); // the totals are read
            }
            if (alone ? jr_lane() == 0 : threadIdx.x == 0) jr_segment_write(reducer, segments, out, s, value, length);
        }
    }
}
