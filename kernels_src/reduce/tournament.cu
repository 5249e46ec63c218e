// tournament: each block plays 2 * JR_BLOCK neighbouring elements against each other, two per thread. The first round,
// of neighbouring elements, is played in registers, the others in shared memory. A block loads the elements of
// JR_UNROLL tournaments at once and plays these one after the other; with JR_UNROLL 1 it is the source's form. The
// order of the elements is kept. Source: "Parallele Reduktion" (Linux-Magazin).
#include "fold/inputs.cuh"
#include "reduce/tournament.cuh"

// Element k of the input; the identity after its end.
__device__ __forceinline__ jr_accumulator jr_element(const jr_reducer &reducer, const jr_cut &in, jr_u64 k) {
    if (k >= reducer.call.count) return reducer.identity();
    return jr_lift_at(reducer, in, (long long)k - in.head, reducer.call.first);
}

// in: the input. deal: of tiles of 2 * JR_BLOCK elements. partials: gets one accumulator a block, in their order.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_tournament(const __grid_constant__ jr_cut in, const __grid_constant__ jr_deal deal,
                         jr_accumulator *partials, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 end = jr_deal_begin(deal, blockIdx.x + 1ull);
    jr_accumulator *cache = jr_block_cache();
    jr_accumulator winner = reducer.identity();
#pragma unroll 1
    for (jr_u64 tile = jr_deal_begin(deal, blockIdx.x); tile < end; tile += JR_UNROLL) {
        jr_accumulator pair[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u64 index = 2 * ((tile + u) * JR_BLOCK + threadIdx.x);
            pair[u] = reducer.identity();
            if (tile + u < end)
                pair[u] = reducer.combine(jr_element(reducer, in, index), jr_element(reducer, in, index + 1));
        }
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            winner = reducer.combine(winner, jr_combine_tournament(reducer, pair[u], cache));
            __syncthreads();
        }
    }
    if (threadIdx.x == 0) partials[blockIdx.x] = winner;
}
