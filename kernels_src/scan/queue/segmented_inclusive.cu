// single_pass for inclusive scans of segments: the result of an element takes the element in.
#include "scan/common/segmented.cuh"
#include "scan/queue/single_pass.cuh"

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_segmented_inclusive(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                             const __grid_constant__ jr_heads heads, const __grid_constant__ jr_call call) {
    jr_begin();
    __shared__ __align__(16) jr_u8 stages[jr_block_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    jr_segmented_scan<false> form{reducer, jr_output_of(in, out, stages, call.count), {reducer}, {heads}};
    jr_scan_queue(form, in, queue);
}
