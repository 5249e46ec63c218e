// What a slot of the ring has besides a tile's packs, where segments are scanned: keys, which bulk copies bring;
// segment starts (heads), one bit per element; and folds. The first squad finds the heads and folds up to them; the
// second squad reads both.
#pragma once

#include "scan/ring/ring.cuh"

// The words of head bits for one thread's share of a tile, which are consecutive elements.
constexpr jr_u32 jr_share_words = (jr_share_elements + 31) / 32;
constexpr jr_u32 jr_ring_elements = jr_squad_threads * jr_share_elements;

// With offsets, warps that do not know shares set the bits, so a tile's bits are consecutive: a share's bits may begin
// in a word and end in the next one, but a pack's do not. Otherwise a share begins with a word, and the words of a
// thread are jr_squad_threads apart.
constexpr bool jr_heads_in_line = JR_HEADS == JR_HEADS_OFFSETS;
constexpr jr_u32 jr_head_words =
    jr_heads_in_line ? jr_ring_elements / 32 + (jr_share_elements % 32 > 0) : jr_squad_threads * jr_share_words;
static_assert(jr_head_words <= jr_squad_threads * jr_share_words, "ring: the heads take more than the host thinks");

// The addresses of all that. place: slot of the ring.
struct jr_ring_beside {
    jr_u8 *keys;
    jr_u32 *heads;
    jr_room<jr_ring_total> *folds; // per thread: of its warp's shares up to its own

    __device__ __forceinline__ explicit jr_ring_beside(jr_u8 *place) {
        keys = place + jr_ring_bytes;
        heads = (jr_u32 *)(keys + JR_RING_KEYS_BYTES(jr_squad_threads, jr_share_elements, jr_key_bytes));
        folds = (jr_room<jr_ring_total> *)(heads + jr_squad_threads * jr_share_words);
    }
    // The word with the bits of pack u of a thread's share, if bits are not consecutive; and those bits.
    __device__ __forceinline__ jr_u32 &word(jr_u32 thread, jr_u32 u) const {
        return heads[u * jr_pack_elements / 32 * jr_squad_threads + thread];
    }
    __device__ __forceinline__ jr_u32 of_pack(jr_u32 thread, jr_u32 u) const {
        const jr_u32 inside = thread * jr_share_elements + u * jr_pack_elements;
        return jr_heads_in_line ? heads[inside / 32] >> inside % 32 : word(thread, u) >> u * jr_pack_elements % 32;
    }
    // Word w of a thread's share; bits after the share are unspecified.
    __device__ __forceinline__ jr_u32 word_of_share(jr_u32 thread, jr_u32 w) const {
        if (!jr_heads_in_line) return heads[w * jr_squad_threads + thread];
        const jr_u32 inside = thread * jr_share_elements, at = inside / 32 + w;
        return jr_share_elements % 32 == 0 ? heads[at] : __funnelshift_r(heads[at], heads[at + 1], inside);
    }
};

// The heads of a thread's share, in registers.
struct jr_share_heads {
    jr_u32 words[jr_share_words];

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (jr_u32 w = 0; w < jr_share_words; w++) words[w] = 0;
    }
    // The heads of pack u. A pack has 1, 2, 4, 8 or 16 elements, so its bits are in one word.
    __device__ __forceinline__ jr_u32 of_pack(jr_u32 u) const {
        return words[u * jr_pack_elements / 32] >> u * jr_pack_elements % 32;
    }
    __device__ __forceinline__ void put_pack(jr_u32 u, jr_u32 mask) {
        words[u * jr_pack_elements / 32] |= mask << u * jr_pack_elements % 32;
    }
    __device__ __forceinline__ void load(const jr_ring_beside &beside, jr_u32 thread) {
#pragma unroll
        for (jr_u32 w = 0; w < jr_share_words; w++) words[w] = beside.word_of_share(thread, w);
    }
    __device__ __forceinline__ void store(const jr_ring_beside &beside, jr_u32 thread) const {
#pragma unroll
        for (jr_u32 w = 0; w < jr_share_words; w++) beside.heads[w * jr_squad_threads + thread] = words[w];
    }
};

#if JR_HEADS == JR_HEADS_KEYS
#include "scan/ring/ring_keys.cuh"
#elif JR_HEADS == JR_HEADS_OFFSETS
#include "scan/ring/ring_offsets.cuh"
#else // segments of one length
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
#endif
