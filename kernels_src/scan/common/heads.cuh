// Heads: the elements with which segments begin.
#pragma once

#include "scan/common/tiles.cuh"

// What is known of a pack's heads. Elements are numbered through all parts of a scan.
struct jr_pack_heads {
    jr_u32 mask;  // bit k: element k is one
    jr_u64 begin; // where the pack's first element's segment begins, if JR_PLACED; not of keys
};

#if JR_HEADS == JR_HEADS_EQUAL
// ---- segments of one length ----

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

#elif JR_HEADS == JR_HEADS_OFFSETS
// ---- by offsets: a segment starts at each element that an offset points to. Shared memory has one bit per element
// of a tile ----

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

#else
// ---- by keys: a segment starts at each element whose key differs from the one before it ----

struct jr_head_finder {
    const jr_heads &given;

    __device__ __forceinline__ static bool differ(const JR_KEY &a, const JR_KEY &b) {
        return !((JR_KEY_VALUE)a == (JR_KEY_VALUE)b);
    }

    // Is it the first element of all? In front of a part's first one lies the key of the part before.
    __device__ __forceinline__ static bool is_first(const jr_cut &in, const jr_call &call, long long begin) {
        return begin + in.head == 0 && call.first == 0;
    }

    __device__ __forceinline__ void find(const jr_cut &in, const jr_call &call, jr_u64, long long at,
                                         jr_pack_heads (&heads)[JR_UNROLL]) const {
        const JR_KEY *const keys = (const JR_KEY *)given.keys + in.head; // the key of packs[0]
        const bool aligned = (jr_u64)keys % 16 == 0;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const long long mine = at + u * jr_warp_lanes;
            heads[u].mask =
                jr_is_whole(in, mine) ? of_whole(in, keys, call, mine, aligned) : of_part(in, keys, call, mine);
        }
    }

    __device__ __forceinline__ static jr_u32 of_whole(const jr_cut &in, const JR_KEY *keys, const jr_call &call,
                                                      long long at, bool aligned) {
        jr_pack<JR_KEY> pack;
        jr_load_other(pack, keys, at, aligned);
        const long long begin = at * jr_pack_elements;
        jr_u32 mask = is_first(in, call, begin) || differ(keys[begin - 1], pack.elements[0]);
#pragma unroll
        for (jr_u32 k = 1; k < jr_pack_elements; k++)
            mask |= (jr_u32)differ(pack.elements[k - 1], pack.elements[k]) << k;
        return mask;
    }

    __device__ __forceinline__ static jr_u32 of_part(const jr_cut &in, const JR_KEY *keys, const jr_call &call,
                                                     long long at) {
        const jr_part part(in, call.count, at);
        jr_u32 mask = 0;
#pragma unroll 1
        for (jr_u32 k = part.from; k < part.to; k++) {
            const long long mine = part.begin + k;
            mask |= (jr_u32)(is_first(in, call, mine) || differ(keys[mine - 1], keys[mine])) << k;
        }
        return mask;
    }
};

#endif

// What a lane gets of a state in another one, word by word; every lane takes part.
#define JR_SHUFFLE_OF(state, name, instruction)                                                                        \
    __device__ __forceinline__ state name(const state &value, jr_u32 lane) {                                           \
        constexpr jr_u32 unrolled = jr_unrolled_words<state>;                                                          \
        jr_bits<state> bits;                                                                                           \
        bits.value = value;                                                                                            \
        _Pragma("unroll(unrolled)") for (jr_u32 w = 0; w < jr_bits<state>::count; w++)                                 \
            bits.words[w] = instruction(jr_full_mask, bits.words[w], lane);                                            \
        return bits.value;                                                                                             \
    }
#define JR_SHUFFLE_STATE(state)                                                                                        \
    JR_SHUFFLE_OF(state, jr_shuffle_down, __shfl_down_sync)                                                            \
    JR_SHUFFLE_OF(state, jr_shuffle_up, __shfl_up_sync)                                                                \
    JR_SHUFFLE_OF(state, jr_broadcast, __shfl_sync)
