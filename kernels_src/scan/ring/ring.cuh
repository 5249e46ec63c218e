// The ring of a scan's bulk_copy: the shared state between the roles of a block, and the warp that draws tiles and
// copies them to shared memory.
//
// The types of its values are declared before this file is included (scan_bulk_copy.cu and others): jr_ring_total,
// of a tile; jr_ring_carried, of everything before a tile; jr_ring_combiner, which combines both; jr_ring_begin, which
// makes the initial jr_ring_carried; jr_ring_of_runs: true if runs are reduced, for which a block has additional warps.
#pragma once

#include "scan/common/queue.cuh"
#include "scan/common/tiles.cuh"

static_assert(JR_STAGES >= 3, "contract: JR_STAGES must be 3 or more for a scan's ring");
static_assert(JR_BLOCK >= 128, "contract: JR_BLOCK must be 128 or more: two warps of roles and two squads");

constexpr jr_u32 jr_squad_threads = jr_ring_of_runs                ? JR_RUNS_SQUAD_THREADS(JR_BLOCK)
                                    : JR_HEADS == JR_HEADS_OFFSETS ? JR_MARKED_SQUAD_THREADS(JR_BLOCK)
                                                                   : JR_SQUAD_THREADS(JR_BLOCK);
constexpr jr_u32 jr_squad_warps = jr_squad_threads / jr_warp_lanes;
constexpr jr_u32 jr_ring_packs = jr_squad_threads * JR_UNROLL, jr_warp_packs = jr_warp_lanes * JR_UNROLL;
constexpr jr_u32 jr_ring_bytes = jr_ring_packs * sizeof(jr_pack<JR_X>);

// What a slot has besides a tile's packs, if segments are scanned, and how many copies bring it.
#if JR_HEADS == JR_HEADS_KEYS
constexpr jr_u32 jr_key_bytes = sizeof(JR_KEY), jr_beside_arrivals = 1;
#else
constexpr jr_u32 jr_key_bytes = 0, jr_beside_arrivals = 0;
#endif
constexpr jr_u32 jr_share_elements = JR_UNROLL * jr_pack_elements; // consecutive elements of a thread
constexpr jr_u32 jr_place_bytes =
    jr_ring_bytes +
    (jr_ring_of_runs ? JR_RING_KEYS_BYTES(jr_squad_threads, jr_share_elements, jr_key_bytes)
     : JR_HEADS      ? JR_RING_BESIDE_BYTES(jr_squad_threads, jr_share_elements, jr_key_bytes, sizeof(jr_ring_total))
                     : 0);

// Copies in flight: 42 KB, at least two copies; one slot is always without a copy.
constexpr jr_u32 jr_brought_bytes = jr_ring_bytes + jr_ring_packs * jr_pack_elements * jr_key_bytes;
constexpr jr_u32 jr_copies_wanted = 43008 / jr_brought_bytes < 2 ? 2 : 43008 / jr_brought_bytes;
constexpr jr_u32 jr_copies = jr_copies_wanted < JR_STAGES ? jr_copies_wanted : JR_STAGES - 1;

// The ring has JR_STAGES slots; each holds one tile in jr_place_bytes of shared memory, and a jr_ring_place names one.
// The roles of a block share this state of the slots. The members of the first group are barriers, which end one phase
// for each tile that passes through the slot.
struct jr_ring {
    jr_u64 drawn[JR_STAGES];  // by warp 0: the slot's tile is known
    jr_u64 full[JR_STAGES];   // by the copies: the tile has arrived
#if JR_HEADS == JR_HEADS_OFFSETS
    jr_u64 marked[JR_STAGES]; // by a marking warp: the tile's segment starts are marked
    jr_u64 over;              // by warp 0, once: `tiles` is the number of the block's tiles
    jr_u32 tiles;
#endif
    jr_u64 folded[JR_STAGES]; // by the first squad, for runs by another warp: the tile's total is published
    jr_u64 known[JR_STAGES];  // by warp 1, which looks ahead: `before` is the fold of everything before the tile
    jr_u64 empty[JR_STAGES];  // by the second squad: the slot is free for another tile

    jr_u64 ticket;            // the block's last ticket, which got no tile
    jr_u32 tile[JR_STAGES];   // number in the launch; jr_no_tile: no more tiles
    jr_u32 epoch;
    jr_room<jr_ring_total> warps[JR_STAGES][jr_squad_warps]; // the fold of the tile up to each warp's end
    jr_room<jr_ring_carried> before[JR_STAGES];              // the fold of everything before the tile
    jr_room<jr_ring_total> totals[2][jr_squad_warps];        // of the first squad's warps, alternating
};

// Initialises the barriers; one thread calls it. leaving: how many warps free a slot.
__device__ __forceinline__ void jr_ring_init(jr_ring &ring, jr_u32 leaving = jr_squad_warps) {
    for (jr_u32 s = 0; s < JR_STAGES; s++) {
        jr_bulk_init(ring.drawn + s, 1);
        jr_bulk_init(ring.full + s, 1 + jr_beside_arrivals);
#if JR_HEADS == JR_HEADS_OFFSETS
        jr_bulk_init(ring.marked + s, 1);
#endif
        jr_bulk_init(ring.folded + s, 1);
        jr_bulk_init(ring.known + s, 1);
        jr_bulk_init(ring.empty + s, leaving);
    }
#if JR_HEADS == JR_HEADS_OFFSETS
    jr_bulk_init(&ring.over, 1);
#endif
    jr_bulk_fence();
}

