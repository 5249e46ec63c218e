// three_pass, its second pass: one block scans the rows' sums into the rows' starts, in place.
//
// Source: the row-wise reduce-then-scan.
#include "scan/common/scan_block.cuh"

// sums: row_count accumulators, each of which becomes the fold of the initial value and all sums before it. Launched
// with one block.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_three_pass_starts(jr_accumulator *sums, jr_u32 row_count, const __grid_constant__ jr_call call) {
    jr_begin();
    __shared__ jr_room_of_one totals[2][jr_block_warps];
    const jr_reducer reducer{{{}, call}};
    jr_accumulator carry = jr_with_initial(reducer, reducer.identity());
#pragma unroll 1
    for (jr_u32 begin = 0; begin < row_count; begin += JR_BLOCK) {
        const jr_u32 row = begin + threadIdx.x;
        jr_accumulator value[1] = {row < row_count ? sums[row] : reducer.identity()};
        carry = jr_scan_block(reducer, value, carry, (jr_accumulator *)totals[begin / JR_BLOCK % 2]);
        if (row < row_count) sums[row] = value[0];
    }
}
