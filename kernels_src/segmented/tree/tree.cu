// segmented_tree: consecutive segments, of equal lengths or by offsets, folded by the fixed tree.
#include "segmented/tree/segmented_tree.cuh"
#include "segmented/tree/tree_short.cuh"

// in: the input, cut without an end. together: segments that a block takes at a time. out: the results.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_tree(const __grid_constant__ jr_cut in, const __grid_constant__ jr_segment_cut segments,
                      const jr_u32 together, void *out, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    if (jr_fold_if_short(reducer, in, segments, out)) return;
    jr_fold_trees(reducer, jr_rows<jr_tree_span>{in, segments, jr_segment_begin(segments, segments.count)}, segments,
                  together, out);
}
