// two_pass of the fixed tree: one launch leaves a node for each chunk, tree_finish.cu folds the nodes.
#include "reduce/tree_chunks.cuh"

// in: the input. nodes: room for one of each chunk.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_tree_two_pass(const __grid_constant__ jr_cut in, const __grid_constant__ jr_tree_cut chunks,
                            jr_accumulator *nodes, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_chunks(reducer, in, chunks, nodes);
}
