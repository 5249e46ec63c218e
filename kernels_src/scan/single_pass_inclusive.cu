// single_pass for inclusive scans: the result of an element takes the element in.
#include "scan/single_pass.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_single_pass_inclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                                const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_whole_scan<false> form{reducer};
    jr_scan_queue(form, in, out, queue);
}
