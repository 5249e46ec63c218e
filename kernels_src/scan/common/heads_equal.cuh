// Heads of segments of one length.
#pragma once

struct jr_head_finder {
    const jr_heads &given;

    // A place that is not beyond the tile's segment by more than a tile, as one within a segment.
    __device__ __forceinline__ jr_u64 within(jr_u64 place) const {
        if (given.length <= 0x7fffffff) return (jr_u32)place % (jr_u32)given.length; // place < 2^31 and a tile
        return place < given.length ? place : place - given.length;
    }

    __device__ __forceinline__ void find(const jr_cut &in, const jr_call &call, jr_u64 tile, long long at,
                                         jr_pack_heads (&heads)[JR_UNROLL]) const {
        // In front of the first element there may be a part of a pack: it counts as the end of a segment.
        const long long begin =
            (long long)(call.first + in.head + (tile * jr_tile_packs - (in.head > 0)) * jr_pack_elements);
        const jr_u64 base = begin >= 0 ? (jr_u64)begin % given.length
                                       : (given.length - (jr_u64)-begin % given.length) % given.length;
        const jr_u32 inside = (jr_u32)(at - (long long)(tile * jr_tile_packs) + (in.head > 0));
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 ahead = (inside + u * jr_warp_lanes) * jr_pack_elements;
            jr_u64 place = within(base + ahead);
            heads[u].begin = (jr_u64)(begin + ahead) - place;
            heads[u].mask = 0;
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++) {
                heads[u].mask |= (place == 0) << k;
                place = place + 1 == given.length ? 0 : place + 1;
            }
        }
    }
};
