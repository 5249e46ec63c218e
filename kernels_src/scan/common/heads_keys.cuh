// Segment starts by keys: a segment starts at each element whose key differs from the one before it.
#pragma once

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
