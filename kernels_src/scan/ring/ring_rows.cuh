// The second squad of a ring where results are not as wide as elements: it scans rows of one pack per lane, and writes
// their results to the output through the warps' staging memory.
#pragma once

#include "scan/ring/ring.cuh"
#include "scan/common/tile_results.cuh"

// A warp's rows of a tile: the number of a lane's first pack, and its address in shared memory. The lane's other packs
// follow, each one row later.
struct jr_ring_rows {
    long long at;
    const jr_u8 *staged;

    __device__ __forceinline__ void load(const jr_cut &in, jr_u32 u, jr_packs &packs) const {
        packs.load_staged(in, at + u * jr_warp_lanes, staged + u * jr_warp_lanes * (jr_u32)sizeof(jr_pack<JR_X>));
    }
};

// Scans rows of whole packs, all at once. It frees the slot as soon as the packs are in registers and their start is
// known.
template <class FORM>
__device__ __forceinline__ void jr_ring_scan_whole_rows(const FORM &form, const jr_cut &in, jr_ring &ring,
                                                   const jr_ring_place &place, jr_u32 warp, const jr_ring_rows &part) {
    const jr_reducer &reducer = form.reducer;
    jr_packs packs[JR_UNROLL];
    jr_accumulator before[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) part.load(in, u, packs[u]);
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++)
        before[u] = jr_fold_whole((const jr_chains<jr_operator> *)0, reducer, packs[u],
                                  jr_pack_index(in, part.at + u * jr_warp_lanes, reducer.call.first));
    const jr_scanned_rows<jr_accumulator, JR_UNROLL> rows = jr_scan_rows(reducer, before);
    const jr_accumulator start = jr_ring_start(reducer, ring, place, warp);
    jr_ring_release(ring, place);
    jr_scan_behind(reducer, before, rows, start);
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        jr_forget_elements(packs[u]);
        jr_scan_whole_packs(form.step(u), in, part.at + u * jr_warp_lanes, packs[u], before[u], form.out);
    }
}

// Scans rows in order, also partial ones, with results at any alignment. The bits are those of the other form.
template <class FORM>
__device__ __forceinline__ void jr_ring_scan_rows(const FORM &form, const jr_cut &in, jr_ring &ring,
                                                  const jr_ring_place &place, jr_u32 warp, const jr_ring_rows &part) {
    const jr_reducer &reducer = form.reducer;
    jr_accumulator start = jr_ring_start(reducer, ring, place, warp);
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const long long mine = part.at + u * jr_warp_lanes;
        const bool whole = jr_is_whole(in, mine);
        jr_packs packs;
        jr_accumulator before[1];
        if (whole) {
            part.load(in, u, packs);
            before[0] = jr_fold_whole((const jr_chains<jr_operator> *)0, reducer, packs,
                                      jr_pack_index(in, mine, reducer.call.first));
        } else {
            before[0] = jr_fold_part(reducer, in, mine);
        }
        const jr_scanned_rows<jr_accumulator, 1> row = jr_scan_rows(reducer, before);
        jr_scan_behind(reducer, before, row, start);
        start = reducer.combine(start, row.total);
        jr_scan_packs(form.step(u), in, mine, packs, before[0], form.out);
    }
    jr_ring_release(ring, place);
}

// out: of this warp.
__device__ __forceinline__ void jr_ring_scan_in_rows(const jr_reducer &reducer, const jr_cut &in, const jr_queue &queue,
                                             jr_ring &ring, const jr_u8 *places, jr_u32 warp, const jr_output &out) {
    const jr_whole_scan form{reducer, out};
    const jr_u32 inside = warp * jr_warp_packs + jr_lane();
    const bool aligned = (jr_u64)out.packs % 16 == 0;
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(in, queue, tile);
        const jr_ring_rows part = {first + inside, places + place.at * jr_place_bytes + inside * (jr_u32)sizeof(jr_pack<JR_X>)};
        if (aligned && first >= 0 && first + jr_ring_packs <= (long long)in.pack_count)
            jr_ring_scan_whole_rows(form, in, ring, place, warp, part);
        else
            jr_ring_scan_rows(form, in, ring, place, warp, part);
    }
}
