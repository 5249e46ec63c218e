// Loading: each thread folds its share of an array of any element alignment with 16-byte loads in JR_UNROLL chains.
//
// The host cuts the array in three (src/plan/cut.c): a head of single elements up to the first 16-byte boundary, whole
// packs (the fewest elements that fill 16-byte vectors), and a tail of single elements. A tile is JR_BLOCK * JR_UNROLL
// consecutive packs; tiles are dealt to blocks in turn, so that the JR_UNROLL loads of a thread are independent of each
// other and each is coalesced over its warp.
#pragma once

#include "fold/chain.cuh"

// Folds the head and the tail: into the first threads of one block, or, of an array that has no 16-byte boundary
// between two elements and therefore is all ends, into all.
__device__ __forceinline__ jr_accumulator jr_fold_ends(jr_accumulator acc, const jr_reducer &reducer,
                                                       const jr_cut &in, jr_u32 block, jr_u32 blocks) {
#if JR_ALL_ENDS
    for (jr_u64 i = (jr_u64)block * JR_BLOCK + threadIdx.x; i < in.ends; i += (jr_u64)blocks * JR_BLOCK) {
        const long long at = jr_end_at(in, i);
        acc = reducer.combine(acc, jr_lift_at(reducer, in, at, reducer.call.first));
    }
    return acc;
#else
    if (block > 0 || threadIdx.x >= in.ends) return acc;
    const long long at = jr_end_at(in, threadIdx.x);
    return reducer.combine(acc, jr_lift_at(reducer, in, at, reducer.call.first));
#endif
}

// Folds the packs from `at` up to `end` that GROUP threads share: `at` is this thread's first pack, `step` the distance
// from a tile of GROUP * JR_UNROLL packs to the threads' next tile. first: index of the head's first element.
template <jr_u32 GROUP>
__device__ __forceinline__ jr_accumulator jr_fold_packs(const jr_reducer &reducer, const jr_cut &in, jr_u64 at,
                                                        jr_u64 end, jr_u64 step, jr_u64 first) {
    constexpr jr_u32 tile = GROUP * JR_UNROLL;
    jr_chains<jr_operator> chains;
    chains.start(reducer);
    // One loop for whole tiles and the last one, as a second copy would take as long to compile again: loads past the
    // end are led back to the last pack, and what they bring is not combined.
#pragma unroll 1
    for (; at < end; at += step) {
        const jr_u64 left = end - at;
        const jr_u32 last = left < tile ? (jr_u32)left - 1 : tile;
#if JR_OPERATORS_INDEX || JR_EXPRESSIONS
        const jr_u64 index = jr_pack_index(in, at, first);
#else
        constexpr jr_u64 index = 0; // nobody asks for it
#endif
        jr_packs packs[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u].load(in, at + (u * GROUP < last ? u * GROUP : last));
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            chains.fold(u, reducer, packs[u], index + u * GROUP * jr_pack_elements, u * GROUP <= last);
    }
    return chains.end(reducer);
}

// Folds this thread's share of the input when `blocks` blocks of JR_BLOCK threads share it and this is `block`.
__device__ __forceinline__ jr_accumulator jr_fold_share(const jr_reducer &reducer, const jr_cut &in, jr_u32 block,
                                                        jr_u32 blocks) {
    constexpr jr_u32 tile = JR_BLOCK * JR_UNROLL;
    // Chains of -0 take two moves each where +0 takes one instruction, and the compiler makes them twice: for the loop,
    // and for who goes around it. So who has no packs goes around the chains, too. Counted in machine code for sm_90 by
    // NVRTC 13.0: with fewer than 4 chains nothing is won, and with more than 8 they are made once.
    constexpr bool goes_around = JR_ADDS_FLOATS && JR_UNROLL >= 4 && JR_UNROLL <= 8;
    const jr_u64 at = (jr_u64)block * tile + threadIdx.x;
    jr_accumulator packs = reducer.identity();
    if (!goes_around || at < in.pack_count)
        packs = jr_fold_packs<JR_BLOCK>(reducer, in, at, in.pack_count, (jr_u64)blocks * tile, reducer.call.first);
    return jr_fold_ends(packs, reducer, in, block, blocks);
}
