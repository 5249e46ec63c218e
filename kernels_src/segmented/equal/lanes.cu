// segmented_lanes: equal segments of 9 to 1023 elements; a group of lanes of a warp folds JR_UNROLL of them at a time.
//
// Bytes: every element once by 16-byte loads, wherever segments begin; a pack that two segments share twice; a result a
// segment. Launches: one. Segments of whole packs that groups would share unequally are folded in tiles.
#include "segmented/common/groups.cuh"
#include "segmented/common/tile.cuh"

// in: the input, cut without an end. out: the results. size: a group has 1 << size lanes, of jr_group_least to 5. tiled:
// segments of a warp at a time, where packs are whole; 0: by groups.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_lanes(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_segment_cut segments,
                       const jr_u32 size, const jr_u32 tiled, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u32 length = (jr_u32)segments.length, tile = (jr_warp_lanes >> size) * JR_UNROLL;
    jr_group group(reducer, in, 0, segments.count * length);
    group.resize(size);
    const bool whole = in.head == 0 && length % jr_pack_elements == 0;
    const jr_u64 warps = (jr_u64)gridDim.x * (JR_BLOCK / jr_warp_lanes);
    const jr_u64 warp = (jr_u64)blockIdx.x * (JR_BLOCK / jr_warp_lanes) + threadIdx.x / jr_warp_lanes;
    if (jr_tile_rounds > 0 && tiled > 0) return jr_tile_walk(reducer, in, out, segments, warp, warps, tiled);
#pragma unroll 1
    for (jr_u64 s = warp * tile; s < segments.count; s += warps * tile) {
        jr_accumulator acc[JR_UNROLL];
        jr_group_segments of;
        of.base = s * length;
        jr_u64 pack[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            // Groups behind the last segment fold it again, and write nothing.
            const jr_u32 next = u * group.count + group.number;
            const jr_u32 near = s + next < segments.count ? next : (jr_u32)(segments.count - 1 - s);
            of.from[u] = near * length;
            of.before[u] = 0;
            pack[u] = (of.base + of.from[u]) / jr_pack_elements;
            of.length[u] = length;
            acc[u] = reducer.identity();
        }
        if (whole)
            group.fold_whole(acc, pack, length / jr_pack_elements);
        else
            group.fold(acc, of);
        group.combine(acc);
#pragma unroll
        for (jr_u32 low = 0; low < JR_UNROLL; low += jr_group_writers) {
            const jr_u32 u = low + group.lane;
            const jr_accumulator total = group.choose(acc, low, u);
            if (group.lane < jr_group_writers && u < JR_UNROLL && s + u * group.count + group.number < segments.count)
                jr_segment_write(reducer, segments, out, s + u * group.count + group.number, total, length);
        }
    }
}
