// bulk_copy of scans: one launch; the warps of a block have roles, so that copies, totals and results of several tiles
// are under way at the same time, and no warp waits for memory that another one could use.
//
//   warp 0           draws tiles and has bulk copies bring them into a ring of places in shared memory
//   warp 1           looks ahead: folds the totals of all tiles before each of the block's own
//   the first squad  folds each tile as soon as it is there, and gives its total to all blocks
//   the second squad scans it and writes its results
//
// A tile is drawn only when a place is free for it, and from then on waits for nothing but its own copy until its total
// is there: all that any block waits for are totals of tiles that were drawn before. Few copies are under way at a time:
// a ring full of them would hold up every look at a slot behind it. Source: measurements on an H200.
#pragma once

#include "scan/look_ahead.cuh"
#include "scan/tile_results.cuh"

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
        const jr_u8 *staged = places + place.at * jr_ring_bytes + thread * (jr_u32)(JR_UNROLL * sizeof(jr_pack<JR_X>));
        const bool whole = first >= 0 && first + jr_ring_packs <= (long long)in.pack_count;
        jr_accumulator value[1] = {whole ? jr_ring_whole_share(reducer, in, at, staged)
                                         : jr_ring_share(reducer, in, at, staged)};
        jr_accumulator *const totals = (jr_accumulator *)ring.totals[parity];
        jr_combine_lanes(reducer, value);
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

// ---- the second squad ----

// Where results are as wide as elements they take the elements' places, and bulk copies bring them to the output.
constexpr bool jr_ring_replaces = JR_INPUTS == 1 && jr_result_pack_bytes == sizeof(jr_pack<JR_X>);

// A thread's packs of a tile, which follow each other: the number of the first one, and where it lies.
struct jr_ring_share_of {
    long long at;
    jr_u8 *staged;

    __device__ __forceinline__ jr_u8 *pack(jr_u32 u) const { return staged + u * (jr_u32)sizeof(jr_pack<JR_X>); }
};

// Waits until it is known what stands before a warp's part of a tile.
__device__ __forceinline__ jr_accumulator jr_ring_start(const jr_reducer &reducer, jr_ring &ring,
                                                        const jr_ring_place &place, jr_u32 warp) {
    jr_bulk_wait(ring.folded + place.at, place.parity);
    jr_bulk_wait(ring.known + place.at, place.parity);
    const jr_accumulator start = *(const jr_accumulator *)&ring.before[place.at];
    return warp == 0 ? start
                     : reducer.combine(start, *(const jr_accumulator *)&ring.warps[place.at][warp - 1]);
}

// What stands before a thread's packs: what stands before its warp's part, and its lower lanes' folds.
__device__ __forceinline__ jr_accumulator jr_ring_before(const jr_reducer &reducer, jr_ring &ring,
                                                         const jr_ring_place &place, jr_u32 warp,
                                                         const jr_accumulator &share) {
    jr_accumulator value[1] = {share};
    jr_scan_lanes(reducer, value);
    const jr_accumulator lower = jr_shuffle_up(value[0], 1), start = jr_ring_start(reducer, ring, place, warp);
    return jr_lane() == 0 ? start : reducer.combine(start, lower);
}

__device__ __forceinline__ void jr_ring_release(jr_ring &ring, const jr_ring_place &place) {
    __syncwarp();
    if (jr_lane() == 0) jr_bulk_arrive(ring.empty + place.at);
}

// The place whose results a warp's last copy brings out: it is free when that one has read it.
struct jr_ring_held {
    jr_u32 at;
    bool any;
};

__device__ __forceinline__ void jr_ring_give_back(jr_ring &ring, jr_ring_held &held) {
    if (held.any && jr_lane() == 0) {
        jr_bulk_wait_read<0>();
        jr_bulk_arrive(ring.empty + held.at);
    }
    held.any = false;
}

