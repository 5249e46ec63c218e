// one_block for exclusive scans: the result of an element leaves the element out.
#include "scan/rows/one_block.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_one_block_exclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_deal deal,
                                const __grid_constant__ jr_call call) {
    jr_scan_alone<true>(in, out, deal, call);
}
