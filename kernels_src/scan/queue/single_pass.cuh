// single_pass for scans: one launch; the block that draws a tile reads it once and writes it once.
#pragma once

#include "scan/common/scan_block.cuh"
#include "scan/common/queue.cuh"
#include "scan/common/tiles.cuh"

// form: what is scanned, and what is written of it: all as one (jr_whole_scan), segments (jr_segmented_scan) or runs of
// equal keys (jr_runs_scan). accumulator: a fold within a tile; carried: that of all tiles before one. in: the input.
// queue: the tiles of this launch. Any grid.
template <class FORM>
__device__ __forceinline__ void jr_scan_queue(FORM &form, const jr_cut &in, const jr_queue &queue) {
    typedef typename FORM::accumulator accumulator;
    typedef typename FORM::carried carried;
    __shared__ jr_room<accumulator> sums[jr_block_warps], groups[2][jr_block_warps];
    __shared__ jr_room<carried> start;
    __shared__ jr_u64 drawn;
    const auto &reducer = form.combiner();
    jr_passed<carried> passed = {
        queue.part > 0 ? *jr_queue_carry<accumulator, carried>(queue, queue.part) : form.start(), 0};
    if (threadIdx.x == 0) drawn = jr_queue_draw(queue);
    __syncthreads();
    jr_u64 ticket = drawn;
#pragma unroll 1
    while ((jr_u32)ticket < queue.tile_count) {
        const jr_u32 tile = queue.begin + (jr_u32)ticket, epoch = jr_queue_epoch(ticket);
        const jr_u64 place = queue.first_tile + (jr_u32)ticket; // of the tile in the data
        const long long at = jr_tile_pack(in, place);
        if ((jr_u32)ticket == 0) jr_queue_resume<accumulator>(queue, epoch);
        jr_packs packs[JR_UNROLL];
        accumulator before[JR_UNROLL];
        jr_load_tile(in, at, packs);
        form.begin(in, place, at);
        form.fold(in, at, packs, before);
        const jr_scanned_rows<accumulator, JR_UNROLL> rows = jr_scan_rows(reducer, before);
        const jr_scanned_warps<accumulator> warps = jr_scan_warps(reducer, rows.total, (accumulator *)sums);
        if (threadIdx.x == 0) jr_queue_put(queue, tile, epoch, warps.whole);
        const carried first = jr_queue_before(reducer, queue, tile, epoch, passed, groups);
        if (threadIdx.x == 0) *(carried *)&start = first;
        __syncthreads();
        if ((jr_u32)ticket + 1 == queue.tile_count) {
            if (queue.goes_on) jr_queue_suspend(reducer, queue, tile + 1, epoch, passed, groups);
            else if (threadIdx.x == 0) form.end(first, warps.whole);
        }
        // Drawn no sooner: others would wait for a tile that this block has not begun. While it comes, results are written.
        if (threadIdx.x == 0) ticket = jr_queue_draw(queue);
        jr_scan_behind(reducer, before, rows, warps, form.carry(*(const carried *)&start));
        form.write(in, at, packs, before, *(const carried *)&start);
        if (threadIdx.x == 0) drawn = ticket;
        __syncthreads();
        ticket = drawn;
    }
    if (threadIdx.x == 0) jr_queue_leave<accumulator>(queue, ticket);
}
