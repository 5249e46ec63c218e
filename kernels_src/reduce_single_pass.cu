// single_pass: one launch; every block folds its share, block 0 collects the partial results through polled slots.
#include "combine.cuh"
#include "load.cuh"
#include "slots.cuh"

// in: the input. out: the result. slots: gridDim.x - 1 slots, all clear, and clear again when the kernel ends.
// Block 0 waits only for blocks that wait for nobody, so any grid ends on a device that can hold two blocks.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_single_pass(const __grid_constant__ jr_inputs in, void *out, jr_u64 *slots, const __grid_constant__ jr_call call) {
    const jr_reducer reducer(call);
    jr_accumulator share = jr_fold_share(reducer, in, blockIdx.x, gridDim.x);
    if (blockIdx.x == 0)
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < gridDim.x - 1; i += JR_BLOCK)
            share = reducer.combine(share, jr_slot_take(slots, i));
    const jr_accumulator total = jr_combine_block(reducer, share, jr_block_cache());
    if (threadIdx.x > 0) return;
    if (blockIdx.x > 0)
        jr_slot_put(slots, blockIdx.x - 1, total);
    else
        reducer.write(out, total, call.count);
}
