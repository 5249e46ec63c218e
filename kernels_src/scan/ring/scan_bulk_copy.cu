// bulk_copy for scans of all elements: one launch; the warps of a block have roles, so that copies, totals and results of several tiles
// are in progress at the same time, and no warp waits for memory that another one could use.
//
//   warp 0           draws tiles and starts bulk copies of them into the slots of a ring in shared memory
//   warp 1           looks ahead: folds the totals of all tiles before each of the block's own
//   the first squad  folds each tile as soon as its copy has arrived, and publishes its total
//   the second squad scans it and writes its results
//
// A tile is drawn only when a slot of the ring is free, and then its total needs nothing but its own copy. Blocks wait
// only for totals of tiles that were drawn earlier, so there is no deadlock. Few copies are in flight at a time: a ring
// full of copies would delay every read of a total that follows them. Source: measurements on an H200.
#include "scan/common/tiles.cuh"

// What a ring combines where all elements are scanned as one: accumulators. The ring's own files read it.
typedef jr_accumulator jr_ring_total, jr_ring_carried;
typedef jr_reducer jr_ring_combiner;
constexpr bool jr_ring_of_runs = false;

__device__ __forceinline__ jr_ring_carried jr_ring_begin(const jr_ring_combiner &reducer) {
    return jr_with_initial(reducer, reducer.identity());
}

#include "scan/ring/look_ahead.cuh"
#include "scan/ring/ring_replace.cuh"
#include "scan/ring/ring_rows.cuh"

// ---- the first squad ----

// Folds a thread's packs, which follow each other. at: the first one's number, staged: where it lies.
__device__ __forceinline__ jr_accumulator jr_ring_share(const jr_reducer &reducer, const jr_cut &in, long long at,
                                                        const jr_u8 *staged) {
    jr_accumulator share = reducer.identity();
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        jr_packs packs;
        if (jr_is_whole(in, at + u)) {
            packs.load_staged(in, at + u, staged + u * sizeof(jr_pack<JR_X>));
            share = reducer.combine(share, jr_pairwise<jr_pack_elements>::fold(
                                               reducer, packs, 0, jr_pack_index(in, at + u, reducer.call.first)));
        } else {
            share = reducer.combine(share, jr_fold_part(reducer, in, at + u));
        }
    }
    return share;
}

// The same where all packs of the tile are whole.
__device__ __forceinline__ jr_accumulator jr_ring_whole_share(const jr_reducer &reducer, const jr_cut &in, long long at,
                                                              const jr_u8 *staged) {
    jr_chains<jr_operator> chains;
    jr_packs packs[JR_UNROLL];
    chains.start(reducer);
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++)
        packs[u].load_staged(in, at + u, staged + u * sizeof(jr_pack<JR_X>));
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        jr_forget_elements(packs[u]);
        chains.fold(u, reducer, packs[u], jr_pack_index(in, at + u, reducer.call.first), true);
    }
    return chains.end(reducer);
}

__device__ __forceinline__ void jr_ring_fold(const jr_reducer &reducer, const jr_cut &in, const jr_queue &queue,
                                             jr_ring &ring, const jr_u8 *places, jr_u32 warp) {
    const jr_u32 thread = warp * jr_warp_lanes + jr_lane();
    jr_u32 parity = 0;
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance(), parity ^= 1) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(in, queue, tile), at = first + thread * JR_UNROLL;
        const jr_u8 *staged = places + place.at * jr_place_bytes + thread * (jr_u32)(JR_UNROLL * sizeof(jr_pack<JR_X>));
        const bool whole = first >= 0 && first + jr_ring_packs <= (long long)in.pack_count;
        jr_accumulator value[1] = {whole ? jr_ring_whole_share(reducer, in, at, staged)
                                         : jr_ring_share(reducer, in, at, staged)};
        jr_accumulator *const totals = (jr_accumulator *)ring.totals[parity];
        jr_combine_lanes<jr_lane_steps<jr_accumulator>>(reducer, value);
        if (jr_lane() == 0) totals[warp] = value[0];
        asm volatile("bar.sync 1, %0;" ::"n"(jr_squad_threads) : "memory");
        if (warp > 0) continue;
        value[0] = jr_lane() < jr_squad_warps ? totals[jr_lane()] : reducer.identity();
        jr_scan_lanes(reducer, value);
        if (jr_lane() == jr_squad_warps - 1) jr_queue_put(queue, queue.begin + tile, ring.epoch, value[0]);
        if (jr_lane() < jr_squad_warps) *(jr_accumulator *)&ring.warps[place.at][jr_lane()] = value[0];
        __syncwarp();
        if (jr_lane() == 0) jr_bulk_arrive(ring.folded + place.at);
    }
}

// How many tiles a block prefetches into the L2 cache before the preceding kernels have ended. Measured back to back on
// an H200 with no tile, one, two: f32 of 2^22 elements by 896 threads 12.5, 11.7 and 11.4 us, of 2^24 by 640 threads
// 36.6, 35.5 and 35.1; f64 of 2^21 by 896 12.8, 11.9 and 12.1, of 2^22 by 832 20.3, 19.3 and 19.7. On an H100 three and
// four: f32 of 2^22 13.9 and 14.5, of two 13.3.
constexpr jr_u32 jr_fetched = sizeof(JR_X) >= 8 || jr_copies < 2 ? 1 : jr_copies;

// in: the input. results: a result for each element; may be an input. queue: the tiles of this launch. Any grid. A function
// of its own: of the same text in the kernel itself NVRTC puts instructions in another order.
__device__ __forceinline__ void jr_scan_ring(const jr_cut &in, void *results, const jr_queue &queue,
                                             const jr_call &call) {
    extern __shared__ __align__(128) jr_u8 jr_places[];
    __shared__ jr_ring ring;
    __shared__ __align__(16) jr_u8 stages[jr_squad_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    jr_begin_next();
    if (threadIdx.x == 0) jr_ring_init(ring);
    if (jr_warp() > 0 && jr_warp() <= jr_fetched && jr_lane() == 0)
        jr_ring_fetch(in, queue, blockIdx.x + (jr_warp() - 1) * gridDim.x);
    __syncthreads();
    jr_begin_rest();
    const jr_u32 squads = jr_warp() - 2;
    if (threadIdx.x == 0) jr_ring_fill(in, queue, ring, jr_places, jr_nothing_beside());
    if (jr_warp() == 1) jr_ring_look_ahead(reducer, queue, ring);
    if (jr_warp() < 2) return;
    if (squads < jr_squad_warps) {
        jr_ring_fold(reducer, in, queue, ring, jr_places, squads);
    } else if (squads < 2 * jr_squad_warps) {
        const jr_u32 warp = squads - jr_squad_warps;
        const jr_output out = {(jr_u8 *)results + in.head * sizeof(jr_result), stages + warp * jr_stage_bytes,
                               call.count, in.head};
        if constexpr (jr_ring_replaces)
            jr_ring_replace(reducer, in, queue, ring, jr_places, warp, out);
        else
            jr_ring_scan_in_rows(reducer, in, queue, ring, jr_places, warp, out);
    }
}

extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy(const __grid_constant__ jr_cut in, void *results, const __grid_constant__ jr_queue queue,
                      const __grid_constant__ jr_call call) {
    jr_scan_ring(in, results, queue, call);
}
