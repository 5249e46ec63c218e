// three_pass, its third pass for exclusive scans: the result of an element leaves the element out.
//
// Source: the row-wise reduce-then-scan.
#include "scan/rows/three_pass.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_three_pass_exclusive(const __grid_constant__ jr_cut in, void *out, const jr_accumulator *starts,
                                 const __grid_constant__ jr_deal deal, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_scan_row<true>(in, out, starts, deal, call);
}
