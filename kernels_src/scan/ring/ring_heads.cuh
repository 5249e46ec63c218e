// What a place of a ring holds beside a tile's packs where segments are scanned: keys, which bulk copies bring, heads as
// bits, and folds. The first squad finds the heads and folds up to them; the second one reads both.
#pragma once

#include "scan/ring/ring.cuh"

// Of each thread's share of a tile, whose elements follow each other: a bit for each element.
constexpr jr_u32 jr_share_words = (jr_share_elements + 31) / 32;
constexpr jr_u32 jr_ring_elements = jr_squad_threads * jr_share_elements;

// By offsets they are set by warps that know no shares: a tile's stand one behind the other. A share's may begin in a word
// and end in the next one; no pack's do. Else a share's begin with a word, and word w of a thread lies jr_squad_threads
// behind the one before it.
constexpr bool jr_heads_in_line = JR_HEADS == JR_HEADS_OFFSETS;
constexpr jr_u32 jr_head_words =
    jr_heads_in_line ? jr_ring_elements / 32 + (jr_share_elements % 32 > 0) : jr_squad_threads * jr_share_words;
static_assert(jr_head_words <= jr_squad_threads * jr_share_words, "ring: the heads take more than the host thinks");

// Where all that lies. place: of the ring.
struct jr_ring_beside {
    jr_u8 *keys;
    jr_u32 *heads;
    jr_room<jr_ring_total> *folds; // of a thread: of its warp's shares up to its own

    __device__ __forceinline__ explicit jr_ring_beside(jr_u8 *place) {
        keys = place + jr_ring_bytes;
        heads = (jr_u32 *)(keys + JR_RING_KEYS_BYTES(jr_squad_threads, jr_share_elements, jr_key_bytes));
        folds = (jr_room<jr_ring_total> *)(heads + jr_squad_threads * jr_share_words);
    }
    // The word of pack u of a thread's share, not in line; and the heads of it.
    __device__ __forceinline__ jr_u32 &word(jr_u32 thread, jr_u32 u) const {
        return heads[u * jr_pack_elements / 32 * jr_squad_threads + thread];
    }
    __device__ __forceinline__ jr_u32 of_pack(jr_u32 thread, jr_u32 u) const {
        const jr_u32 inside = thread * jr_share_elements + u * jr_pack_elements;
        return jr_heads_in_line ? heads[inside / 32] >> inside % 32 : word(thread, u) >> u * jr_pack_elements % 32;
    }
    // Word w of a thread's share; what is beyond the share in it is not said.
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
    // Those of pack u. A pack has 1, 2, 4, 8 or 16 elements: none lies in two words.
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
#else
#include "scan/ring/ring_equal.cuh"
#endif
