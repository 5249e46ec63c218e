// bulk_copy for exclusive scans: the result of an element leaves the element out.
#include "scan/ring/bulk_copy.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy_exclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                                const __grid_constant__ jr_call call) {
    jr_scan_ring<true>(in, out, queue, call);
}
