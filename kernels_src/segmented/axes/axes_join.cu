// segmented_axes_join: reduces a C-ordered array of accumulators, which a first step along one axis wrote, along
// further axes. Bytes: each accumulator once; one result per segment; one accumulator per part, written here and read
// by segmented_parts_join. Launches: this one, and the join when segments are cut into parts.
#include "segmented/axes/axes.cuh"

struct jr_axis_accumulators {
    typedef jr_accumulator loaded;
    const jr_accumulator *all, *first; // of the segment

    __device__ __forceinline__ void begin(jr_u64 place) { first = all + place; }
    __device__ __forceinline__ jr_accumulator load(const jr_axis_cursor &cursor) const {
        return first[cursor.place()];
    }
    __device__ __forceinline__ jr_accumulator lift(const jr_accumulator &part) const {
        return part;
    }
    __device__ __forceinline__ void take(const jr_reducer &reducer, jr_accumulator &acc, const jr_accumulator &part) const {
        acc = reducer.combine(acc, part);
    }
};

// out, partials, call: see jr_segmented_axes. in: the accumulators.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_axes_join(const jr_accumulator *in, void *out, jr_accumulator *partials,
                           const __grid_constant__ jr_axes_cut axes, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_axes(reducer, jr_axis_accumulators{in, in}, axes, out, partials);
}
