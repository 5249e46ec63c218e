// single_pass: one launch; every block folds its share, block 0 collects the partial results through polled slots.
#include "combine.cuh"
#include "load.cuh"
#include "slots.cuh"

// in: the input. out: one result. slots: gridDim.x - 1 slots, all clear, and clear again when the kernel ends.
// initial: read only when JR_INITIAL is 1.
// Block 0 waits only for blocks that wait for nobody, so any grid ends on a device that can hold two blocks.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_single_pass(const jr_cut in, jr_result *out, jr_u64 *slots, jr_result initial) {
    jr_accumulator share = jr_fold_share(in, blockIdx.x, gridDim.x);
    if (blockIdx.x == 0)
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < gridDim.x - 1; i += JR_BLOCK)
            share = jr_operator::combine(share, jr_slot_take(slots, i));
    const jr_accumulator total = jr_combine_block(share, jr_block_cache());
    if (threadIdx.x > 0) return;
    if (blockIdx.x > 0)
        jr_slot_put(slots, blockIdx.x - 1, total);
    else
        *out = jr_finish(total, initial);
}
