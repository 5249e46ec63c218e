// wave for inclusive scans: the result of an element takes the element in.
#include "scan/queue/wave.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_wave_blocks)
    jr_scan_wave_inclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                           const __grid_constant__ jr_call call) {
    jr_scan_wave<false>(in, out, queue, call);
}
