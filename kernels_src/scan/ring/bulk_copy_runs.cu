// bulk_copy for runs of equal neighbouring keys: one launch leaves a key and a result for each, and how many there are.
#include "scan/ring/bulk_copy_runs.cuh"

// in: the input. out: a result for each run. Any grid.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy_runs(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                           const __grid_constant__ jr_heads heads, const __grid_constant__ jr_runs runs,
                           const __grid_constant__ jr_call call) {
    jr_ring_reduce_runs(in, out, queue, heads, runs, call);
}
