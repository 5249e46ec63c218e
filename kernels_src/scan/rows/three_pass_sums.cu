// three_pass, its first pass: each block marches along its row, folds tile by tile and leaves the row's sum.
//
// Source: the row-wise reduce-then-scan.
#include "scan/common/tiles.cuh"

// in: the input. sums: one accumulator for each row. A grid of a block for each row.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_three_pass_sums(const __grid_constant__ jr_cut in, jr_accumulator *sums,
                            const __grid_constant__ jr_deal deal, const __grid_constant__ jr_call call) {
    jr_begin();
    __shared__ jr_room_of_one totals[2][jr_block_warps];
    const jr_reducer reducer{{{}, call}};
    jr_accumulator sum = reducer.identity();
#pragma unroll 1
    for (jr_u64 tile = jr_deal_begin(deal, blockIdx.x); tile < jr_deal_begin(deal, blockIdx.x + 1ull); tile++) {
        const long long at = jr_tile_pack(in, tile);
        jr_packs packs[JR_UNROLL];
        jr_accumulator folded[JR_UNROLL];
        jr_load_tile(in, at, packs);
        jr_fold_tile(reducer, in, at, packs, folded);
        const jr_accumulator total = jr_combine_block_ordered(reducer, folded, (jr_accumulator *)totals[tile % 2]);
        if (jr_warp() == 0) sum = reducer.combine(sum, total);
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
