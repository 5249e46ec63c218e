// Segment starts by offsets, in a ring: some warps search the offsets that point into a tile, and set a bit for each,
// while the tile's copy is in flight.
#pragma once

// Warps that mark starts: at most as many as the ring has slots. A warp may wait for a turn of a slot only once the
// slot's turn before has arrived: earlier, the parity of the phase before would look like that of its own turn.
constexpr jr_u32 jr_markers = JR_MARKERS < JR_STAGES ? JR_MARKERS : JR_STAGES;

// Copies nothing besides a tile's packs, but signals the end to the warps that mark.
struct jr_ring_bringer {
    const jr_cut &in;
    const jr_heads &heads;
    const jr_call &call;
    jr_ring &ring;

    __device__ __forceinline__ void bring(jr_u32, jr_u32, long long, jr_u8 *, jr_u64 *) const {}
    __device__ __forceinline__ void end(jr_u32 tiles) const {
        ring.tiles = tiles;
        jr_bulk_arrive(&ring.over);
    }
};

// Nothing to find: the marking warps have set the heads of a thread's share.
__device__ __forceinline__ void jr_ring_find_heads(const jr_cut &, const jr_heads &, const jr_call &, jr_ring &ring,
                                                   const jr_ring_place &place, const jr_ring_beside &beside, long long,
                                                   long long, jr_u32 thread, jr_share_heads &heads) {
    jr_bulk_wait(ring.marked + place.at, place.parity);
    heads.load(beside, thread);
}

// How far a marking warp is, and the rate of offsets per element up to there; at first, the rate over all elements.
struct jr_marked {
    jr_u64 place, below; // `below`: a lower bound for the number of offsets below `place`
    float rate;
};

// The offsets that may point into a tile: offsets before number `from` point before the tile, from number `to` on after
// it.
struct jr_ring_window {
    jr_u64 from, to;
};

// A warp's sample of offsets for a position: numbers first, first + step and so on, one per lane.
struct jr_ring_probe {
    static constexpr jr_u32 step = 2 * jr_warp_lanes;
    jr_u64 first, offset;
    bool there;

    // Samples near the number that the rate predicts; not before `below`.
    __device__ __forceinline__ jr_ring_probe(const jr_heads &given, const jr_marked &marked, jr_u64 place) {
        const jr_u64 guess = marked.below + (jr_u64)((float)(place - marked.place) * marked.rate);
        first = guess > marked.below + jr_warp_lanes / 2 * step ? guess - jr_warp_lanes / 2 * step : marked.below;
        const jr_u64 mine = first + jr_lane() * step;
        there = mine <= given.count;
        offset = 0;
        if (there) asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(offset) : "l"(given.offsets + mine));
    }
    // How many of the lanes' offsets are below `place`.
    __device__ __forceinline__ jr_u32 below(jr_u64 place) const {
        return __popc(__ballot_sync(jr_full_mask, there && offset < place));
    }
    // The number after that of the last of `lanes` lanes' offsets.
    __device__ __forceinline__ jr_u64 end_after(jr_u32 lanes) const { return first + (lanes - 1) * step + 1; }
};

// The window of the tile from `begin` to `end`, which is not before the tile of the call before. Tiles of a block are
// about equally far apart, so a warp samples both ends at once where the rate predicts them, and widens the window to
// the next sampled offsets. All lanes call it.
__device__ __forceinline__ jr_ring_window jr_ring_find_window(const jr_heads &given, jr_u64 begin, jr_u64 end,
                                                              jr_marked &marked) {
    constexpr jr_u32 step = jr_ring_probe::step;
    const jr_ring_probe low(given, marked, begin), high(given, marked, end);
    const jr_u64 all = given.count + 1;
    const jr_u32 lower = low.below(begin), higher = high.below(end);
    jr_ring_window window = {lower > 0 ? low.end_after(lower) : marked.below, all};
    if (lower == jr_warp_lanes) window.from = jr_offsets_below(given, begin, window.from, all);
    if (lower == 0 && low.first > marked.below) // the prediction was too high, maybe after all offsets
        window.from = jr_offsets_below(given, begin, marked.below, low.first < all ? low.first : all);
    if (higher < jr_warp_lanes && high.first + higher * step < all) window.to = high.first + higher * step;
    if (higher == jr_warp_lanes) window.to = jr_offsets_below(given, end, high.end_after(higher), all);
    if (higher == 0 && high.first > window.from) window.to = jr_offsets_below(given, end, window.from, window.to);
    if (begin > marked.place) marked.rate = (float)(window.from - marked.below) / (float)(begin - marked.place);
    marked.place = begin;
    marked.below = window.from;
    return window;
}

