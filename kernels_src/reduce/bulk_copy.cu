// bulk_copy: one launch of one block a multiprocessor; warp 0 fills a ring of tiles in shared memory by bulk copies, the
// other warps fold the tiles that are there. The blocks' partial results meet as in single_pass.
//
// Against loads into registers, more bytes are in flight (the whole ring) and no thread spends instructions on
// addresses; measured on an H200 it wins for inputs far beyond the L2 cache. That a warp of its own starts the copies
// keeps their cost off the path of those that fold.
#include "core/bulk.cuh"
#include "reduce/collect.cuh"
#include "fold/load.cuh"

static_assert(JR_STAGES >= 2, "contract: JR_STAGES must be 2 or more for a ring");
static_assert(JR_BLOCK >= 64, "contract: JR_BLOCK must be 64 or more: one warp copies, the others fold");

constexpr jr_u32 jr_folders = JR_BLOCK - jr_warp_lanes;
constexpr jr_u32 jr_tile_packs = jr_folders * JR_UNROLL;
constexpr jr_u32 jr_tile_bytes = jr_tile_packs * sizeof(jr_pack<JR_X>);

struct jr_ring {
    const jr_cut &in;
    unsigned char *tiles;
    jr_u64 *full, *empty; // a barrier each for every place

    // One thread fills the places in turn with this block's tiles, each as soon as it is empty.
    __device__ __forceinline__ void fill() const {
        const jr_u64 step = (jr_u64)gridDim.x * jr_tile_packs;
        jr_ring_place place = {0, 1}; // the phase before the first one counts as ended
#pragma unroll 1
        for (jr_u64 first = (jr_u64)blockIdx.x * jr_tile_packs; first < in.pack_count; first += step) {
            const jr_u64 left = in.pack_count - first;
            const jr_u32 packs = left < jr_tile_packs ? (jr_u32)left : jr_tile_packs;
            jr_bulk_wait(empty + place.at, place.parity);
            jr_bulk_copy(tiles + place.at * jr_tile_bytes, in.packs + first * jr_pack_elements,
                         packs * (jr_u32)sizeof(jr_pack<JR_X>), full + place.at);
            place.advance();
        }
    }
};

// Folds one tile from shared memory into the thread's chains. left: packs from the tile's first one on.
__device__ __forceinline__ void jr_fold_tile(jr_chains<jr_operator> &chains, const jr_reducer &reducer,
                                             const jr_cut &in, const unsigned char *tile, jr_u64 first, jr_u64 left) {
    const jr_u32 packs = left < jr_tile_packs ? (jr_u32)left : jr_tile_packs;
    const jr_u32 thread = threadIdx.x - jr_warp_lanes;
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_u32 at = u * jr_folders + thread;
        if (at >= packs) break;
        jr_packs pack;
        jr_load_staged(pack.x.elements, tile + at * sizeof(jr_pack<JR_X>));
        const jr_u64 index = jr_pack_index(in, first + at, reducer.call.first);
        chains.fold(u, reducer, pack, index, true);
    }
}

// Folds this block's tiles, each when it has come, and lets its place be filled again.
__device__ __forceinline__ jr_accumulator jr_fold_ring(const jr_reducer &reducer, const jr_ring &ring) {
    const jr_u64 step = (jr_u64)gridDim.x * jr_tile_packs;
    jr_chains<jr_operator> chains;
    chains.start(reducer);
    jr_ring_place place = {0, 0};
#pragma unroll 1
    for (jr_u64 first = (jr_u64)blockIdx.x * jr_tile_packs; first < ring.in.pack_count; first += step) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        jr_fold_tile(chains, reducer, ring.in, ring.tiles + place.at * jr_tile_bytes, first, ring.in.pack_count - first);
        __syncwarp();
        if (threadIdx.x % jr_warp_lanes == 0) jr_bulk_arrive(ring.empty + place.at);
        place.advance();
    }
    return chains.end(reducer);
}

// in: the input. out: the result. slots: see single_pass.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_reduce_bulk_copy(const __grid_constant__ jr_cut in, void *out, jr_u64 *slots,
                        const __grid_constant__ jr_call call) {
    jr_begin();
    extern __shared__ __align__(128) unsigned char jr_tiles[];
    __shared__ jr_u64 full[JR_STAGES], empty[JR_STAGES];
    const jr_reducer reducer{{{}, call}};
    const jr_ring ring = {in, jr_tiles, full, empty};
    if (threadIdx.x == 0) {
        for (jr_u32 s = 0; s < JR_STAGES; s++) {
            jr_bulk_init(full + s, 1);
            jr_bulk_init(empty + s, jr_folders / jr_warp_lanes);
        }
        jr_bulk_fence();
    }
    __syncthreads();
    jr_accumulator share = reducer.identity();
    if (threadIdx.x == 0) ring.fill();
    if (threadIdx.x >= jr_warp_lanes) share = jr_fold_ring(reducer, ring);
    share = jr_fold_ends(share, reducer, in, blockIdx.x, gridDim.x);
    __syncthreads(); // the ring becomes the block's cache
    jr_collect(reducer, share, (jr_accumulator *)jr_tiles, out, slots);
}
