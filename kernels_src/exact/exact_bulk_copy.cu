// bulk_copy of exact sums: one block per multiprocessor. Bulk copies bring its pieces into a ring in shared memory; all
// its threads add, and one of them starts the copies, each into the slot whose piece was added last.
#include "core/bulk.cuh"
#include "exact/exact_tiles.cuh"

static_assert(JR_STAGES >= 2, "contract: JR_STAGES must be 2 or more for a ring");

constexpr jr_u32 jr_tile_bytes = jr_exact_portion::most * sizeof(jr_pack<JR_X>);

// Chooses the block's next tile; one thread calls it. In a round each block adds one tile. Most rounds are assigned,
// and blocks draw the tiles of the last rounds by tickets: memory serves some multiprocessors faster than others, and
// these draw more tiles. Sums are exact, so it does not matter which block adds a tile. Not all rounds are drawn, since
// memory serves blocks that drift apart better than blocks that read the same pages. Measured on an H200, f32 and f64
// of 2^28 elements, of 248 and 496 rounds: nothing drawn 248 and 487 us, a 16th 239 and 472, an 8th 238 and 471, all
// 246 and 489 (a plain sum 241 and 481); f32 of 2^24, 2^26 and 2^30 on another one: nothing 20.5, 64.9 and 928 us, a
// 16th 20.5, 63.2 and 916, an 8th 20.3, 62.8 and 920, a quarter 20.1, 62.8 and 928.
struct jr_exact_tiles {
    jr_u32 *drawn; // counter of all blocks; the last ticket makes it 0 again
    jr_u32 rounds, own, round, ticket;

    // tiles: a multiple of the number of blocks. drawn: NULL: no tile is drawn.
    __device__ __forceinline__ jr_exact_tiles(jr_u64 tiles, jr_u32 *drawn)
        : drawn(drawn), rounds((jr_u32)tiles / gridDim.x), round(0), ticket(0) {
        const jr_u32 at_end = drawn ? rounds / 16 + 4 : 0;
        own = rounds > at_end ? rounds - at_end : rounds > 0; // at least one assigned round; after them the block draws
    }

    // Not called again once it has returned jr_no_tile.
    __device__ __forceinline__ jr_u32 next() {
        const jr_u32 first = own * gridDim.x, left = rounds * gridDim.x - first, drawing = ticket;
        if (round == own && drawing >= left) return jr_no_tile;
        const jr_u32 tile = round < own ? blockIdx.x + round * gridDim.x : first + drawing;
        if (round < own) round++;
        if (round == own && left > 0) ticket = atomicInc(drawn, left + gridDim.x - 1); // each block draws one ticket
                                                                                       // too many
        return tile;
    }
};

// The block's pieces come in turn: first its portion of rows, then tiles.
struct jr_exact_ring {
    const jr_cut &in;
    unsigned char *places;
    jr_u64 *full, *empty; // a barrier each for every place
    jr_u32 *number;       // of the tile in each slot; jr_no_tile: no more tiles

    // One thread calls it: starts the copy of a portion into a slot.
    __device__ __forceinline__ void bring(const jr_exact_portion &portion, jr_u32 place) const {
        if (portion.count > 0)
            jr_bulk_copy(places + place * jr_tile_bytes, in.packs + portion.pack * jr_pack_elements,
                         portion.count * (jr_u32)sizeof(jr_pack<JR_X>), full + place);
        else
            jr_bulk_arrive(full + place);
    }
    // The same for the next tile; false when no tile is left.
    __device__ __forceinline__ bool bring_next(jr_exact_tiles &tiles, jr_u32 place) const {
        const jr_u32 tile = tiles.next();
        number[place] = tile;
        if (tile == jr_no_tile)
            jr_bulk_arrive(full + place);
        else
            bring(jr_exact_portion(tile), place);
        return tile != jr_no_tile;
    }
    // One thread calls it: makes the barriers, and fills all slots. Returns whether more tiles may follow.
    __device__ __forceinline__ bool start(const jr_exact_portion &rows, jr_exact_tiles &tiles) const {
        for (jr_u32 s = 0; s < JR_STAGES; s++) {
            jr_bulk_init(full + s, 1);
            jr_bulk_init(empty + s, JR_BLOCK / jr_warp_lanes);
        }
        jr_bulk_fence();
        bring(rows, 0);
        bool more = true;
        for (jr_u32 s = 1; s < JR_STAGES && more; s++) more = bring_next(tiles, s);
        return more;
    }
    // All threads call it: takes the thread's packs of the piece that has arrived, and releases the slot. Rows that a
    // portion lacks have the previous content of the slot.
    __device__ __forceinline__ void take(jr_packs (&packs)[JR_UNROLL], jr_u32 place) const {
        const unsigned char *piece = places + place * jr_tile_bytes;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            jr_load_staged(packs[u].x.elements, piece + (u * JR_BLOCK + threadIdx.x) * sizeof(jr_pack<JR_X>));
        __syncwarp();
        if (threadIdx.x % jr_warp_lanes == 0) jr_bulk_arrive(empty + place);
    }
};

// in: the input, one array. out, shares: see single_pass. workspace, partials: see jr_exact_collect.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_reduce_exact_bulk_copy(const __grid_constant__ jr_cut in, const __grid_constant__ jr_shares shares, void *out,
                              jr_u64 *workspace, jr_accumulator *partials, const __grid_constant__ jr_call call) {
    jr_begin();
    extern __shared__ __align__(128) unsigned char jr_room[];
    __shared__ jr_u64 full[JR_STAGES], empty[JR_STAGES];
    __shared__ jr_u32 number[JR_STAGES];
    __shared__ jr_exact_block block;
    const jr_exact_ring ring = {in, jr_room, full, empty, number};
    const jr_exact_portion rows(in, shares, shares.tiles + blockIdx.x);
    jr_exact_tiles tiles(shares.tiles, partials ? nullptr : (jr_u32 *)workspace + JR_EXACT_DRAWN_WORD);
    jr_exact_adder adder = {in, call, block};
    bool more = threadIdx.x == 0 && ring.start(rows, tiles);
    jr_exact_start(block);
    adder.start(jr_room + JR_STAGES * jr_tile_bytes);
    __syncthreads();
    adder.add_ends();
    jr_packs packs[JR_UNROLL];
    jr_bulk_wait(full, 0);
    ring.take(packs, 0);
    if (rows.count > 0) adder.add_portion(packs, rows);
    jr_ring_place place = {0, 0}, before = place;
#pragma unroll 1
    for (place.advance();; before = place, place.advance()) {
        jr_bulk_wait(full + place.at, place.parity);
        const jr_u32 tile = number[place.at];
        if (tile == jr_no_tile) break;
        ring.take(packs, place.at);
        adder.add_tile(packs, tile);
        if (more) {
            jr_bulk_wait(empty + before.at, before.parity); // all warps have left the piece before
            more = ring.bring_next(tiles, before.at);
        }
        __syncwarp();
    }
    adder.end();
    jr_exact_collect(block, in, out, workspace, partials, call);
}
