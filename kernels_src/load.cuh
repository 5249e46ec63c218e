// Loading: each thread folds its share of an array of any element alignment with 16-byte loads in JR_UNROLL chains.
//
// The array is cut in three: a head of single elements up to the first 16-byte boundary, whole vectors, and a tail of
// single elements. A tile is JR_BLOCK * JR_UNROLL consecutive vectors; tiles are dealt to blocks in turn, so that the
// JR_UNROLL loads of a thread are independent of each other and each is coalesced over its warp.
#pragma once

#include "operators.cuh"

// Read-only for the whole kernel, and read once: past L1 without taking a place in it.
__device__ __forceinline__ jr_vector jr_load_vector(const jr_vector *from) {
    jr_vector v;
    asm("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
        : "=r"(v.words[0]), "=r"(v.words[1]), "=r"(v.words[2]), "=r"(v.words[3])
        : "l"(from));
    return v;
}

// Folds the elements of one vector pairwise: the shortest dependency chain, and the smallest rounding error.
__device__ __forceinline__ jr_accumulator jr_fold_vector(const jr_vector &v) {
    jr_accumulator part[jr_vector_elements];
#pragma unroll
    for (jr_u32 i = 0; i < jr_vector_elements; i++) part[i] = jr_lift(v.elements[i]);
#pragma unroll
    for (jr_u32 half = jr_vector_elements / 2; half > 0; half /= 2)
#pragma unroll
        for (jr_u32 i = 0; i < half; i++) part[i] = jr_operator::combine(part[2 * i], part[2 * i + 1]);
    return part[0];
}

// Where the three parts of an array lie.
struct jr_cut {
    const jr_vector *vectors;
    jr_u64 vector_count;
    jr_u32 head, tail; // elements, each fewer than jr_vector_elements (head: or the whole array)
};

__device__ __forceinline__ jr_cut jr_cut_array(const jr_element *in, jr_u64 count) {
    jr_cut cut;
    jr_u32 past = (jr_u32)((jr_u64)in % 16u);
    jr_u64 head = past ? (16u - past) / sizeof(jr_element) : 0u;
    cut.head = (jr_u32)(head < count ? head : count);
    cut.vectors = (const jr_vector *)(in + cut.head);
    cut.vector_count = (count - cut.head) / jr_vector_elements;
    cut.tail = (jr_u32)((count - cut.head) % jr_vector_elements);
    return cut;
}

// Folds the head and the tail into the first threads of one block.
__device__ __forceinline__ jr_accumulator jr_fold_ends(jr_accumulator acc, const jr_element *in, jr_u64 count,
                                                       const jr_cut &cut) {
    if (threadIdx.x < cut.head) acc = jr_operator::combine(acc, jr_lift(in[threadIdx.x]));
    if (threadIdx.x < cut.tail) acc = jr_operator::combine(acc, jr_lift(in[count - cut.tail + threadIdx.x]));
    return acc;
}

// Folds this thread's share of in[0 .. count) when `blocks` blocks of JR_BLOCK threads share it and this is `block`.
__device__ __forceinline__ jr_accumulator jr_fold_share(const jr_element *in, jr_u64 count, jr_u32 block,
                                                        jr_u32 blocks) {
    const jr_cut cut = jr_cut_array(in, count);
    constexpr jr_u32 tile = JR_BLOCK * JR_UNROLL;
    const jr_u64 step = (jr_u64)blocks * tile;
    jr_accumulator chain[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u] = jr_operator::identity();
    jr_u64 at = (jr_u64)block * tile + threadIdx.x;
#pragma unroll 1
    for (; at + (JR_UNROLL - 1) * JR_BLOCK < cut.vector_count; at += step) {
        jr_vector v[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) v[u] = jr_load_vector(cut.vectors + at + u * JR_BLOCK);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u] = jr_operator::combine(chain[u], jr_fold_vector(v[u]));
    }
#pragma unroll
    for (jr_u32 u = 0; u + 1 < JR_UNROLL; u++)
        if (at + u * JR_BLOCK < cut.vector_count)
            chain[u] = jr_operator::combine(chain[u], jr_fold_vector(jr_load_vector(cut.vectors + at + u * JR_BLOCK)));
#pragma unroll
    for (jr_u32 u = 1; u < JR_UNROLL; u++) chain[0] = jr_operator::combine(chain[0], chain[u]);
    return block == 0 ? jr_fold_ends(chain[0], in, count, cut) : chain[0];
}
