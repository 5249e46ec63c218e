// segmented_view_planes: segmented_view_axes along two axes, whose places take less to compute.
#include "segmented/views/views.cuh"

// Arguments: see jr_segmented_view_axes.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_view_planes(const __grid_constant__ jr_view_cut view, void *out, jr_accumulator *partials,
                             const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_view<2>(reducer, view, out, partials);
}