// Has a warp's part of a tile, which lies in its place as results, copied to the output.
__device__ __forceinline__ void jr_ring_bring_out(jr_ring &ring, const jr_ring_place &place, jr_ring_held &held,
                                                  jr_u8 *to, const jr_u8 *staged) {
    jr_bulk_begin();
    __syncwarp();
    if (jr_lane() == 0) {
        jr_bulk_store(to, staged, jr_warp_packs * (jr_u32)sizeof(jr_pack<JR_X>));
        jr_bulk_wait_read<1>();
        if (held.any) jr_bulk_arrive(ring.empty + held.at);
    }
    held = {place.at, true};
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

// Stores a warp's part of a tile, results in its place, wherever they go, as far as there are such elements. at: the
// number of the part's first pack.
__device__ __forceinline__ void jr_ring_store(const jr_output &out, long long at, const jr_u8 *staged) {
    typedef typename jr_unit<alignof(jr_result)>::type unit;
    constexpr jr_u32 units = sizeof(jr_result) / sizeof(unit), elements = jr_warp_packs * jr_pack_elements;
    const long long begin = at * jr_pack_elements, left = (long long)(out.count - out.head) - begin;
    const jr_u32 from = at < 0 ? jr_pack_elements - out.head : 0;
    const jr_u32 to = left < 0 ? 0 : left > elements ? elements : (jr_u32)left;
    unit *const results = (unit *)out.packs + begin * units;
#pragma unroll 1
    for (jr_u32 e = from * units + jr_lane(); e < to * units; e += jr_warp_lanes) results[e] = ((const unit *)staged)[e];
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
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_ring_replace(const jr_reducer &reducer, const jr_cut &in, const jr_queue &queue,
                                                jr_ring &ring, jr_u8 *places, jr_u32 warp, const jr_output &out) {
    const jr_whole_scan<EXCLUSIVE> form{reducer, out};
    const bool aligned = (jr_u64)out.packs % 16 == 0;
    jr_ring_held held = {0, false};
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(in, queue, tile), at = first + warp * jr_warp_packs;
        jr_u8 *const staged = places + place.at * jr_ring_bytes + warp * jr_warp_packs * (jr_u32)sizeof(jr_pack<JR_X>);
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

// ---- the same where results are not as wide as elements ----

// What a warp of it has of a tile: the number of a lane's first pack, and where that lies; the others follow a row apart.
struct jr_ring_rows {
    long long at;
    const jr_u8 *staged;

    __device__ __forceinline__ void load(const jr_cut &in, jr_u32 u, jr_packs &packs) const {
        packs.load_staged(in, at + u * jr_warp_lanes, staged + u * jr_warp_lanes * (jr_u32)sizeof(jr_pack<JR_X>));
    }
};

// Scans rows of whole packs, all at once: the place is free as soon as they are in registers and their start is known.
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

// Scans rows one behind the other, whatever of them there is, to wherever the results lie. To the bit as the other one.
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
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_ring_scan_in_rows(const jr_reducer &reducer, const jr_cut &in, const jr_queue &queue,
                                             jr_ring &ring, const jr_u8 *places, jr_u32 warp, const jr_output &out) {
    const jr_whole_scan<EXCLUSIVE> form{reducer, out};
    const jr_u32 inside = warp * jr_warp_packs + jr_lane();
    const bool aligned = (jr_u64)out.packs % 16 == 0;
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(in, queue, tile);
        const jr_ring_rows part = {first + inside, places + place.at * jr_ring_bytes + inside * (jr_u32)sizeof(jr_pack<JR_X>)};
        if (aligned && first >= 0 && first + jr_ring_packs <= (long long)in.pack_count)
            jr_ring_scan_whole_rows(form, in, ring, place, warp, part);
        else
            jr_ring_scan_rows(form, in, ring, place, warp, part);
    }
}

// in: the input. results: a result for each element; may be an input. queue: the tiles of this launch. Any grid.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_ring(const jr_cut &in, void *results, const jr_queue &queue,
                                             const jr_call &call) {
    extern __shared__ __align__(128) jr_u8 jr_places[];
    __shared__ jr_ring ring;
    __shared__ __align__(16) jr_u8 stages[jr_squad_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    jr_begin_next();
    if (threadIdx.x == 0) jr_ring_init(ring);
    if (jr_warp() > 0 && jr_warp() <= jr_copies && jr_lane() == 0) jr_ring_fetch(in, queue, blockIdx.x + (jr_warp() - 1) * gridDim.x);
    __syncthreads();
    jr_begin_rest();
    const jr_u32 squads = jr_warp() - 2;
    if (threadIdx.x == 0) jr_ring_fill(in, queue, ring, jr_places);
    if (jr_warp() == 1) jr_ring_look_ahead(reducer, queue, ring);
    if (jr_warp() < 2) return;
    if (squads < jr_squad_warps) {
        jr_ring_fold(reducer, in, queue, ring, jr_places, squads);
    } else if (squads < 2 * jr_squad_warps) {
        const jr_u32 warp = squads - jr_squad_warps;
        const jr_output out = {(jr_u8 *)results + in.head * sizeof(jr_result), stages + warp * jr_stage_bytes,
                               call.count, in.head};
        if constexpr (jr_ring_replaces)
            jr_ring_replace<EXCLUSIVE>(reducer, in, queue, ring, jr_places, warp, out);
        else
            jr_ring_scan_in_rows<EXCLUSIVE>(reducer, in, queue, ring, jr_places, warp, out);
    }
}
