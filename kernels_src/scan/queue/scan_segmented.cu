// single_pass of scans of segments.
#include "scan/common/segmented.cuh"
#include "scan/queue/single_pass.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_segmented(const __grid_constant__ jr_cut in, void *results, const __grid_constant__ jr_queue queue,
                      const __grid_constant__ jr_heads heads, const __grid_constant__ jr_call call) {
    jr_begin();
    __shared__ __align__(16) jr_u8 stages[jr_block_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    jr_segmented_scan form{reducer, jr_output_of(in, results, stages, call.count), {reducer}, {heads}};
    jr_scan_queue(form, in, queue);
}
