// segmented_tree: segments that lie one behind the other, of equal lengths or by offsets, by the fixed tree.
#include "segmented/tree.cuh"

struct jr_tree_rows {
    const jr_cut &in;
    const jr_segment_cut &segments;
    jr_u64 end; // of the last one

    __device__ __forceinline__ jr_u64 length(jr_u64 s) const {
        return segments.offsets != nullptr ? jr_segment_begin(segments, s + 1) - jr_segment_begin(segments, s)
                                           : segments.length;
    }
    __device__ __forceinline__ jr_tree_span span(jr_u64 s, jr_u64 begin, jr_u64 count) const {
        const jr_u64 from = jr_segment_begin(segments, s) + begin;
        return jr_tree_span(in, from, count, end - from, begin);
    }
};

// in: the input, cut without an end. together: segments that a block takes at a time. out: the results.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_tree(const __grid_constant__ jr_cut in, const __grid_constant__ jr_segment_cut segments,
                      const jr_u32 together, void *out, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_trees(reducer, jr_tree_rows{in, segments, jr_segment_begin(segments, segments.count)}, segments, together,
                  out);
}
