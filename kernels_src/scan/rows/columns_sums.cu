// Scans of columns: folds each part of each column.
#include "scan/rows/columns.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_columns_sums(const __grid_constant__ jr_cut in, jr_accumulator *folds,
                         const __grid_constant__ jr_scan_columns columns, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    if (jr_columns_fit && columns.packs)
        jr_fold_columns<jr_row_of_pack>(reducer, in, folds, columns);
    else
        jr_fold_columns<jr_row_of_one>(reducer, in, folds, columns);
}
