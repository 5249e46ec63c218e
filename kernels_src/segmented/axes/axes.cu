// segmented_axes: reduces along several axes of a C-ordered array that are not neighbours, with any operator. An
// element's index counts along all of these axes together. Bytes: every element once, one by one; one result per
// segment; one accumulator per part, written here and read by segmented_parts_join. Launches: this one, and the join
// when segments are cut into parts. The address of each element is computed axis by axis: slower than rows and columns,
// to which segmented_steps reduces axes where possible.
#include "segmented/axes/axes.cuh"

// The elements of a segment.
struct jr_axis_elements {
    typedef jr_item loaded;
    const jr_reducer &reducer;
    const jr_cut &in;
    jr_u64 at; // its first element

    __device__ __forceinline__ void begin(jr_u64 place) { at = place; }
    __device__ __forceinline__ jr_item load(const jr_axis_cursor &cursor) const {
        const jr_u64 e = at + cursor.place();
        return jr_item_at(in, (long long)(e - in.head), cursor.row - e + jr_piece_first(reducer));
    }
    __device__ __forceinline__ jr_accumulator lift(const jr_item &item) const {
        return reducer.lift(item);
    }
    __device__ __forceinline__ void take(const jr_reducer &, jr_accumulator &acc, const jr_item &item) const {
        jr_take(reducer, acc, item);
    }
};

// in: the input, cut without an end. out: the results, when there is one part. partials: room for parts * count
// accumulators, when there are several. call.count: elements of a segment.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_axes(const __grid_constant__ jr_cut in, void *out, jr_accumulator *partials,
                      const __grid_constant__ jr_axes_cut axes, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_axes(reducer, jr_axis_elements{reducer, in, 0}, axes, out, partials);
}
