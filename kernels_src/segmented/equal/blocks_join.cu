// segmented_blocks_join: finishes segments that were folded in several parts. Bytes: one accumulator per part, one
// result per segment. Launches: this one, with one block per segment.
#include "segmented/common/segments.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_blocks_join(void *out, const jr_accumulator *partials, const jr_u32 parts,
                             const __grid_constant__ jr_segment_cut segments, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 s = blockIdx.x;
    jr_accumulator acc = reducer.identity();
#pragma unroll 1
    for (jr_u32 p = threadIdx.x; p < parts; p += JR_BLOCK) acc = reducer.combine(acc, partials[s * parts + p]);
    const jr_accumulator total = jr_combine_block(reducer, acc, jr_block_cache());
    if (threadIdx.x == 0) jr_segment_write(reducer, segments, out, s, total, segments.length);
}
