// Exclusive scans of columns: the result of an element leaves the element out.
#include "scan/rows/columns.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_columns_exclusive(const __grid_constant__ jr_cut in, void *out, const jr_accumulator *starts,
                           const __grid_constant__ jr_scan_columns columns, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_scan_all_columns<true>(in, out, starts, columns, call);
}
