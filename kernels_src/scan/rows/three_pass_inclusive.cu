// three_pass, its third pass for inclusive scans: the result of an element takes the element in.
//
// Source: the row-wise reduce-then-scan.
#include "scan/rows/three_pass.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_three_pass_inclusive(const __grid_constant__ jr_cut in, void *out, const jr_accumulator *starts,
                                 const __grid_constant__ jr_deal deal, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_scan_row<false>(in, out, starts, deal, call);
}
