// segmented_short: equal segments of 1 to 16 elements; a warp copies whole segments to shared memory, where a lane
// folds each; segments of 1, 2 or 4 whole packs stay in registers. Bytes: every element once by 16-byte loads, wherever
// segments begin; one result per segment. Launches: one.
#include "segmented/common/patch.cuh"
#include "segmented/equal/short_whole.cuh"

// in: the input, cut without an end. out: the results.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_short(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_segment_cut segments,
                       const __grid_constant__ jr_call call) {
    jr_begin();
    constexpr jr_u32 warps = JR_BLOCK / jr_warp_lanes;
#if JR_SHARED_DYNAMIC
    extern __shared__ __align__(16) unsigned char jr_dynamic_shared[];
    typedef unsigned char room[jr_patch_room * sizeof(JR_X)];
    room *const rooms = (room *)jr_dynamic_shared;
#else
    __shared__ __align__(16) unsigned char rooms[warps][jr_patch_room * sizeof(JR_X)];
#endif
    const jr_reducer reducer{{{}, call}};
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, warp = threadIdx.x / jr_warp_lanes;
    const jr_u32 length = (jr_u32)segments.length, tile = jr_patch_elements / length;
    if (jr_whole_fits(in, length))
        return jr_whole_walk(reducer, in, out, segments, (jr_u64)blockIdx.x * warps + warp, (jr_u64)gridDim.x * warps);
    jr_patch patch = {in, (JR_X *)rooms[warp], 0};
#pragma unroll 1
    for (jr_u64 s = ((jr_u64)blockIdx.x * warps + warp) * tile; s < segments.count;
         s += (jr_u64)gridDim.x * warps * tile) {
        const jr_u32 count = segments.count - s < tile ? (jr_u32)(segments.count - s) : tile;
        patch.load(s * length, (s + count) * length);
#pragma unroll 1
        for (jr_u32 own = lane; own < count; own += jr_warp_lanes) {
            const jr_u64 begin = (s + own) * length;
            jr_accumulator acc = reducer.lift(patch.item(own * length, begin));
#pragma unroll 4
            for (jr_u32 k = 1; k < length; k++)
                jr_take(reducer, acc, patch.item(own * length + k, begin));
            jr_segment_write(reducer, segments, out, s + own, acc, length);
        }
    }
}
