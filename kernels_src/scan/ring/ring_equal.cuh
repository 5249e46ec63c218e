// Heads of segments of one length, in a ring.
#pragma once

struct jr_ring_bringer : jr_nothing_beside {
    __device__ __forceinline__ jr_ring_bringer(const jr_cut &, const jr_heads &, const jr_call &, jr_ring &) {}
};

constexpr jr_u32 jr_markers = 0;

// No warp marks heads.
__device__ __forceinline__ void jr_ring_mark(const jr_cut &, const jr_heads &, const jr_call &, const jr_queue &, jr_ring &,
                                             jr_u8 *, jr_u32) {}

// Finds the heads of a thread's share, in registers and in shared memory. at: the share's first pack. In front of the
// first element there may be a part of a pack: it counts as the end of a segment.
__device__ __forceinline__ void jr_ring_find_heads(const jr_cut &in, const jr_heads &given, const jr_call &call, jr_ring &,
                                                   const jr_ring_place &, const jr_ring_beside &beside, long long,
                                                   long long at, jr_u32 thread, jr_share_heads &heads) {
    const long long begin = (long long)(call.first + in.head) + at * jr_pack_elements;
    const jr_u64 length = given.length, place = begin < 0 ? (jr_u64)-begin : (jr_u64)begin;
    const jr_u64 inside = (place | length) >> 32 ? place % length : (jr_u32)place % (jr_u32)length;
    for (jr_u32 w = 0; w < jr_share_words; w++) beside.heads[w * jr_squad_threads + thread] = 0;
#pragma unroll 1
    for (jr_u64 head = begin < 0 || inside == 0 ? inside : length - inside; head < jr_share_elements; head += length)
        beside.heads[head / 32 * jr_squad_threads + thread] |= 1u << head % 32;
    heads.load(beside, thread);
}
