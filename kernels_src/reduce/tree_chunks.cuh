// Chunks of the fixed tree: each is folded by a warp, which leaves a node; what their algorithms share.
#pragma once

#include "fold/tree.cuh"

// Folds all chunks of the input, warps in turn. nodes: one for each chunk.
__device__ __forceinline__ void jr_fold_chunks(const jr_reducer &reducer, const jr_cut &in, const jr_tree_cut &chunks,
                                               jr_accumulator *nodes) {
#pragma unroll 1
    for (jr_u64 c = (jr_u64)blockIdx.x * jr_block_warps + jr_warp(); c < chunks.chunks;
         c += (jr_u64)gridDim.x * jr_block_warps) {
        const jr_u64 begin = c * chunks.elements, left = chunks.count - begin;
        const jr_u64 count = left < chunks.elements ? left : chunks.elements;
        const jr_tree_span span(in, begin, count, left, reducer.call.first + begin);
        const jr_accumulator node = jr_fold_tree(reducer, span);
        if (jr_lane() == 0) nodes[c] = node;
    }
}
