// tree_finish: one block folds the nodes of all chunks, in the fixed tree, and writes the result.
#include "fold/tree.cuh"

// nodes: node_count of them. out: the result. Launched with one block.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_tree_finish(const jr_accumulator *nodes, jr_u64 node_count, void *out,
                          const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_accumulator total = jr_fold_nodes(reducer, nodes, node_count, jr_block_cache());
    if (threadIdx.x == 0) reducer.write(out, total, call.count);
}
