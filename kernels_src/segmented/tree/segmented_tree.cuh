// Segments by the fixed tree: its shape is that of each segment's length alone. A segment is folded by a warp, or, when
// it is long, by a block; nothing of that changes what is combined with what.
#pragma once

#include "segmented/common/turns.cuh"

// Folds all segments. together: see jr_take_turns. SEGMENTS: length(s), and span(s, begin, count), count of the
// elements of s from `begin` on. out: the results.
template <class SEGMENTS>
__device__ __forceinline__ void jr_fold_trees(const jr_reducer &reducer, const SEGMENTS &of,
                                              const jr_segment_cut &segments, jr_u32 together, void *out) {
    const jr_u64 most = together > 1 ? 32 * jr_tile_elements : jr_tile_elements; // of one warp
    jr_accumulator *const totals = jr_block_cache();
    jr_take_turns(of, segments.count, together, most, [&](jr_u64 s, bool alone) {
        const jr_u64 length = of.length(s);
        const jr_u64 share = alone ? length : jr_tree_share(length, jr_tree_warps, jr_tile_elements);
        const jr_u64 begin = alone ? 0 : jr_warp() * share;
        const jr_u64 rest = begin < length && (alone || jr_warp() < jr_tree_warps) ? length - begin : 0;
        jr_accumulator value = jr_fold_tree(reducer, of.span(s, begin, rest < share ? rest : share));
        if (!alone) {
            value = jr_combine_tree_warps(reducer, value, totals, share, length);
            __syncthreads(); // the totals are read
        }
        if (alone ? jr_lane() == 0 : threadIdx.x == 0) jr_segment_write(reducer, segments, out, s, value, length);
    });
}
