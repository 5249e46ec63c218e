// segmented_join: finishes the segments that lie in several blocks of the walk.
//
// Bytes: an accumulator a block, and again for each block that a segment ends in. Launches: this one, with the walk's
// grid; a block without such a segment ends at once.
#include "segmented/ragged/walk.cuh"

// Block b finishes the segment that ends first in block b of the walk, when it began in one before it. out, workspace,
// segments: see the walk.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_join(void *out, void *workspace, const __grid_constant__ jr_segment_cut segments,
                      const __grid_constant__ jr_call call) {
    jr_begin();
    __shared__ jr_room_of_one totals[jr_block_warps];
    const jr_reducer reducer{{{}, call}};
    const jr_block_rest rest(workspace, gridDim.x);
    const jr_u64 s = rest.head_segments[blockIdx.x];
    if (s == jr_no_segment) return;
    const jr_walk line(segments);
    const jr_u32 from = (jr_u32)(line.line(s) / (line.share * jr_block_warps)), count = blockIdx.x - from;
    const jr_u32 share = (count + JR_BLOCK - 1) / JR_BLOCK;
    jr_accumulator acc[1] = {reducer.identity()};
#pragma unroll 1
    for (jr_u32 k = threadIdx.x * share; k < threadIdx.x * share + share && k < count; k++)
        acc[0] = reducer.combine(acc[0], rest.tails[from + k]);
    const jr_accumulator total = jr_combine_block_ordered(reducer, acc, (jr_accumulator *)totals);
    if (threadIdx.x > 0) return;
    jr_segment_write(reducer, segments, out, s, reducer.combine(total, rest.heads[blockIdx.x]),
                     jr_segment_begin(segments, s + 1) - jr_segment_begin(segments, s));
}
