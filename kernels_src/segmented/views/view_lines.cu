// segmented_view_lines: segmented_view_axes where the elements of a segment have one distance, as along one axis.
#include "segmented/views/views.cuh"

// Arguments: see jr_segmented_view_axes.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_view_lines(const __grid_constant__ jr_view_cut view, void *out, jr_accumulator *partials,
                            const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_fold_view<1>(reducer, view, out, partials);
}
