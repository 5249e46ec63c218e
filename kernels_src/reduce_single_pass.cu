// single_pass: one launch; every block folds its share, block 0 collects the partial results through polled slots.
#include "combine.cuh"
#include "load.cuh"
#include "slots.cuh"

// in: count elements at any element alignment. out: one result. slots: gridDim.x - 1 slots, all clear, and clear again
// when the kernel ends. initial: read only when JR_INITIAL is 1.
// Block 0 waits only for blocks that wait for nobody, so any grid ends on a device that can hold two blocks.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_single_pass(const jr_element *in, jr_u64 count, jr_result *out, jr_u64 *slots, jr_result initial) {
    __shared__ jr_block_room room;
    jr_accumulator total = jr_combine_block(jr_fold_share(in, count, blockIdx.x, gridDim.x), room);
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0) jr_slot_put(slots, blockIdx.x - 1, total);
        return;
    }
    if (gridDim.x > 1) {
        jr_accumulator partial = jr_operator::identity();
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < gridDim.x - 1; i += JR_BLOCK)
            partial = jr_operator::combine(partial, jr_slot_take(slots, i));
        __syncthreads(); // room was read by warp 0
        total = jr_operator::combine(total, jr_combine_block(partial, room));
    }
    if (threadIdx.x == 0) *out = jr_finish(total, initial);
}
