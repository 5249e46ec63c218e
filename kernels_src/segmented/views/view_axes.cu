// segmented_view_axes: reduces along several axes of arrays whose elements may lie apart, backwards or upon each other,
// with any operator. Bytes: every element of the views once, one by one; one result per segment; one accumulator per
// part, written here and read by segmented_parts_join. Launches: this one, and the join when segments are cut into
// parts. Each step adds to the places; only where an axis ends its digit is set back.
#include "segmented/views/views.cuh"

// view: the views, and how they are divided. out: the results, when there is one part. partials: room for parts * count
// accumulators, when there are several. call.count: elements of a segment.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_view_axes(const __grid_constant__ jr_view_cut view, void *out, jr_accumulator *partials,
                           const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_view<JR_AXES_MAX>(reducer, view, out, partials);
}
