// segmented_warps: equal segments of 128 to 2047 packs; a warp folds one, as the flat reduction does.
//
// Bytes: every element once by 16-byte loads, wherever segments begin; one result per segment. Launches: one. Shared
// memory: 0 bytes.
#include "segmented/common/segments.cuh"

// Blocks that must fit on a multiprocessor, for 1024 threads. With this bound the compiler groups 8 loads: 64 registers
// hold them and as many accumulators of 8 bytes; larger accumulators would be spilled.
constexpr jr_u32 jr_warps_resident = JR_UNROLL <= 8 && sizeof(jr_accumulator) <= 8 ? 1024 / JR_BLOCK : 1;

// in: the input, cut without an end. out: the results.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_warps_resident)
    jr_segmented_warps(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_segment_cut segments,
                       const __grid_constant__ jr_call call) {
    jr_begin();
    constexpr jr_u32 warps = JR_BLOCK / jr_warp_lanes;
    const jr_reducer reducer{{{}, call}};
#pragma unroll 1
    for (jr_u64 s = (jr_u64)blockIdx.x * warps + threadIdx.x / jr_warp_lanes; s < segments.count;
         s += (jr_u64)gridDim.x * warps) {
        const jr_u64 begin = s * segments.length;
        const jr_accumulator own = jr_fold_span(reducer, in, begin, begin + segments.length, begin);
        const jr_accumulator total = jr_combine_warp(reducer, own);
        if (threadIdx.x % jr_warp_lanes == 0) jr_segment_write(reducer, segments, out, s, total, segments.length);
    }
}
