// Heads told by offsets, in a ring: some warps look for the offsets that point into a tile, and set a bit for each, while
// the tile is on its way.
#pragma once

// Warps that mark: no more than places. One asks for a turn when the one before it in the turn's place is known to have
// come; of an earlier one it would take the phase before the place's first for the turn's.
constexpr jr_u32 jr_markers = JR_MARKERS < JR_STAGES ? JR_MARKERS : JR_STAGES;

// Nothing is brought beside a tile, but who marks is told of the end.
struct jr_ring_bringer {
    const jr_cut &in;
    const jr_heads &heads;
    const jr_call &call;
    jr_ring &ring;

    __device__ __forceinline__ void bring(long long, jr_u8 *, jr_u64 *) const {}
    __device__ __forceinline__ void end(jr_u32 tiles) const {
        ring.tiles = tiles;
        jr_bulk_arrive(&ring.over);
    }
};

// Finds the heads of a thread's share: they are marked.
__device__ __forceinline__ void jr_ring_find_heads(const jr_cut &, const jr_heads &, const jr_call &, jr_ring &ring,
                                                   const jr_ring_place &place, const jr_ring_beside &beside, long long,
                                                   long long, jr_u32 thread, jr_share_heads &heads) {
    jr_bulk_wait(ring.marked + place.at, place.parity);
    heads.load(beside, thread);
}

// Where a warp that marks has come to, and how many offsets there were for each element on its way there; at first of
// all elements.
struct jr_marked {
    jr_u64 place, below;
    float rate;
};

// How many offsets are below a place, `from` at least and `to` at most, which is 64 more: asked for at once.
__device__ __forceinline__ jr_u64 jr_ring_below(const jr_heads &given, jr_u64 place, jr_u64 from, jr_u64 to) {
    const jr_u64 one = from + jr_lane(), other = one + jr_warp_lanes;
    const bool below = one < to && given.offsets[one] < place, beyond = other < to && given.offsets[other] < place;
    return from + __popc(__ballot_sync(jr_full_mask, below)) + __popc(__ballot_sync(jr_full_mask, beyond));
}

// How many offsets are below a place that is not before the last one. Tiles of a block are about as far apart as each
// other: a warp looks first at about where the rate leads to. All lanes take part.
__device__ __forceinline__ void jr_ring_advance(const jr_heads &given, jr_u64 place, jr_marked &marked) {
    constexpr jr_u32 step = 2 * jr_warp_lanes;
    const jr_u64 all = given.count + 1, guess = marked.below + (jr_u64)((float)(place - marked.place) * marked.rate);
    const jr_u64 begin = guess > marked.below + jr_warp_lanes / 2 * step ? guess - jr_warp_lanes / 2 * step : marked.below;
    const jr_u64 mine = begin + jr_lane() * step;
    const bool below = mine < all && given.offsets[mine] < place;
    const jr_u32 count = __popc(__ballot_sync(jr_full_mask, below));
    jr_u64 from = marked.below, to = all;
    if (count > 0) from = begin + (count - 1) * step + 1;
    if (count < jr_warp_lanes && begin + count * step < all) to = begin + count * step;
    const jr_u64 found =
        to - from <= step ? jr_ring_below(given, place, from, to) : jr_offsets_below(given, place, from, to);
    if (place > marked.place) marked.rate = (float)(found - marked.below) / (float)(place - marked.place);
    marked.place = place;
    marked.below = found;
}

// Sets the bits of the offsets that point into a tile. They come in rows, one a lane: as many rows at once as the rate
// lets expect, since each time takes as long as one trip to memory. begin: the number of the tile's first element.
__device__ __forceinline__ void jr_ring_mark_tile(const jr_heads &given, const jr_marked &marked, long long begin,
                                                  const jr_ring_beside &beside) {
    constexpr jr_u32 most = 20;
    const jr_u64 last = given.count, end = (jr_u64)(begin + jr_ring_elements);
    const float expected = (float)jr_ring_elements / jr_warp_lanes * marked.rate; // rows; as it was on the way here
    jr_u32 rows = expected < (float)(most - 2) ? 2 + (jr_u32)expected : most;
    bool all = false;
#pragma unroll 1
    for (jr_u64 s = marked.below + jr_lane(); !all; s += rows * jr_warp_lanes, rows = 2 * rows < most ? 2 * rows : most) {
        jr_u64 places[most], furthest = 0;
#pragma unroll
        for (jr_u32 l = 0; l < most; l++) {
            const jr_u64 mine = s + l * jr_warp_lanes;
            places[l] = l < rows ? given.offsets[mine <= last ? mine : last] : 0;
        }
#pragma unroll
        for (jr_u32 l = 0; l < most; l++) {
            const jr_u64 ahead = places[l] - (jr_u64)begin;
            furthest = l < rows ? places[l] : furthest;
            if (l < rows && ahead < jr_ring_elements) {
                const jr_u32 thread = (jr_u32)ahead / jr_share_elements, bit = (jr_u32)ahead % jr_share_elements;
                atomicOr(&beside.heads[bit / 32 * jr_squad_threads + thread], 1u << bit % 32);
            }
        }
        all = __any_sync(jr_full_mask, furthest >= end || s + (rows - 1) * jr_warp_lanes >= last);
    }
}

// Waits for a tile of the block. False: there is none any more.
__device__ __forceinline__ bool jr_ring_await(jr_ring &ring, jr_u32 turn) {
    const jr_u32 at = turn % JR_STAGES, parity = turn / JR_STAGES % 2;
#pragma unroll 1
    while (!jr_bulk_has_ended(ring.drawn + at, parity)) {
        if (!jr_bulk_has_ended(&ring.over, 0)) continue;
        asm volatile("" ::: "memory"); // not read before
        if (turn >= ring.tiles) return false;
    }
    return ring.tile[at] != jr_no_tile;
}

// Marks each jr_markers-th of the block's tiles, from the `marker`-th on.
__device__ __forceinline__ void jr_ring_mark(const jr_cut &in, const jr_heads &given, const jr_call &call,
                                             const jr_queue &queue, jr_ring &ring, jr_u8 *places, jr_u32 marker) {
    jr_marked marked = {0, 0, (float)(given.count + 1) / (float)call.count};
#pragma unroll 1
    for (jr_u32 turn = marker; jr_ring_await(ring, turn); turn += jr_markers) {
        const jr_u32 at = turn % JR_STAGES;
        const long long first = jr_ring_pack(in, queue, ring.tile[at]);
        const long long begin = (long long)(call.first + in.head) + first * jr_pack_elements;
        const jr_ring_beside beside(places + at * jr_place_bytes);
        for (jr_u32 w = jr_lane(); w < jr_share_words * jr_squad_threads; w += jr_warp_lanes) beside.heads[w] = 0;
        __syncwarp();
        jr_ring_advance(given, begin > 0 ? (jr_u64)begin : 0, marked);
        jr_ring_mark_tile(given, marked, begin, beside);
        __syncwarp();
        if (jr_lane() == 0) jr_bulk_arrive(ring.marked + at);
    }
}
