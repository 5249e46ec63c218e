// bulk_copy for exclusive scans of segments: the result of an element leaves the element out.
#include "scan/ring/bulk_copy_segmented.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy_segmented_exclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                                   const __grid_constant__ jr_heads heads, const __grid_constant__ jr_call call) {
    jr_scan_ring_segments<true>(in, out, queue, heads, call);
}
