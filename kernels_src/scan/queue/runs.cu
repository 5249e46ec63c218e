// Runs of equal neighbouring keys: one launch leaves a key and a result for each, and how many there are.
#include "scan/common/run_state.cuh"
#if JR_OPERATORS_EXACT // whose states lie in memory
#include "scan/queue/runs_exact_scan.cuh"
#else
#include "scan/queue/runs.cuh"
#endif

// in: the input. out: runs.result_bytes for each run. Any grid.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_runs(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                 const __grid_constant__ jr_heads heads, const __grid_constant__ jr_runs runs,
                 const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
#if JR_OPERATORS_EXACT
    const jr_exact_runs_scan form{reducer, runs, (jr_u8 *)out, {heads}};
#else
    jr_runs_scan form{reducer, runs, (jr_u8 *)out, {reducer}, {heads}};
#endif
    if (call.count == 0 && blockIdx.x == 0 && threadIdx.x == 0 && runs.count) *runs.count = 0;
    jr_scan_queue(form, in, queue);
}
