// segmented_tree_axes: columns, and segments along several axes, by the fixed tree: element by element, wherever they lie.
#include "segmented/axes/axes.cuh"
#include "segmented/tree/segmented_tree.cuh"

struct jr_axes_span {
    const jr_cut &in;
    const jr_axis_map &map;
    jr_u64 at, begin, count; // where the segment begins; the first element, and how many

    static __device__ __forceinline__ bool has_tile(jr_u64) { return false; }
    static __device__ __forceinline__ jr_accumulator fold_tile(const jr_reducer &reducer, jr_u64) {
        return reducer.identity();
    }
    __device__ __forceinline__ jr_item item(jr_u64 e) const {
        const jr_u64 index = begin + e;
        const bool one_axis = map.size[1] == 1 && map.size[2] == 1 && map.size[3] == 1;
        const jr_u64 place = at + (one_axis ? index * map.stride[0] : jr_axis_digits(map, index).place(map));
        return jr_item_at(in, (long long)(place - in.head), index - place);
    }
};
struct jr_tree_axes {
    const jr_cut &in;
    const jr_axis_map &segments, &elements;
    jr_u64 of_each;

    __device__ __forceinline__ jr_u64 length(jr_u64) const { return of_each; }
    __device__ __forceinline__ jr_axes_span span(jr_u64 s, jr_u64 begin, jr_u64 count) const {
        return {in, elements, jr_axis_digits(segments, s).place(segments), begin, count};
    }
};

// in: the input, cut without an end. axes: where segments, and the elements of each, lie. For the rest see
// segmented_tree.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_tree_axes(const __grid_constant__ jr_cut in, const __grid_constant__ jr_segment_cut segments,
                           const __grid_constant__ jr_axis_map numbers, const __grid_constant__ jr_axis_map elements,
                           const jr_u32 together, void *out, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_trees(reducer, jr_tree_axes{in, numbers, elements, segments.length}, segments, together, out);
}
