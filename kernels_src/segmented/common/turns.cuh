// Whose turn a segment is: most are a warp's, a long one is all warps' of a block.
#pragma once

#include "fold/tree.cuh"
#include "segmented/common/segments.cuh"

// Gives all segments of a launch out. `together`, at most the warps of a block, are taken by a block at a time; one that is
// longer than `most` elements by all its warps. SEGMENTS: length(s). take(s, alone): called by all lanes of a warp that
// has segment s alone, or by all warps of the block.
template <class SEGMENTS, class TAKE>
__device__ __forceinline__ void jr_take_turns(const SEGMENTS &of, jr_u64 count, jr_u32 together, jr_u64 most,
                                              const TAKE &take) {
#pragma unroll 1
    for (jr_u64 group = (jr_u64)blockIdx.x * together; group < count; group += (jr_u64)gridDim.x * together) {
        const jr_u64 left = count - group;
        const jr_u32 here = left < together ? (jr_u32)left : together;
        jr_u32 longer = __ballot_sync(jr_full_mask, jr_lane() < here && of.length(group + jr_lane()) > most);
        const bool own = jr_warp() < here && !(longer >> jr_warp() & 1);
        // First each warp its own, then all of them the longer ones, one after the other.
#pragma unroll 1
        for (bool alone = true; alone || longer; alone = false) {
            const jr_u64 s = group + (alone ? jr_warp() : __ffs((int)longer) - 1);
            if (alone && !own) continue;
            if (!alone) longer &= longer - 1;
            take(s, alone);
        }
    }
}
