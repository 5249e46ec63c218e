// Collecting: the shares of all threads of all blocks of one launch become the result, in block 0.
#pragma once

#include "fold/combine.cuh"
#include "reduce/slots.cuh"

// cache: JR_BLOCK accumulators in shared memory. out: the result. slots: gridDim.x - 1 slots, all clear, and clear
// again when the kernel ends.
// Block 0 waits only for blocks that wait for nobody, so any grid ends on a device that can hold two blocks.
__device__ __forceinline__ void jr_collect(const jr_reducer &reducer, jr_accumulator share, jr_accumulator *cache,
                                           void *out, jr_u64 *slots) {
    if (blockIdx.x == 0)
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < gridDim.x - 1; i += JR_BLOCK)
            share = reducer.combine(share, jr_slot_take(slots, i));
    const jr_accumulator total = jr_combine_block(reducer, share, cache);
    if (threadIdx.x > 0) return;
    if (blockIdx.x > 0)
        jr_slot_put(slots, blockIdx.x - 1, total);
    else
        jr_write_all(reducer, out, total);
}
