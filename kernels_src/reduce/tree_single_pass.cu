// single_pass of the fixed tree: one launch; blocks take chunks in turn, block 0 folds what they leave. With one block
// it is one_block, too.
#include "reduce/tree_blocks.cuh"

// in: the input. out: the result. slots: one of each chunk, all clear, and clear again when the kernel ends. Block 0
// waits only for blocks that wait for nobody.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_tree_blocks)
    jr_reduce_tree_single_pass(const __grid_constant__ jr_cut in, const __grid_constant__ jr_tree_cut chunks, void *out,
                               jr_u64 *slots, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_tree_span span(in, 0, chunks.count, chunks.count, reducer.call.first);
    jr_accumulator *const places = jr_block_cache();
#pragma unroll 1
    for (jr_u64 c = blockIdx.x; c < chunks.chunks; c += gridDim.x) {
        const jr_u64 begin = c * chunks.elements, end = begin + chunks.elements;
        const jr_accumulator value =
            jr_fold_chunk(reducer, span, begin, end < chunks.count ? end : chunks.count, places);
        if (threadIdx.x == 0) {
            if (chunks.chunks == 1)
                reducer.write(out, value, call.count);
            else
                jr_slot_put(slots, (jr_u32)c, value);
        }
        __syncthreads(); // the places are read
    }
    if (blockIdx.x > 0 || chunks.chunks == 1) return;
    const jr_accumulator total = jr_fold_slots(reducer, slots, (jr_u32)chunks.chunks, places);
    if (threadIdx.x == 0) reducer.write(out, total, call.count);
}
