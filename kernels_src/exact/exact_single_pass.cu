// single_pass of exact sums: one launch; every block adds its share to digits, block 0 collects them and rounds once.
#include "exact/exact_tiles.cuh"

// Are the loads of the next portion under way while one is added? Of several arrays they would not stay in registers.
constexpr bool jr_exact_ahead = sizeof(jr_packs) * JR_UNROLL <= 64;

// Of a whole tile all loads of several arrays go together.
__device__ __forceinline__ void jr_exact_load(jr_packs (&packs)[JR_UNROLL], const jr_cut &in,
                                              const jr_exact_portion &portion) {
    const jr_u64 at = portion.pack + threadIdx.x;
    if (JR_INPUTS > 1 && portion.count == jr_exact_portion::most)
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u].load(in, at + u * JR_BLOCK);
    else
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (portion.has(u)) packs[u].load(in, at + u * JR_BLOCK);
}

// in: the input. out: the result. workspace, partials: see jr_exact_collect.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_reduce_exact_single_pass(const __grid_constant__ jr_cut in, const __grid_constant__ jr_shares shares, void *out,
                                jr_u64 *workspace, jr_accumulator *partials, const __grid_constant__ jr_call call) {
    jr_begin();
    extern __shared__ __align__(128) unsigned char jr_room[];
    __shared__ jr_exact_block block;
    jr_exact_adder adder = {in, call, block};
    jr_packs packs[JR_UNROLL];
    jr_u64 tile = blockIdx.x;
    jr_exact_portion portion(in, shares, tile);
    // The first loads are under way while shared memory is made ready.
    jr_exact_load(packs, in, portion);
    jr_exact_start(block);
    adder.start(jr_room);
    __syncthreads();
    adder.add_ends();
#pragma unroll 1
    while (portion.count > 0) {
        tile += gridDim.x;
        if constexpr (jr_exact_ahead) {
            const jr_exact_portion coming(in, shares, tile);
            jr_packs next[JR_UNROLL];
            jr_exact_load(next, in, coming);
            adder.add_portion(packs, portion);
            portion = coming;
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u] = next[u];
        } else {
            adder.add_portion(packs, portion);
            portion = jr_exact_portion(in, shares, tile);
            jr_exact_load(packs, in, portion);
        }
    }
    adder.end();
    jr_exact_collect(block, in, out, workspace, partials, call);
}
