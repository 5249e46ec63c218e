// Segment starts by keys, in a ring: the keys of a tile, and the key before them, are copied along with its packs.
#pragma once

#include "scan/common/results.cuh"

// The 16-byte vectors that hold a tile's keys and the one before them. first: the tile's first pack.
struct jr_key_span {
    const jr_u8 *from;
    jr_u32 bytes, shift; // of the vectors; from them to the first key
    bool begins;         // there is no key before the first one
    bool there;          // all vectors lie within the keys, so they are copied; else keys are read from global memory

    __device__ __forceinline__ jr_key_span(const jr_cut &in, const jr_heads &heads, const jr_call &call, long long first) {
        const long long place = first * jr_pack_elements + in.head; // of the first element in this launch's data
        const jr_u64 base = (jr_u64)heads.keys, key = base + place * jr_key_bytes;
        begins = jr_head_finder::is_first(in, call, first * jr_pack_elements);
        const jr_u64 begin = (begins ? key : key - jr_key_bytes) / 16 * 16;
        const jr_u64 end = (key + jr_ring_elements * jr_key_bytes + 15) / 16 * 16;
        from = (const jr_u8 *)begin;
        bytes = (jr_u32)(end - begin);
        shift = (jr_u32)(key - begin);
        there = first >= 0 && first + jr_ring_packs <= (long long)in.pack_count && begin >= base &&
                end <= base + call.count * jr_key_bytes;
    }
};

// Starts the copies of a tile's keys.
struct jr_ring_bringer {
    const jr_cut &in;
    const jr_heads &heads;
    const jr_call &call;
    jr_ring &ring;

    __device__ __forceinline__ void bring(jr_u32, jr_u32, long long first, jr_u8 *to, jr_u64 *full) const {
        bring(jr_key_span(in, heads, call, first), to, full);
    }
    __device__ __forceinline__ void bring(const jr_key_span &span, jr_u8 *to, jr_u64 *full) const {
        if (span.there)
            jr_bulk_copy(to, span.from, span.bytes, full);
        else
            jr_bulk_arrive(full);
    }
    __device__ __forceinline__ void end(jr_u32) const {}
};

// Loads the keys of a thread's share, by vectors where they are aligned.
__device__ __forceinline__ void jr_ring_load_keys(jr_u32 shift, const JR_KEY *mine,
                                                  JR_KEY (&keys)[jr_share_elements]) {
    typedef typename jr_unit<sizeof(keys) % 16 == 0 ? 16 : sizeof(keys) % 8 == 0 ? 8 : sizeof(JR_KEY)>::type unit;
    union {
        unit units[sizeof(keys) / sizeof(unit)];
        JR_KEY keys[jr_share_elements];
    } bits;
    if (shift % sizeof(unit) == 0) {
#pragma unroll
        for (jr_u32 v = 0; v < sizeof(keys) / sizeof(unit); v++) bits.units[v] = ((const unit *)mine)[v];
#pragma unroll
        for (jr_u32 k = 0; k < jr_share_elements; k++) keys[k] = bits.keys[k];
    } else {
#pragma unroll
        for (jr_u32 k = 0; k < jr_share_elements; k++) keys[k] = mine[k];
    }
}

// Finds the heads of a thread's share in the keys that were copied.
__device__ __forceinline__ void jr_ring_find_brought(const jr_key_span &span, const jr_u8 *keys, jr_u32 thread,
                                                     jr_share_heads &heads) {
    const JR_KEY *const mine = (const JR_KEY *)(keys + span.shift) + thread * jr_share_elements;
    const bool first = span.begins && thread == 0;
    JR_KEY own[jr_share_elements];
    jr_ring_load_keys(span.shift, mine, own);
    JR_KEY last = mine[first ? 0 : -1];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        jr_u32 mask = 0;
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) {
            mask |= (jr_u32)jr_head_finder::differ(last, own[u * jr_pack_elements + k]) << k;
            last = own[u * jr_pack_elements + k];
        }
        heads.put_pack(u, mask);
    }
    if (first) heads.words[0] |= 1;
}

// Finds the heads of a thread's share in keys in global memory, and stores them in shared memory only. at: the share's
// first pack.
__device__ __forceinline__ void jr_ring_find_there(const jr_cut &in, const jr_heads &given, const jr_call &call,
                                                   const jr_ring_beside &beside, long long at, jr_u32 thread) {
    const JR_KEY *const keys = (const JR_KEY *)given.keys + in.head; // the key of packs[0]
    for (jr_u32 w = 0; w < jr_share_words; w++) beside.heads[w * jr_squad_threads + thread] = 0;
    const bool aligned = (jr_u64)keys % 16 == 0;
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_u32 mask = jr_is_whole(in, at + u) ? jr_head_finder::of_whole(in, keys, call, at + u, aligned)
                                                    : jr_head_finder::of_part(in, keys, call, at + u);
        beside.word(thread, u) |= mask << u * jr_pack_elements % 32;
    }
}

// Finds the heads of a thread's share, in registers and in shared memory. first: the tile's first pack; at: the share's.
__device__ __forceinline__ void jr_ring_find_heads(const jr_cut &in, const jr_heads &given, const jr_call &call, jr_ring &,
                                                   const jr_ring_place &, const jr_ring_beside &beside, long long first,
                                                   long long at, jr_u32 thread, jr_share_heads &heads) {
    const jr_key_span span(in, given, call, first);
    heads.clear();
    if (span.there) {
        jr_ring_find_brought(span, beside.keys, thread, heads);
        heads.store(beside, thread);
    } else {
        jr_ring_find_there(in, given, call, beside, at, thread);
        heads.load(beside, thread);
    }
}

constexpr jr_u32 jr_markers = 0;

// No warp marks heads.
__device__ __forceinline__ void jr_ring_mark(const jr_cut &, const jr_heads &, const jr_call &, const jr_queue &, jr_ring &,
                                             jr_u8 *, jr_u32) {}
