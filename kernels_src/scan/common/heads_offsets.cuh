// Segment starts by offsets: a segment starts at each element that an offset points to. Shared memory has one bit per
// element of a tile.
#pragma once

constexpr jr_u32 jr_tile_elements = jr_tile_packs * jr_pack_elements;

// The number of offsets that are below a place, `from` at least and `to` at most: a warp asks for 32 at a time. All lanes
// take part.
__device__ __forceinline__ jr_u64 jr_offsets_below(const jr_heads &given, jr_u64 place, jr_u64 from, jr_u64 to) {
#pragma unroll 1
    while (from < to) {
        const jr_u64 step = (to - from + jr_warp_lanes - 1) / jr_warp_lanes, mine = from + jr_lane() * step;
        const bool below = mine < to && given.offsets[mine] < place;
        const jr_u32 count = __popc(__ballot_sync(jr_full_mask, below));
        if (count == 0) break;
        to = from + count * step < to ? from + count * step : to;
        from += (count - 1) * step + 1;
    }
    return from;
}

struct jr_head_finder {
    const jr_heads &given;

    __device__ __forceinline__ void find(const jr_cut &in, const jr_call &call, jr_u64 tile, long long at,
                                         jr_pack_heads (&heads)[JR_UNROLL]) const {
        __shared__ jr_u32 bits[jr_tile_elements / 32];
        __shared__ jr_u64 first;
        const long long begin =
            (long long)(call.first + in.head + (tile * jr_tile_packs - (in.head > 0)) * jr_pack_elements);
        for (jr_u32 i = threadIdx.x; i < jr_tile_elements / 32; i += JR_BLOCK) bits[i] = 0;
        if (jr_warp() == 0) {
            const jr_u64 below = jr_offsets_below(given, begin > 0 ? (jr_u64)begin : 0, 0, given.count + 1);
            if (jr_lane() == 0) first = below;
        }
        __syncthreads();
#pragma unroll 1
        for (jr_u64 s = first + threadIdx.x; s <= given.count; s += JR_BLOCK) {
            const jr_u64 place = given.offsets[s], ahead = place - (jr_u64)begin;
            if (place >= (jr_u64)(begin + jr_tile_elements)) break;
            atomicOr(&bits[ahead / 32], 1u << ahead % 32);
        }
        __syncthreads();
        const jr_u32 inside = (jr_u32)(at - (long long)(tile * jr_tile_packs) + (in.head > 0));
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 ahead = (inside + u * jr_warp_lanes) * jr_pack_elements;
            heads[u].mask = bits[ahead / 32] >> ahead % 32 & (2u << (jr_pack_elements - 1)) - 1;
        }
#if JR_PLACED
        place(begin, first > 0 ? given.offsets[first - 1] : 0, inside, heads);
#endif
        __syncthreads(); // all have read what the next tile's heads will lie upon
    }

    // Where the segments begin that packs begin in: the last head before each, in this tile or outside, before it.
    __device__ __forceinline__ static void place(long long begin, jr_u64 outside, jr_u32 inside,
                                                 jr_pack_heads (&heads)[JR_UNROLL]) {
        __shared__ int lasts[jr_block_warps];
        int last = -1; // of this warp's packs before the row, ahead of the tile's begin
        int before[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 ahead = (inside + u * jr_warp_lanes) * jr_pack_elements, mask = heads[u].mask;
            const int own = mask ? (int)ahead + 31 - __clz(mask) : -1;
            const jr_u32 lanes = __ballot_sync(jr_full_mask, mask != 0), below = lanes & (1u << jr_lane()) - 1;
            const int lower = __shfl_sync(jr_full_mask, own, below ? 31 - __clz(below) : 0);
            before[u] = below ? lower : last;
            const int highest = __shfl_sync(jr_full_mask, own, lanes ? 31 - __clz(lanes) : 0);
            last = lanes ? highest : last;
        }
        if (jr_lane() == 0) lasts[jr_warp()] = last;
        __syncthreads();
        int lower = -1;
#pragma unroll 1
        for (jr_u32 w = 0; w < jr_warp(); w++) lower = lasts[w] >= 0 ? lasts[w] : lower;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const int nearest = before[u] >= 0 ? before[u] : lower;
            heads[u].begin = nearest >= 0 ? (jr_u64)(begin + nearest) : outside;
        }
    }
};
