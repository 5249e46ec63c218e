// three_pass, its third pass: each block loads the start of its row and marches along it, scanning tiles.
#pragma once

#include "scan/block.cuh"
#include "scan/results.cuh"

// Takes one more element into a running fold and makes its result. Tells by the mark that one is of no elements.
template <bool EXCLUSIVE>
__device__ __forceinline__ jr_result jr_scan_step(const jr_reducer &reducer, jr_accumulator &running,
                                                  const jr_item &item) {
    const jr_accumulator next = reducer.combine(running, reducer.lift(item));
    const jr_u64 before = item.i - reducer.call.first;
    jr_result result;
    if (EXCLUSIVE)
        jr_write(jr_store, &result, running, before, reducer.call);
    else
        jr_write(jr_store, &result, next, before + 1, reducer.call);
    if (jr_is_of_nothing(EXCLUSIVE ? running : next) && reducer.call.mark) *reducer.call.mark = 1;
    running = next;
    return result;
}

// Stages the results of one pack. before: the fold of all that stands before it.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_pack(const jr_reducer &reducer, const jr_cut &in, long long at,
                                             const jr_packs &packs, jr_accumulator before, const jr_output &out,
                                             jr_u8 *to) {
    const jr_u64 first = reducer.call.first;
    if (jr_is_whole(in, at)) {
        jr_results results;
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++)
            results.elements[k] = jr_scan_step<EXCLUSIVE>(reducer, before, packs.item(k, jr_pack_index(in, at, first)));
        out.put(to, results);
    } else {
        const jr_part part(in, reducer.call.count, at);
#pragma unroll 1
        for (jr_u32 k = part.from; k < part.to; k++)
            ((jr_result *)to)[k] = jr_scan_step<EXCLUSIVE>(reducer, before, part.item(in, k, first));
    }
}

// Writes the results of a row of packs, one a lane. All lanes of the warp take part.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_packs(const jr_reducer &reducer, const jr_cut &in, long long at,
                                              const jr_packs &packs, const jr_accumulator &before,
                                              const jr_output &out) {
#pragma unroll 1
    for (jr_u32 begin = 0; begin < jr_warp_lanes; begin += jr_stage_lanes) {
        const long long first = at - jr_lane() + begin;
        if (jr_lane() - begin < jr_stage_lanes)
            jr_scan_pack<EXCLUSIVE>(reducer, in, at, packs, before, out,
                                    out.staged(first) + (jr_lane() - begin) * jr_result_pack_bytes);
        __syncwarp();
        out.flush(first);
        __syncwarp();
    }
}

// in: the input. out: a result for each element; may be an input. starts: for each row the fold of all that stands
// before it; NULL when there is a single row. A grid of a block for each row.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_row(const jr_cut &in, void *results, const jr_accumulator *starts,
                                            const jr_deal &deal, const jr_call &call) {
    __shared__ jr_room_of_one totals[2][jr_block_warps];
    __shared__ __align__(16) jr_u8 stages[jr_block_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    const jr_output out = {(jr_u8 *)results + in.head * sizeof(jr_result), stages + jr_warp() * jr_stage_bytes,
                           call.count, in.head};
    jr_accumulator carry = starts != nullptr ? starts[blockIdx.x] : jr_with_initial(reducer, reducer.identity());
#pragma unroll 1
    for (jr_u64 tile = jr_deal_begin(deal, blockIdx.x); tile < jr_deal_begin(deal, blockIdx.x + 1ull); tile++) {
        const long long at = jr_tile_pack(in, tile);
        jr_packs packs[JR_UNROLL];
        jr_accumulator before[JR_UNROLL];
        jr_load_tile(in, at, packs);
        jr_fold_tile(reducer, in, at, packs, before);
        carry = jr_scan_block(reducer, before, carry, (jr_accumulator *)totals[tile % 2]);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            jr_scan_packs<EXCLUSIVE>(reducer, in, at + u * jr_warp_lanes, packs[u], before[u], out);
    }
}
