// single_pass of exact sums: one launch; every block adds its share to digits, block 0 collects them and rounds once.
#include "reduce/exact_tiles.cuh"

__device__ __forceinline__ void jr_exact_load(jr_packs (&packs)[JR_UNROLL], const jr_cut &in, jr_u64 tile) {
    const jr_u64 at = tile * (JR_UNROLL * JR_BLOCK) + threadIdx.x;
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u].load(in, at + u * JR_BLOCK);
}

// in: the input. out: the result. workspace, partials: as of jr_exact_collect.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_reduce_exact_single_pass(const __grid_constant__ jr_cut in, const __grid_constant__ jr_shares shares, void *out,
                                jr_u64 *workspace, jr_accumulator *partials, const __grid_constant__ jr_call call) {
    jr_begin();
    extern __shared__ __align__(128) unsigned char jr_room[];
    __shared__ jr_exact_block block;
    jr_exact_adder adder = {in, call, block};
    jr_packs packs[JR_UNROLL];
    jr_u64 tile = blockIdx.x;
    // The first loads are under way while shared memory is made ready.
    if (tile < shares.tiles) jr_exact_load(packs, in, tile);
    jr_exact_start(block);
    adder.start(jr_room);
    __syncthreads();
#pragma unroll 1
    while (tile < shares.tiles) {
        adder.add_tile(packs, tile * (JR_UNROLL * JR_BLOCK) + threadIdx.x);
        tile += gridDim.x;
        if (tile < shares.tiles) jr_exact_load(packs, in, tile);
    }
    adder.add_rest(shares);
    adder.end();
    jr_exact_collect(block, out, workspace, partials, call);
}
