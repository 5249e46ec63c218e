// apply_block: a block holds a row in registers. Bytes: every element once, every result once. Launches: one.
#include "apply/apply_total.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_apply_block(const __grid_constant__ jr_row_cut rows, const __grid_constant__ jr_call call) {
    __shared__ jr_row_shared shared;
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_u32 turn = 0;
#pragma unroll 1
    for (jr_u64 r = blockIdx.x; r < rows.count; r += gridDim.x, turn ^= 1) {
        const jr_row row(rows, r);
        jr_row_held held;
        jr_results results;
        held.load(row, threadIdx.x, JR_BLOCK);
        const jr_accumulator total = jr_row_total<jr_asked>::of(reducer, held, row, threadIdx.x, JR_BLOCK,
                                                                jr_row_block{shared, turn});
        jr_row_finish(results, reducer, total, row.length);
        held.apply(call, row, threadIdx.x, JR_BLOCK, results);
    }
}
