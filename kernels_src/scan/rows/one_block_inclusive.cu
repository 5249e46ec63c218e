// one_block for inclusive scans: the result of an element takes the element in.
#include "scan/rows/one_block.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_one_block_inclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_deal deal,
                                const __grid_constant__ jr_call call) {
    jr_scan_alone<false>(in, out, deal, call);
}
