// Loading: each thread folds its share of an array of any element alignment with 16-byte loads in JR_UNROLL chains.
//
// The host cuts the array in three (src/reduce/cut.c): a head of single elements up to the first 16-byte boundary, whole
// vectors, and a tail of single elements. A tile is JR_BLOCK * JR_UNROLL consecutive vectors; tiles are dealt to blocks in
// turn, so that the JR_UNROLL loads of a thread are independent of each other and each is coalesced over its warp.
#pragma once

#include "operators.cuh"

// Loads a vector that is read only once, and read-only for the whole kernel: past L1 without taking a place in it. One
// overload a type, so that the elements come in registers of their own type: taking words apart costs compile time.
#define JR_LOAD_FOUR(letter, constraint)                                                                               \
    asm("ld.global.nc.L1::no_allocate.v4." letter " {%0, %1, %2, %3}, [%4];"                                           \
        : constraint(e[0]), constraint(e[1]), constraint(e[2]), constraint(e[3])                                       \
        : "l"(from))
#define JR_LOAD_TWO(letter, constraint)                                                                                \
    asm("ld.global.nc.L1::no_allocate.v2." letter " {%0, %1}, [%2];" : constraint(e[0]), constraint(e[1]) : "l"(from))
__device__ __forceinline__ void jr_load(float (&e)[4], const void *from) { JR_LOAD_FOUR("f32", "=f"); }
__device__ __forceinline__ void jr_load(int (&e)[4], const void *from) { JR_LOAD_FOUR("b32", "=r"); }
__device__ __forceinline__ void jr_load(unsigned (&e)[4], const void *from) { JR_LOAD_FOUR("b32", "=r"); }
__device__ __forceinline__ void jr_load(double (&e)[2], const void *from) { JR_LOAD_TWO("f64", "=d"); }
__device__ __forceinline__ void jr_load(long long (&e)[2], const void *from) { JR_LOAD_TWO("b64", "=l"); }
__device__ __forceinline__ void jr_load(unsigned long long (&e)[2], const void *from) { JR_LOAD_TWO("b64", "=l"); }

// Folds the elements of one vector pairwise: the shortest dependency chain, and the smallest rounding error.
__device__ __forceinline__ jr_accumulator jr_fold_elements(const jr_element (&e)[2]) {
    return jr_operator::combine(jr_lift(e[0]), jr_lift(e[1]));
}
__device__ __forceinline__ jr_accumulator jr_fold_elements(const jr_element (&e)[4]) {
    return jr_operator::combine(jr_operator::combine(jr_lift(e[0]), jr_lift(e[1])),
                                jr_operator::combine(jr_lift(e[2]), jr_lift(e[3])));
}

// An array as the host has cut it: `head` elements lie just before the vectors, `ends - head` just behind them.
struct jr_cut {
    const jr_vector *vectors; // aligned to 16 bytes
    jr_u64 vector_count;
    jr_u32 head, ends; // elements; ends: head and tail together, fewer than 32
};

// Folds the head and the tail into the first threads of one block.
__device__ __forceinline__ jr_accumulator jr_fold_ends(jr_accumulator acc, const jr_cut &cut) {
    if (threadIdx.x >= cut.ends) return acc;
    const jr_element *from = (const jr_element *)cut.vectors + threadIdx.x - cut.head;
    if (threadIdx.x >= cut.head) from += cut.vector_count * jr_vector_elements;
    return jr_operator::combine(acc, jr_lift(*from));
}

// Folds this thread's share of an array when `blocks` blocks of JR_BLOCK threads share it and this is `block`.
__device__ __forceinline__ jr_accumulator jr_fold_share(const jr_cut &cut, jr_u32 block, jr_u32 blocks) {
    constexpr jr_u32 tile = JR_BLOCK * JR_UNROLL;
    jr_accumulator chain[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u] = jr_operator::identity();
    // One loop for whole tiles and the last one, as a second copy would take as long to compile again: loads past the
    // end are led back to the last vector, and what they bring is not combined.
#pragma unroll 1
    for (jr_u64 at = (jr_u64)block * tile + threadIdx.x; at < cut.vector_count; at += (jr_u64)blocks * tile) {
        const jr_u64 left = cut.vector_count - at;
        const jr_u32 last = left < tile ? (jr_u32)left - 1 : tile;
        const jr_vector *from = cut.vectors + at;
        jr_vector v[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            jr_load(v[u].elements, from + (u * JR_BLOCK < last ? u * JR_BLOCK : last));
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_accumulator next = jr_operator::combine(chain[u], jr_fold_elements(v[u].elements));
            chain[u] = u * JR_BLOCK <= last ? next : chain[u];
        }
    }
#pragma unroll
    for (jr_u32 u = 1; u < JR_UNROLL; u++) chain[0] = jr_operator::combine(chain[0], chain[u]);
    return block == 0 ? jr_fold_ends(chain[0], cut) : chain[0];
}
