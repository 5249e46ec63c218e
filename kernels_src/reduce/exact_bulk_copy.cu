// bulk_copy of exact sums: one block a multiprocessor, whose tiles come into a ring in shared memory by bulk copies; all
// its threads add, one of them starts copies, each into the place that was left a tile ago.
#include "core/bulk.cuh"
#include "reduce/exact_tiles.cuh"

static_assert(JR_STAGES >= 2, "contract: JR_STAGES must be 2 or more for a ring");

constexpr jr_u32 jr_tile_bytes = jr_exact_portion::most * sizeof(jr_pack<JR_X>);

struct jr_exact_ring {
    const jr_cut &in;
    const jr_shares &shares;
    unsigned char *tiles;
    jr_u64 *full, *empty; // a barrier each for every place

    // One thread: starts the copy of the block's portion at `tile`, if there is one.
    __device__ __forceinline__ void copy(jr_u64 tile, jr_u32 place) const {
        const jr_exact_portion portion = tile < shares.tiles ? jr_exact_portion(tile) : jr_exact_portion(in, shares, tile);
        if (portion.count > 0)
            jr_bulk_copy(tiles + place * jr_tile_bytes, in.packs + portion.pack * jr_pack_elements,
                         portion.count * (jr_u32)sizeof(jr_pack<JR_X>), full + place);
    }
    // One thread: makes the barriers, and fills all places.
    __device__ __forceinline__ void start() const {
        for (jr_u32 s = 0; s < JR_STAGES; s++) {
            jr_bulk_init(full + s, 1);
            jr_bulk_init(empty + s, JR_BLOCK / jr_warp_lanes);
        }
        jr_bulk_begin();
        jr_u64 tile = blockIdx.x;
        for (jr_u32 s = 0; s < JR_STAGES; s++, tile += gridDim.x) copy(tile, s);
    }
    // All threads: this thread's packs of a portion that has come, whose place may then be filled again. Rows that a portion
    // is without have what was there before it.
    __device__ __forceinline__ void take(jr_packs (&packs)[JR_UNROLL], const jr_ring_place &place) const {
        const unsigned char *tile = tiles + place.at * jr_tile_bytes;
        jr_bulk_wait(full + place.at, place.parity);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            jr_load_staged(packs[u].x.elements, tile + (u * JR_BLOCK + threadIdx.x) * sizeof(jr_pack<JR_X>));
        __syncwarp();
        if (threadIdx.x % jr_warp_lanes == 0) jr_bulk_arrive(empty + place.at);
    }
};

// in: the input, one array. out, shares: as of single_pass. workspace, partials: as of jr_exact_collect.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_reduce_exact_bulk_copy(const __grid_constant__ jr_cut in, const __grid_constant__ jr_shares shares, void *out,
                              jr_u64 *workspace, jr_accumulator *partials, const __grid_constant__ jr_call call) {
    jr_begin();
    extern __shared__ __align__(128) unsigned char jr_room[];
    __shared__ jr_u64 full[JR_STAGES], empty[JR_STAGES];
    __shared__ jr_exact_block block;
    const jr_exact_ring ring = {in, shares, jr_room, full, empty};
    jr_exact_adder adder = {in, call, block};
    if (threadIdx.x == 0) ring.start();
    jr_exact_start(block);
    adder.start(jr_room + JR_STAGES * jr_tile_bytes);
    __syncthreads();
    adder.add_ends();
    jr_ring_place place = {0, 0}, before = {0, 0};
    jr_packs packs[JR_UNROLL];
    jr_u64 tile = blockIdx.x;
#pragma unroll 1
    for (; tile < shares.tiles; tile += gridDim.x) {
        ring.take(packs, place);
        adder.add_tile(packs, tile);
        if (threadIdx.x == 0 && tile >= gridDim.x) {
            const jr_u64 next = tile + (jr_u64)(JR_STAGES - 1) * gridDim.x;
            if (next < shares.tiles + gridDim.x) {
                jr_bulk_wait(empty + before.at, before.parity); // all warps have left the tile before
                ring.copy(next, before.at);
            }
        }
        __syncwarp();
        before = place;
        place.advance();
    }
    const jr_exact_portion rows(in, shares, tile);
    if (rows.count > 0) {
        ring.take(packs, place);
        adder.add_portion(packs, rows);
    }
    adder.end();
    jr_exact_collect(block, out, workspace, partials, call);
}
