// three_pass, third pass: each block scans its row from its start.
//
// Source: the row-wise reduce-then-scan.
#include "scan/rows/three_pass.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_three_pass_results(const __grid_constant__ jr_cut in, void *results, const jr_accumulator *starts,
                               const __grid_constant__ jr_deal deal, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_scan_row(in, results, starts, deal, call);
}
