// tournament_serial: a preliminary round, in which each thread folds a share, and a final one, the tournament.
//
// Source: "Parallele Reduktion" (Linux-Magazin), whose criticism of the plain form is that half the cores idle after
// its first round.
#include "fold/load.cuh"
#include "reduce/tournament.cuh"

// in: the input. partials: gets one accumulator a block.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_tournament_serial(const __grid_constant__ jr_cut in, jr_accumulator *partials,
                                const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_accumulator share = jr_fold_share(reducer, in, blockIdx.x, gridDim.x);
    const jr_accumulator winner = jr_combine_tournament(reducer, share, jr_block_cache());
    if (threadIdx.x == 0) partials[blockIdx.x] = winner;
}