// The number of a tile's first pack. tile: number in the launch.
__device__ __forceinline__ long long jr_ring_pack(const jr_cut &in, const jr_queue &queue, jr_u32 tile) {
    return (long long)((queue.first_tile + tile) * jr_ring_packs) - (in.head > 0);
}

// The whole packs of a tile. Its other elements are read from global memory.
struct jr_ring_span {
    long long begin, end; // packs

    __device__ __forceinline__ jr_ring_span(const jr_cut &in, long long first) {
        const long long all = (long long)in.pack_count;
        begin = first < 0 ? 0 : first;
        end = first + jr_ring_packs < all ? first + jr_ring_packs : all;
    }
    __device__ __forceinline__ jr_u32 bytes() const { return (jr_u32)(end - begin) * (jr_u32)sizeof(jr_pack<JR_X>); }
};

// Starts the copy of a tile's whole packs into its slot at `to`; a tile without whole packs only arrives at `full`.
// policy: see jr_bulk_policy.
__device__ __forceinline__ void jr_ring_bring(const jr_cut &in, long long first, jr_u8 *to, jr_u64 *full, jr_u64 policy) {
    const jr_ring_span span(in, first);
    if (span.begin < span.end)
        jr_bulk_copy(to + (span.begin - first) * sizeof(jr_pack<JR_X>), in.packs + span.begin * jr_pack_elements,
                     span.bytes(), full, policy);
    else
        jr_bulk_arrive(full);
}

// Prefetches a tile into the L2 cache; allowed before the kernel may read what its predecessors wrote. One thread calls
// it.
__device__ __forceinline__ void jr_ring_fetch(const jr_cut &in, const jr_queue &queue, jr_u32 tile) {
#if __CUDA_ARCH__ >= 900
    const jr_ring_span span(in, jr_ring_pack(in, queue, tile));
    if (span.begin < span.end) jr_bulk_fetch(in.packs + span.begin * jr_pack_elements, span.bytes());
#endif
}

// Copies nothing besides a tile's packs.
struct jr_nothing_beside {
    __device__ __forceinline__ void bring(jr_u32, jr_u32, long long, jr_u8 *, jr_u64 *) const {}
    __device__ __forceinline__ void end(jr_u32) const {}
};

// The role of warp 0, for one thread: draws tiles and starts their copies until no tile is left. If the next slot is
// free already, it draws the next ticket before it starts this tile's copy, so that both are in flight together; else
// after. The last parameter copies what else belongs to a tile, or just arrives at the barrier; at the end it gets the
// number of the block's tiles.
template <class BESIDE>
__device__ __forceinline__ void jr_ring_fill(const jr_cut &in, const jr_queue &queue, jr_ring &ring, jr_u8 *places,
                                             const BESIDE &beside) {
    jr_ring_place place = {0, 1}, landed = {0, 0}; // the phase before the first counts as ended
    const jr_u64 policy = jr_bulk_policy(queue.flags & JR_QUEUE_KEPT); // elements leave the L2 cache before results do
    jr_u64 ticket = jr_queue_draw(queue);
    jr_u32 tiles = 0;
    ring.epoch = jr_queue_epoch(ticket);
#pragma unroll 1
    for (jr_u32 copies = 0; (jr_u32)ticket < queue.tile_count; tiles++) {
        const jr_ring_place here = place;
        jr_u64 next = 0;
        ring.tile[here.at] = (jr_u32)ticket;
        jr_bulk_arrive(ring.drawn + here.at);
        place.advance();
        const bool free = jr_bulk_has_ended(ring.empty + place.at, place.parity);
        if (free) next = jr_queue_draw(queue);
        if (copies < jr_copies) {
            copies++;
        } else {
            jr_bulk_wait(ring.full + landed.at, landed.parity);
            landed.advance();
        }
        const long long first = jr_ring_pack(in, queue, (jr_u32)ticket);
        jr_ring_bring(in, first, places + here.at * jr_place_bytes, ring.full + here.at, policy);
        beside.bring(here.at, (jr_u32)ticket, first, places + here.at * jr_place_bytes + jr_ring_bytes,
                     ring.full + here.at);
        if (!free) {
            jr_bulk_wait(ring.empty + place.at, place.parity);
            next = jr_queue_draw(queue);
        }
        ticket = next;
    }
    beside.end(tiles);
    ring.ticket = ticket;
    ring.tile[place.at] = jr_no_tile;
    jr_bulk_arrive(ring.drawn + place.at);
    for (jr_u32 a = 0; a < 1 + jr_beside_arrivals; a++) jr_bulk_arrive(ring.full + place.at);
}

// ---- what scanning warps wait for and release ----

// Waits until the fold of everything before a warp's part of a tile is known, and returns it.
__device__ __forceinline__ jr_ring_carried jr_ring_start(const jr_ring_combiner &combiner, jr_ring &ring,
                                                         const jr_ring_place &place, jr_u32 warp) {
    jr_bulk_wait(ring.folded + place.at, place.parity);
    jr_bulk_wait(ring.known + place.at, place.parity);
    const jr_ring_carried start = *(const jr_ring_carried *)&ring.before[place.at];
    return warp == 0 ? start
                     : combiner.combine(start, *(const jr_ring_total *)&ring.warps[place.at][warp - 1]);
}

// Frees a slot for another tile once all warps of the second squad have called it.
__device__ __forceinline__ void jr_ring_release(jr_ring &ring, const jr_ring_place &place) {
    __syncwarp();
    if (jr_lane() == 0) jr_bulk_arrive(ring.empty + place.at);
}