// An offset, or the lower half of it.
__device__ __forceinline__ void jr_ring_load_offset(const jr_u64 *from, jr_u64 &offset) {
    asm volatile("ld.global.nc.u64 %0, [%1];" : "=l"(offset) : "l"(from));
}
__device__ __forceinline__ void jr_ring_load_offset(const jr_u64 *from, jr_u32 &half) {
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(half) : "l"(from));
}

// Sets the bit of the tile's element `ahead`, if it has one: without a branch. heads: in shared memory.
__device__ __forceinline__ void jr_ring_mark_one(jr_u32 heads, jr_u32 ahead) {
    asm volatile("{\n\t.reg .pred inside;\n\tsetp.lt.u32 inside, %0, %1;\n\t"
                 "@inside red.shared.or.b32 [%2], %3;\n\t}" ::"r"(ahead),
                 "n"(jr_ring_elements), "r"(heads + ahead / 32 * 4), "r"(1u << ahead % 32)
                 : "memory");
}

// Sets the bits of a window's offsets that point into a tile; a WORD is wide enough to distinguish them from all
// others. It loads ROWS rows of one offset per lane at once, since each load takes one trip to memory. begin: the
// number of the tile's first element.
template <jr_u32 ROWS, class WORD>
__device__ __forceinline__ void jr_ring_mark_rows(const jr_heads &given, const jr_ring_window &window, long long begin,
                                                  jr_u32 heads) {
    constexpr jr_u32 all = ROWS * jr_warp_lanes, outside = 0xffffffffu;
#pragma unroll 1
    for (jr_u64 s = window.from; s < window.to; s += all) {
        const jr_u64 *const from = given.offsets + s + jr_lane();
        const int left = (int)(window.to - s < all ? window.to - s : all) - (int)jr_lane();
        WORD places[ROWS];
#pragma unroll
        for (jr_u32 r = 0; r < ROWS; r++) {
            places[r] = (WORD)begin + outside;
            if ((int)(r * jr_warp_lanes) < left) jr_ring_load_offset(from + r * jr_warp_lanes, places[r]);
        }
#pragma unroll
        for (jr_u32 r = 0; r < ROWS; r++) {
            const WORD ahead = places[r] - (WORD)begin;
            jr_ring_mark_one(heads, ahead < outside ? (jr_u32)ahead : outside);
        }
    }
}

// The same, as fast as the offsets allow. narrow: all offsets and element numbers fit 32 bits.
__device__ __forceinline__ void jr_ring_mark_tile(const jr_heads &given, const jr_ring_window &window, long long begin,
                                                  bool narrow, jr_u32 heads) {
    constexpr jr_u32 few = 8, many = 32;
    if (!narrow)
        jr_ring_mark_rows<few, jr_u64>(given, window, begin, heads);
    else if (window.to - window.from <= few * jr_warp_lanes)
        jr_ring_mark_rows<few, jr_u32>(given, window, begin, heads);
    else
        jr_ring_mark_rows<many, jr_u32>(given, window, begin, heads);
}

// Waits for a tile of the block. False: no tile follows.
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
    // a position less than a pack before the first element must not be taken for one after 2^32
    const bool narrow = given.offsets[given.count] < 0xffffff00u && call.first + call.count < 0xffffff00u;
    jr_marked marked = {0, 0, (float)(given.count + 1) / (float)call.count};
#pragma unroll 1
    for (jr_u32 turn = marker; jr_ring_await(ring, turn); turn += jr_markers) {
        const jr_u32 at = turn % JR_STAGES;
        const long long first = jr_ring_pack(in, queue, ring.tile[at]);
        const long long begin = (long long)(call.first + in.head) + first * jr_pack_elements;
        jr_u32 *const heads = jr_ring_beside(places + at * jr_place_bytes).heads;
        for (jr_u32 w = jr_lane(); w < jr_head_words; w += jr_warp_lanes) heads[w] = 0;
        __syncwarp();
        const jr_ring_window window = jr_ring_find_window(given, begin > 0 ? (jr_u64)begin : 0,
                                                          (jr_u64)(begin + jr_ring_elements), marked);
        jr_ring_mark_tile(given, window, begin, narrow, jr_shared_address(heads));
        __syncwarp();
        if (jr_lane() == 0) jr_bulk_arrive(ring.marked + at);
    }
}
