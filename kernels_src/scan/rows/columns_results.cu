// Scans of columns: writes the results; the last launch, or the only one.
#include "scan/rows/columns_lanes.cuh"

// starts: one per part; NULL: a column is one part. It uses packs of columns if columns.packs says that they are
// aligned.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_columns_results(const __grid_constant__ jr_cut in, void *results, const jr_accumulator *starts,
                            const __grid_constant__ jr_scan_columns columns, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    if (jr_columns_fit && columns.packs)
        jr_scan_columns_of<jr_row_of_pack>(reducer, in, results, starts, columns);
    else
        jr_scan_columns_of<jr_row_of_one>(reducer, in, results, starts, columns);
}
