// How results as wide as elements leave a ring: they take the elements' places, and bulk copies bring them to the output.
#pragma once

#include "scan/ring/ring.cuh"
#include "scan/common/tile_results.cuh"

// Are results as wide as elements?
constexpr bool jr_ring_replaces = JR_INPUTS == 1 && jr_result_pack_bytes == sizeof(jr_pack<JR_X>);

// A thread's packs of a tile, which follow each other: the number of the first one, and where it lies.
struct jr_ring_share_of {
    long long at;
    jr_u8 *staged;

    __device__ __forceinline__ jr_u8 *pack(jr_u32 u) const { return staged + u * (jr_u32)sizeof(jr_pack<JR_X>); }
};

// The place whose results a warp's last copy brings out: it is free when that one has read it.
struct jr_ring_held {
    jr_u32 at;
    bool any;
};

__device__ __forceinline__ void jr_ring_give_back(jr_ring &ring, jr_ring_held &held) {
    if (held.any && jr_lane() == 0) {
        jr_bulk_wait_read<0>();
        jr_bulk_arrive(ring.empty + held.at);
    }
    held.any = false;
}

// Has a warp's part of a tile, which lies in its place as results, copied to the output.
__device__ __forceinline__ void jr_ring_bring_out(jr_ring &ring, const jr_ring_place &place, jr_ring_held &held,
                                                  jr_u8 *to, const jr_u8 *staged) {
    jr_bulk_fence();
    __syncwarp();
    if (jr_lane() == 0) {
        jr_bulk_store(to, staged, jr_warp_packs * (jr_u32)sizeof(jr_pack<JR_X>));
        jr_bulk_wait_read<1>();
        if (held.any) jr_bulk_arrive(ring.empty + held.at);
    }
    held = {place.at, true};
}

// Stores a warp's part of a tile, results in its place, wherever they go, as far as there are such elements. at: the
// number of the part's first pack.
__device__ __forceinline__ void jr_ring_store(const jr_output &out, long long at, const jr_u8 *staged) {
    typedef typename jr_unit<alignof(jr_result)>::type unit;
    constexpr jr_u32 units = sizeof(jr_result) / sizeof(unit), elements = jr_warp_packs * jr_pack_elements;
    const long long begin = at * jr_pack_elements, left = (long long)(out.count - out.head) - begin;
    const jr_u32 from = at < 0 ? jr_pack_elements - out.head : 0;
    const jr_u32 to = left < 0 ? 0 : left > elements ? elements : (jr_u32)left;
    unit *const results = (unit *)out.packs + begin * units;
#pragma unroll 1
    for (jr_u32 e = from * units + jr_lane(); e < to * units; e += jr_warp_lanes) results[e] = ((const unit *)staged)[e];
}
