// Patches: up to jr_patch_elements consecutive elements that a warp has brought into shared memory with 16-byte loads,
// to be read one by one by whichever lane needs them.
#pragma once

#include "segmented/common/segments.cuh"

// Items of several arrays and structs are not copied: lanes read them from global memory.
constexpr bool jr_patch_staged = JR_INPUTS == 1 && !JR_ALL_ENDS;
constexpr jr_u32 jr_patch_share = JR_PATCH_SHARE(sizeof(JR_X), jr_patch_staged); // elements a lane
constexpr jr_u32 jr_patch_elements = jr_patch_share * jr_warp_lanes;
// One word of padding after every 128 bytes: lanes that read 2, 4, 8 or 16 elements each have no bank conflicts.
constexpr jr_u32 jr_patch_row = 128 / (sizeof(JR_X) < 8 ? sizeof(JR_X) : 8);
constexpr jr_u32 jr_patch_pad = sizeof(JR_X) < 4 ? 4 / sizeof(JR_X) : 1;
constexpr jr_u32 jr_patch_room = jr_patch_staged ? jr_patch_elements + jr_patch_elements / jr_patch_row * jr_patch_pad : 1;

struct jr_patch {
    const jr_cut &in;
    JR_X *elements; // jr_patch_room of them in shared memory, the warp's own; not used where nothing is brought
    jr_u64 from;    // the first element

    static __device__ __forceinline__ jr_u32 place(jr_u32 p) { return p + p / jr_patch_row * jr_patch_pad; }

    // The p-th element's item; its segment begins at element `begin`.
    __device__ __forceinline__ jr_item item(jr_u32 p, jr_u64 begin) const {
#if JR_INPUTS == 1 && !JR_ALL_ENDS
        return {(JR_X_VALUE)elements[place(p)], from + p - begin};
#else
        return jr_segment_item(in, from + p, begin);
#endif
    }
    // Brings elements [from, to); every lane of the warp takes part, and may call item() when this returns.
    __device__ __forceinline__ void load(jr_u64 begin, jr_u64 to);
};

#if JR_INPUTS == 1 && !JR_ALL_ENDS
__device__ __forceinline__ void jr_patch::load(jr_u64 begin, jr_u64 to) {
    constexpr jr_u32 rounds = jr_patch_elements / (jr_pack_elements * jr_warp_lanes);
    static_assert(rounds > 0, "patch: a lane's share is less than a pack");
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    const jr_span span(in, begin, to);
    from = begin;
    __syncwarp();
    if (span.end > span.first) {
        jr_packs packs[rounds];
        // Loads past the end are led back to the last pack, so that all are asked for at once.
#pragma unroll
        for (jr_u32 r = 0; r < rounds; r++) {
            const jr_u64 at = span.first + lane + r * jr_warp_lanes;
            packs[r].load(in, at < span.end ? at : span.end - 1);
        }
#pragma unroll
        for (jr_u32 r = 0; r < rounds; r++) {
            const jr_u32 pack = lane + r * jr_warp_lanes;
            if (span.first + pack >= span.end) break;
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++)
                elements[place(span.heads + pack * jr_pack_elements + k)] = packs[r].x.elements[k];
        }
    }
    if (lane < span.heads + span.tails) {
        const jr_u64 e = span.end_element(lane);
        elements[place((jr_u32)(e - from))] = in.packs[(long long)(e - in.head)];
    }
    __syncwarp();
}
#else
__device__ __forceinline__ void jr_patch::load(jr_u64 begin, jr_u64) { from = begin; }
#endif
