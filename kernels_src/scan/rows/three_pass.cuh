// A row of tiles: a block loads its start and marches along it, scanning tiles.
#pragma once

#include "scan/common/tile_results.cuh"

// in: the input. out: a result for each element; may be an input. starts: for each row the fold of all that stands
// before it; NULL when there is a single row. A grid of a block for each row.
__device__ __forceinline__ void jr_scan_row(const jr_cut &in, void *results, const jr_accumulator *starts,
                                            const jr_deal &deal, const jr_call &call) {
    __shared__ jr_room_of_one totals[2][jr_block_warps];
    __shared__ __align__(16) jr_u8 stages[jr_block_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    const jr_whole_scan form{reducer, jr_output_of(in, results, stages, call.count)};
    jr_accumulator carry = starts != nullptr ? starts[blockIdx.x] : jr_with_initial(reducer, reducer.identity());
#pragma unroll 1
    for (jr_u64 tile = jr_deal_begin(deal, blockIdx.x); tile < jr_deal_begin(deal, blockIdx.x + 1ull); tile++) {
        const long long at = jr_tile_pack(in, tile);
        jr_packs packs[JR_UNROLL];
        jr_accumulator before[JR_UNROLL];
        jr_load_tile(in, at, packs);
        jr_fold_tile(reducer, in, at, packs, before);
        carry = jr_scan_block(reducer, before, carry, (jr_accumulator *)totals[tile % 2]);
        jr_scan_tile(form, in, at, packs, before);
    }
}
