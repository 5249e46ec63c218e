// segmented_lanes: equal segments of 9 to 1023 elements; a lane group of a warp folds JR_UNROLL of them at a time.
// Bytes: every element once by 16-byte loads, wherever segments begin; a pack that two segments share twice; one result
// per segment. Launches: one. Segments of whole packs that would not divide equally among lane groups are folded in
// tiles.
#include "segmented/common/groups.cuh"
#include "segmented/common/segments.cuh"

// Tiles: short segments of whole packs, which a warp loads pack by pack as they lie; each lane folds its packs in
// registers, and only their accumulators go through shared memory, where a few lanes fold a segment's.

constexpr jr_u32 jr_tile_rounds = JR_TILE_ROUNDS(JR_BLOCK, sizeof(jr_accumulator)); // packs a lane; 0: no tiles
constexpr jr_u32 jr_tile_packs = jr_tile_rounds * jr_warp_lanes;

// Folds `count` segments of `packs` packs each, from pack `at` on, and writes their results from segment s on; all lanes
// of the warp take part. cells: jr_tile_packs accumulators in shared memory, the warp's own.
__device__ __forceinline__ void jr_tile_fold(const jr_reducer &reducer, const jr_cut &in, void *out,
                                             const jr_segment_cut &segments, jr_accumulator *cells, jr_u64 s,
                                             jr_u32 count, jr_u32 packs) {
    constexpr jr_u32 room = jr_tile_rounds > 0 ? jr_tile_rounds : 1;
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, all = count * packs;
    const jr_u64 at = s * packs;
    jr_packs held[room];
    // Loads past the end are led back to the last pack, and nobody reads what comes of them.
#pragma unroll
    for (jr_u32 r = 0; r < room; r++) {
        const jr_u32 own = r * jr_warp_lanes + lane;
        held[r].load(in, at + (own < all ? own : all - 1));
    }
    __syncwarp(); // others may still read what the last tile left
#pragma unroll
    for (jr_u32 r = 0; r < room; r++) {
        const jr_u32 own = r * jr_warp_lanes + lane;
        cells[own] = jr_pairwise<jr_pack_elements>::fold(reducer, held[r], 0, own % packs * jr_pack_elements);
    }
    __syncwarp();
    // As many lanes a segment as leave all segments lanes.
    jr_u32 size = 0;
    while (count << (size + 1) <= jr_warp_lanes) size++;
    const jr_u32 lanes = 1u << size, first = lane & (lanes - 1);
#pragma unroll 1
    for (jr_u32 own = lane >> size; own < count + (lane >> size); own += jr_warp_lanes >> size) {
        jr_accumulator acc = reducer.identity();
        const jr_accumulator *const from = cells + own * packs;
#pragma unroll 4
        for (jr_u32 k = first; k < packs && own < count; k += lanes) acc = reducer.combine(acc, from[k]);
#pragma unroll 1
        for (jr_u32 distance = lanes / 2; distance > 0; distance /= 2)
            acc = reducer.combine(acc, jr_shuffle_across(acc, distance));
        if (first == 0 && own < count) jr_segment_write(reducer, segments, out, s + own, acc, segments.length);
    }
}

// Folds all of this warp's segments, `tile` at a time; `warp` of `warps`.
__device__ __forceinline__ void jr_tile_walk(const jr_reducer &reducer, const jr_cut &in, void *out,
                                             const jr_segment_cut &segments, jr_u64 warp, jr_u64 warps, jr_u32 tile) {
    __shared__ __align__(16) unsigned char rooms[JR_BLOCK / jr_warp_lanes][jr_tile_packs * sizeof(jr_accumulator) + 16];
    jr_accumulator *const cells = (jr_accumulator *)rooms[threadIdx.x / jr_warp_lanes];
    const jr_u32 packs = (jr_u32)segments.length / jr_pack_elements;
#pragma unroll 1
    for (jr_u64 s = warp * tile; s < segments.count; s += warps * tile) {
        const jr_u64 left = segments.count - s;
        jr_tile_fold(reducer, in, out, segments, cells, s, left < tile ? (jr_u32)left : tile, packs);
    }
}

// in: the input, cut without an end. out: the results. size: a group has 1 << size lanes, of jr_group_least to 5. tiled:
// segments of a warp at a time, where packs are whole; 0: by groups.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_lanes(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_segment_cut segments,
                       const jr_u32 size, const jr_u32 tiled, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    typedef jr_group_terms<jr_operator> terms;
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
            // Lane groups after the last segment fold that segment again, and write nothing.
            const jr_u32 next = u * group.count + group.number;
            const jr_u32 near = s + next < segments.count ? next : (jr_u32)(segments.count - 1 - s);
            of.from[u] = near * length;
            of.before[u] = 0;
            pack[u] = (of.base + of.from[u]) / jr_pack_elements;
            of.length[u] = length;
            terms::begin(reducer, in, of.base + of.from[u], acc[u]);
        }
        if (whole)
            group.fold_whole<terms>(acc, pack, length / jr_pack_elements);
        else
            group.fold<terms>(acc, of);
        group.combine<terms>(acc);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) terms::end(acc[u], length);
#pragma unroll
        for (jr_u32 low = 0; low < JR_UNROLL; low += jr_group_writers) {
            const jr_u32 u = low + group.lane;
            const jr_accumulator total = group.choose(acc, low, u);
            if (group.lane < jr_group_writers && u < JR_UNROLL && s + u * group.count + group.number < segments.count)
                jr_segment_write(reducer, segments, out, s + u * group.count + group.number, total, length);
        }
    }
}
