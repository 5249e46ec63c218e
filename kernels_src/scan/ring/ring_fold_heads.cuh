// The squad of a ring's warps that folds tiles which have heads: it finds them, and computes the folds of a warp's
// shares up to them, which it stores next to the heads.
#pragma once

#include "scan/ring/look_ahead.cuh"
#include "scan/ring/ring_heads.cuh"
#include "scan/ring/ring_out.cuh"

// What both squads know of a block's part in a scan.
struct jr_ring_scan {
    const jr_reducer &reducer;
    const jr_ring_combiner combiner;
    const jr_cut &in;
    const jr_queue &queue;
    const jr_heads &given;
    jr_ring &ring;
    jr_u8 *const places;
};

// One more element.
__device__ __forceinline__ jr_ring_total jr_ring_take(const jr_ring_scan &scan, const jr_ring_total &running,
                                                      const jr_item &item, bool head) {
    return scan.combiner.take(running, scan.reducer.lift(item), head, item.i);
}

// Item k of what there is of pack u of a share: whole packs were brought to their places.
__device__ __forceinline__ jr_item jr_ring_item(const jr_ring_scan &scan, const jr_ring_share_of &share, jr_u32 u,
                                                const jr_part &part, jr_u32 k) {
    const bool whole = jr_is_whole(scan.in, share.at + u);
    const JR_X *const from = whole ? (const JR_X *)share.pack(u) : scan.in.packs + part.begin;
    return {(JR_X_VALUE)from[k], scan.reducer.call.first + scan.in.head + part.begin + k};
}

// Folds a thread's packs, element after element. All packs of the tile are whole.
__device__ __forceinline__ jr_ring_total jr_ring_fold_whole_share(const jr_ring_scan &scan,
                                                              const jr_ring_share_of &share,
                                                              const jr_share_heads &heads) {
    const jr_u64 index = jr_pack_index(scan.in, share.at, scan.reducer.call.first);
    jr_ring_total folded = scan.combiner.identity();
    jr_packs packs[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u].load_staged(scan.in, share.at + u, share.pack(u));
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_u32 own = heads.of_pack(u);
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++)
            folded = jr_ring_take(scan, folded, packs[u].item(k, index + u * jr_pack_elements), own >> k & 1);
    }
    return folded;
}

// The same where some are not, to the bit.
__device__ __forceinline__ jr_ring_total jr_ring_fold_share(const jr_ring_scan &scan, const jr_ring_share_of &share,
                                                        const jr_ring_beside &beside, jr_u32 thread) {
    jr_ring_total folded = scan.combiner.identity();
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_u32 own = beside.of_pack(thread, u);
        const jr_part part(scan.in, scan.reducer.call.count, share.at + u);
#pragma unroll 1
        for (jr_u32 k = part.from; k < part.to; k++)
            folded = jr_ring_take(scan, folded, jr_ring_item(scan, share, u, part, k), own >> k & 1);
    }
    return folded;
}

__device__ __forceinline__ void jr_ring_fold_tiles(const jr_ring_scan &scan, jr_u32 warp) {
    const jr_u32 thread = warp * jr_warp_lanes + jr_lane();
    jr_ring &ring = scan.ring;
    jr_u32 parity = 0;
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance(), parity ^= 1) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(scan.in, scan.queue, tile), at = first + thread * JR_UNROLL;
        jr_u8 *const staged = scan.places + place.at * jr_place_bytes;
        const jr_ring_share_of share = {at, staged + thread * (jr_u32)(JR_UNROLL * sizeof(jr_pack<JR_X>))};
        const jr_ring_beside beside(staged);
        const bool whole = first >= 0 && first + jr_ring_packs <= (long long)scan.in.pack_count;
        jr_share_heads heads;
        jr_ring_find_heads(scan.in, scan.given, scan.reducer.call, ring, place, beside, first, at, thread, heads);
        jr_ring_total value[1] = {whole ? jr_ring_fold_whole_share(scan, share, heads)
                                    : jr_ring_fold_share(scan, share, beside, thread)};
        jr_ring_total *const totals = (jr_ring_total *)ring.totals[parity];
        jr_scan_lanes(scan.combiner, value);
        *(jr_ring_total *)&beside.folds[thread] = value[0];
        if (jr_lane() == jr_warp_lanes - 1) totals[warp] = value[0];
        asm volatile("bar.sync 1, %0;" ::"n"(jr_squad_threads) : "memory");
        if (warp > 0) continue;
        value[0] = jr_lane() < jr_squad_warps ? totals[jr_lane()] : scan.combiner.identity();
        jr_scan_lanes(scan.combiner, value);
        if (jr_lane() == jr_squad_warps - 1) jr_queue_put(scan.queue, scan.queue.begin + tile, ring.epoch, value[0]);
        if (jr_lane() < jr_squad_warps) *(jr_ring_total *)&ring.warps[place.at][jr_lane()] = value[0];
        __syncwarp();
        if (jr_lane() == 0) jr_bulk_arrive(ring.folded + place.at);
    }
}
