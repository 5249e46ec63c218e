// Deals segments to warps: a warp takes a segment alone; all warps of a block take a long one together.
#pragma once

#include "fold/tree.cuh"
#include "segmented/common/segments.cuh"

// Deals all segments of a launch. A block takes `together` segments at a time, at most as many as it has warps; all its
// warps take a segment that is longer than `most` elements. SEGMENTS: length(s). take(s, alone): called by all lanes of
// a warp that takes segment s alone, or by all warps of the block.
template <class SEGMENTS, class TAKE>
__device__ __forceinline__ void jr_take_turns(const SEGMENTS &of, jr_u64 count, jr_u32 together, jr_u64 most,
                                              const TAKE &take) {
#pragma unroll 1
    for (jr_u64 group = (jr_u64)blockIdx.x * together; group < count; group += (jr_u64)gridDim.x * together) {
        const jr_u64 left = count - group;
        const jr_u32 here = left < together ? (jr_u32)left : together;
        jr_u32 longer = __ballot_sync(jr_full_mask, jr_lane() < here && of.length(group + jr_lane()) > most);
        const bool own = jr_warp() < here && !(longer >> jr_warp() & 1);
        // First each warp takes its own segment; then all warps take the longer ones, one after the other.
#pragma unroll 1
        for (bool alone = true; alone || longer; alone = false) {
            const jr_u64 s = group + (alone ? jr_warp() : __ffs((int)longer) - 1);
            if (alone && !own) continue;
            if (!alone) longer &= longer - 1;
            take(s, alone);
        }
    }
}
