// The squad of a ring's warps that scans tiles where results are as wide as elements: they take the elements' places, and
// bulk copies bring them to the output. Each thread has packs that follow each other, so that a warp is scanned once.
#pragma once

#include "scan/ring/ring_out.cuh"

// What stands before a thread's packs: what stands before its warp's part, and its lower lanes' folds.
__device__ __forceinline__ jr_accumulator jr_ring_before(const jr_reducer &reducer, jr_ring &ring,
                                                         const jr_ring_place &place, jr_u32 warp,
                                                         const jr_accumulator &share) {
    jr_accumulator value[1] = {share};
    jr_scan_lanes(reducer, value);
    const jr_accumulator lower = jr_shuffle_up(value[0], 1), start = jr_ring_start(reducer, ring, place, warp);
    return jr_lane() == 0 ? start : reducer.combine(start, lower);
}

// Scans a tile of whole packs: a thread's packs become results where they lie.
template <class FORM>
__device__ __forceinline__ void jr_ring_scan_whole(const FORM &form, const jr_cut &in, jr_ring &ring,
                                                   const jr_ring_place &place, jr_u32 warp,
                                                   const jr_ring_share_of &share) {
    const jr_reducer &reducer = form.reducer;
    const jr_u64 index = jr_pack_index(in, share.at, reducer.call.first);
    jr_packs packs[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u].load_staged(in, share.at + u, share.pack(u));
    jr_accumulator folded[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++)
        folded[u] = jr_fold_whole((const jr_chains<jr_operator> *)0, reducer, packs[u], index + u * jr_pack_elements);
#pragma unroll
    for (jr_u32 u = 1; u < JR_UNROLL; u++) folded[0] = reducer.combine(folded[0], folded[u]);
    jr_accumulator before = jr_ring_before(reducer, ring, place, warp, folded[0]);
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        jr_results results;
        jr_forget_elements(packs[u]);
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++)
            results.elements[k] = form(before, packs[u].item(k, index + u * jr_pack_elements), k);
#pragma unroll
        for (jr_u32 v = 0; v < jr_result_pack_bytes / 16; v++) ((uint4 *)share.pack(u))[v] = results.vectors[v];
    }
}

// Folds a pack, whatever of it there is.
__device__ __forceinline__ jr_accumulator jr_ring_fold_pack(const jr_reducer &reducer, const jr_cut &in,
                                                            const jr_ring_share_of &share, jr_u32 u) {
    const long long mine = share.at + u;
    jr_packs packs;
    if (!jr_is_whole(in, mine)) return jr_fold_part(reducer, in, mine);
    packs.load_staged(in, mine, share.pack(u));
    return jr_fold_whole((const jr_chains<jr_operator> *)0, reducer, packs,
                         jr_pack_index(in, mine, reducer.call.first));
}

// Scans a tile of which some packs are not whole, or whose results lie at no 16-byte boundary. To the bit as the other.
template <class FORM>
__device__ __forceinline__ void jr_ring_scan_part(const FORM &form, const jr_cut &in, jr_ring &ring,
                                                  const jr_ring_place &place, jr_u32 warp,
                                                  const jr_ring_share_of &share) {
    const jr_reducer &reducer = form.reducer;
    jr_accumulator fold = jr_ring_fold_pack(reducer, in, share, 0);
#pragma unroll 1
    for (jr_u32 u = 1; u < JR_UNROLL; u++) fold = reducer.combine(fold, jr_ring_fold_pack(reducer, in, share, u));
    jr_accumulator before = jr_ring_before(reducer, ring, place, warp, fold);
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        jr_packs packs;
        if (jr_is_whole(in, share.at + u)) packs.load_staged(in, share.at + u, share.pack(u));
        before = jr_scan_pack(form, in, share.at + u, packs, before, form.out, share.pack(u));
    }
}

// out: of this warp.
__device__ __forceinline__ void jr_ring_replace(const jr_reducer &reducer, const jr_cut &in, const jr_queue &queue,
                                                jr_ring &ring, jr_u8 *places, jr_u32 warp, const jr_output &out) {
    const jr_whole_scan form{reducer, out};
    const bool aligned = (jr_u64)out.packs % 16 == 0;
    jr_ring_held held = {0, false};
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(in, queue, tile), at = first + warp * jr_warp_packs;
        jr_u8 *const staged = places + place.at * jr_place_bytes + warp * jr_warp_packs * (jr_u32)sizeof(jr_pack<JR_X>);
        const jr_u32 mine = jr_lane() * JR_UNROLL;
        const jr_ring_share_of share = {at + mine, staged + mine * (jr_u32)sizeof(jr_pack<JR_X>)};
        if (aligned && first >= 0 && first + jr_ring_packs <= (long long)in.pack_count) {
            jr_ring_scan_whole(form, in, ring, place, warp, share);
            jr_ring_bring_out(ring, place, held, out.packs + at * jr_result_pack_bytes, staged);
        } else {
            jr_ring_scan_part(form, in, ring, place, warp, share);
            __syncwarp();
            jr_ring_store(out, at, staged);
            jr_ring_give_back(ring, held);
            jr_ring_release(ring, place);
        }
    }
    jr_ring_give_back(ring, held);
}
