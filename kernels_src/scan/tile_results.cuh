// The last step of a scan's tile: every thread goes along its packs once more, now that it knows what stands before them.
#pragma once

#include "scan/block.cuh"
#include "scan/results.cuh"

// Takes one more element into a running fold and makes its result. Tells by the mark that one is of no elements.
template <bool EXCLUSIVE>
__device__ __forceinline__ jr_result jr_scan_step(const jr_reducer &reducer, jr_accumulator &running,
                                                  const jr_item &item) {
    const jr_accumulator next = reducer.combine(running, reducer.lift(item));
    jr_result result;
    if (EXCLUSIVE)
        jr_write(jr_store, &result, running, item.i, reducer.call);
    else
        jr_write(jr_store, &result, next, item.i + 1, reducer.call);
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

// Writes the results of a row of packs, one a lane: at once where a pack's results are one vector of the output, else by
// the stage. All lanes of the warp take part.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_packs(const jr_reducer &reducer, const jr_cut &in, long long at,
                                              const jr_packs &packs, const jr_accumulator &before,
                                              const jr_output &out) {
    if (jr_result_pack_bytes == 16 && (jr_u64)out.packs % 16 == 0 && __all_sync(jr_full_mask, jr_is_whole(in, at))) {
        jr_scan_pack<EXCLUSIVE>(reducer, in, at, packs, before, out, out.packs + at * jr_result_pack_bytes);
        return;
    }
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

// Writes the results of a tile. before: of each of a thread's packs the fold of all that stands before it. All threads
// take part.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_tile(const jr_reducer &reducer, const jr_cut &in, long long at,
                                             const jr_packs (&packs)[JR_UNROLL],
                                             const jr_accumulator (&before)[JR_UNROLL], const jr_output &out) {
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++)
        jr_scan_packs<EXCLUSIVE>(reducer, in, at + u * jr_warp_lanes, packs[u], before[u], out);
}
