// single_pass of the fixed tree: one launch; every block leaves nodes, block 0 folds them when all are there. With one
// block it is one_block, too.
#include "reduce/tree_chunks.cuh"

// Tells block 0 that this block's nodes are there: what its threads wrote before the barrier is seen by who sees the
// mark. Source: PTX ISA, "Memory Consistency Model", causality order.
__device__ __forceinline__ void jr_tell_block_0(jr_u32 *marks) {
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(marks + blockIdx.x - 1), "r"(1) : "memory");
}

// Waits for all other blocks, and clears their marks. Block 0 waits only for blocks that wait for nobody.
__device__ __forceinline__ void jr_wait_for_blocks(jr_u32 *marks) {
#pragma unroll 1
    for (jr_u32 i = threadIdx.x; i < gridDim.x - 1; i += JR_BLOCK) {
        jr_u32 there;
#pragma unroll 1
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(there) : "l"(marks + i) : "memory");
        while (!there);
        asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(marks + i), "r"(0) : "memory");
    }
    __syncthreads();
}

// in: the input. out: the result. marks: gridDim.x - 1 of them, all clear, and clear again when the kernel ends. nodes:
// room for one of each chunk.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_tree_single_pass(const __grid_constant__ jr_cut in, const __grid_constant__ jr_tree_cut chunks,
                               jr_accumulator *nodes, void *out, jr_u32 *marks, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_chunks(reducer, in, chunks, nodes);
    if (blockIdx.x > 0) return jr_tell_block_0(marks);
    jr_wait_for_blocks(marks);
    const jr_accumulator total = jr_fold_nodes(reducer, nodes, chunks.chunks, jr_block_cache());
    if (threadIdx.x == 0) reducer.write(out, total, call.count);
}
