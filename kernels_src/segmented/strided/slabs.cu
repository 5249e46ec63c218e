// segmented_slabs: columns of small slabs, [slabs][length][inner], whose rows need not begin at boundaries of vectors;
// a warp copies whole slabs to shared memory, and a lane folds a column there, in order. Bytes: every element once by
// 16-byte loads, one result per column. Launches: one.
#include "segmented/common/piece.cuh"
#include "segmented/common/room.cuh"

// Folds a column that begins at `from` in the room: `length` elements that lie `inner` apart.
__device__ __forceinline__ jr_accumulator jr_slab_fold(const jr_room_view &room, const jr_reducer &reducer, jr_u32 from,
                                                       jr_u32 length, jr_u32 inner) {
    typedef jr_group_terms<jr_operator> terms;
    const jr_u64 first = jr_piece_first(reducer);
    jr_accumulator acc = terms::before(reducer, {(JR_X_VALUE)room.load_if(true, from), first});
#pragma unroll 1
    for (jr_u32 k = 0; k < length; k += jr_room_ahead) {
        JR_X held[jr_room_ahead];
#pragma unroll
        for (jr_u32 u = 0; u < jr_room_ahead; u++) held[u] = room.load_if(k + u < length, from + (k + u) * inner);
#pragma unroll
        for (jr_u32 u = 0; u < jr_room_ahead; u++)
            if (k + u < length) terms::take(reducer, acc, {(JR_X_VALUE)held[u], first + k + u});
    }
    terms::end(acc, length);
    return acc;
}

// in: the input, cut without an end. out: the results. segments: columns. inner: those of a slab.
// most: slabs that a warp copies at a time.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_slabs(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_segment_cut segments,
                       const jr_u32 inner, const jr_u32 most, const __grid_constant__ jr_call call) {
    jr_begin();
#if JR_SHARED_DYNAMIC
    extern __shared__ __align__(16) unsigned char jr_dynamic_shared[];
    jr_element_room *const rooms = (jr_element_room *)jr_dynamic_shared;
#else
    __shared__ jr_element_room rooms[JR_BLOCK / jr_warp_lanes];
#endif
    const jr_reducer reducer{{{}, call}};
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, warp = threadIdx.x / jr_warp_lanes;
    const jr_u32 length = (jr_u32)segments.length, slab = length * inner;
    const jr_u64 slabs = segments.count / inner;
    const jr_group all(reducer, in, 0, slabs * slab);
    const jr_room_view room = {jr_shared_address(rooms[warp].bytes)};
#pragma unroll 1
    for (jr_u64 s = ((jr_u64)blockIdx.x * (JR_BLOCK / jr_warp_lanes) + warp) * most; s < slabs;
         s += (jr_u64)gridDim.x * (JR_BLOCK / jr_warp_lanes) * most) {
        const jr_u32 taken = slabs - s < most ? (jr_u32)(slabs - s) : most;
        const jr_u32 phase = jr_room_load(room, all, s * slab, taken * slab);
#pragma unroll 1
        for (jr_u32 i = lane; i < taken * inner; i += jr_warp_lanes) {
            const jr_u32 own = i / inner, from = phase + own * slab + (i - own * inner);
            const jr_accumulator total = jr_slab_fold(room, reducer, from, length, inner);
            jr_segment_write(reducer, segments, out, s * inner + i, total, length);
        }
    }
}
