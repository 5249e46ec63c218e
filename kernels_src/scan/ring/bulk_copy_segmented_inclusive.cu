// bulk_copy for inclusive scans of segments: the result of an element takes the element in.
#include "scan/ring/bulk_copy_segmented.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy_segmented_inclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                                   const __grid_constant__ jr_heads heads, const __grid_constant__ jr_call call) {
    jr_scan_ring_segments<false>(in, out, queue, heads, call);
}
