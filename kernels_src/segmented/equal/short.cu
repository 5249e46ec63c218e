// segmented_short: equal segments of 1 to 16 elements; a warp copies whole segments to shared memory, where a lane
// folds each; segments of 1, 2 or 4 whole packs stay in registers. Bytes: every element once by 16-byte loads, wherever
// segments begin; one result per segment. Launches: one.
#include "segmented/common/groups.cuh"
#include "segmented/common/patch.cuh"

// Short segments of whole packs: each thread loads one pack in each of four rows. Neighbouring lanes exchange packs, so
// that every lane ends with results of its own. Measured on an H200 with 2^28 floats by 4 and by 16: 331 and 270 us;
// one lane per segment in shared memory took 351 and 283. By 4, storing results as evict-first takes 2 % less.

// Stores a result that is a word of 4 or 8 bytes in device memory as what caches give up first.
struct jr_streamed_store {
    template <class T> static __device__ __forceinline__ void put(void *out, T result) {
        if (sizeof(T) == 4 && alignof(T) == 4)
            asm volatile("st.global.cs.b32 [%0], %1;" ::"l"(out), "r"(*(const jr_u32 *)&result) : "memory");
        else if (sizeof(T) == 8 && alignof(T) == 8)
            asm volatile("st.global.cs.b64 [%0], %1;" ::"l"(out), "l"(*(const jr_u64 *)&result) : "memory");
        else
            *(T *)out = result;
    }
};

constexpr jr_u32 jr_whole_rows = JR_WHOLE_ROWS;
constexpr jr_u32 jr_whole_packs = jr_whole_rows * jr_warp_lanes; // of a warp at a time

// Halves the rows: lanes whose number has `bit` keep the odd ones, with what their neighbour has of these.
template <jr_u32 ROWS>
__device__ __forceinline__ void jr_whole_exchange(const jr_reducer &reducer, jr_accumulator (&row)[jr_whole_rows],
                                                  jr_u32 bit) {
    const bool odd = threadIdx.x & bit;
#pragma unroll
    for (jr_u32 u = 0; u < ROWS; u += 2) {
        const jr_accumulator other = jr_shuffle_across(odd ? row[u] : row[u + 1], bit);
        const jr_accumulator own = odd ? row[u + 1] : row[u];
        row[u / 2] = JR_COMMUTATIVE || !odd ? reducer.combine(own, other) : reducer.combine(other, own);
    }
}

// Are all segments of 1, 2 or 4 whole packs?
__device__ __forceinline__ bool jr_whole_fits(const jr_cut &in, jr_u32 length) {
    const jr_u32 packs = length / jr_pack_elements;
    return in.head == 0 && length % jr_pack_elements == 0 && JR_WHOLE_FITS(packs);
}

// Folds jr_whole_packs from pack `at` on, all of the warp together; packs: of all segments, which have 1 << size each.
__device__ __forceinline__ void jr_whole_fold(const jr_reducer &reducer, const jr_cut &in, void *out,
                                              const jr_segment_cut &segments, jr_u64 at, jr_u32 size) {
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, each = 1u << size, row = lane % each;
    const jr_u64 follow = (segments.count << size) - at;
    const jr_u32 left = follow < jr_whole_packs ? (jr_u32)follow : jr_whole_packs;
    jr_packs held[jr_whole_rows];
    jr_accumulator acc[jr_whole_rows];
    // Loads past the end are led back to the last pack, and what comes of them is not written.
#pragma unroll
    for (jr_u32 u = 0; u < jr_whole_rows; u++) {
        const jr_u32 own = u * jr_warp_lanes + lane;
        held[u].load(in, at + (own < left ? own : left - 1));
    }
#pragma unroll
    for (jr_u32 u = 0; u < jr_whole_rows; u++)
        acc[u] = jr_pairwise<jr_pack_elements>::fold(reducer, held[u], 0, row * jr_pack_elements);
    if (size > 0) jr_whole_exchange<jr_whole_rows>(reducer, acc, 1);
    if (size > 1) jr_whole_exchange<jr_whole_rows / 2>(reducer, acc, 2);
#pragma unroll
    for (jr_u32 u = 0; u < jr_whole_rows; u++) {
        // The lowest bits of the lane's number are the lowest bits of the row of its u-th result.
        const jr_u32 own = (u * each + row) * jr_warp_lanes + lane;
        if (u < jr_whole_rows >> size && own < left)
            jr_segment_write<jr_streamed_store>(reducer, segments, out, (at + own) >> size, acc[u], segments.length);
    }
}

// Folds this warp's segments; `warp` of `warps`.
__device__ __forceinline__ void jr_whole_walk(const jr_reducer &reducer, const jr_cut &in, void *out,
                                              const jr_segment_cut &segments, jr_u64 warp, jr_u64 warps) {
    const jr_u32 size = (jr_u32)segments.length / jr_pack_elements / 2; // 1, 2, 4 packs: 0, 1, 2
#pragma unroll 1
    for (jr_u64 at = warp * jr_whole_packs; at < segments.count << size; at += warps * jr_whole_packs)
        jr_whole_fold(reducer, in, out, segments, at, size);
}

// in: the input, cut without an end. out: the results. tile: segments that a warp copies at a time.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_short(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_segment_cut segments,
                       const jr_u32 tile, const __grid_constant__ jr_call call) {
    jr_begin();
    constexpr jr_u32 warps = JR_BLOCK / jr_warp_lanes;
    typedef jr_group_terms<jr_operator> terms;
#if JR_SHARED_DYNAMIC
    extern __shared__ __align__(16) unsigned char jr_dynamic_shared[];
    typedef unsigned char room[jr_patch_room * sizeof(JR_X)];
    room *const rooms = (room *)jr_dynamic_shared;
#else
    __shared__ __align__(16) unsigned char rooms[warps][jr_patch_room * sizeof(JR_X)];
#endif
    const jr_reducer reducer{{{}, call}};
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, warp = threadIdx.x / jr_warp_lanes;
    const jr_u32 length = (jr_u32)segments.length;
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
            jr_accumulator acc = terms::with(reducer, patch.item(own * length, begin));
#pragma unroll 4
            for (jr_u32 k = 1; k < length; k++)
                terms::take(reducer, acc, patch.item(own * length + k, begin));
            terms::end(acc, length);
            jr_segment_write(reducer, segments, out, s + own, acc, length);
        }
    }
}
