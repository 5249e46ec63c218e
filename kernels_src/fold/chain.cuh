// Chains: what a thread keeps of the packs that it folds, JR_UNROLL of them side by side.
#pragma once

#include "fold/inputs.cuh"

// Folds the elements of one pack pairwise: the shortest dependency chain, and the smallest rounding error.
template <jr_u32 N> struct jr_pairwise {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u64 index) {
        return reducer.combine(jr_pairwise<N / 2>::fold(reducer, packs, at, index),
                               jr_pairwise<N / 2>::fold(reducer, packs, at + N / 2, index));
    }
};
template <> struct jr_pairwise<4> { // as the two above would do it; each function that is called costs compile time
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u64 index) {
        return reducer.combine(
            reducer.combine(jr_lift_item(reducer, packs, at, index), jr_lift_item(reducer, packs, at + 1, index)),
            reducer.combine(jr_lift_item(reducer, packs, at + 2, index), jr_lift_item(reducer, packs, at + 3, index)));
    }
};
template <> struct jr_pairwise<1> {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u64 index) {
        return jr_lift_item(reducer, packs, at, index);
    }
};

// A sum of f64 begins from -0 (operators/reducer.cuh), whose two halves differ, so that each chain's takes two moves,
// between a launch's wait for the ones before it and its first load. The sum of two zeros takes one instruction, and as
// each of these eight is rounded in another way, the compiler does not make one of them and moves again. Measured on an
// H200, sums of 2^20 f64, against a kernel whose sums begin from +0: 1.011 of its time, and 1.015 with the moves.
#define JR_MINUS_ZERO(u, how, zero)                                                                                    \
    if (u < JR_UNROLL) asm(how ".f64 %0, %1, %2;" : "=d"(chain[u]) : "d"(-0.0), "d"(zero));

// Chains that each fold a pack pairwise.
struct jr_plain_chains {
    jr_accumulator chain[JR_UNROLL];

    __device__ __forceinline__ void start(const jr_reducer &reducer) {
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u] = reducer.identity();
#if JR_ADDS_FLOATS && JR_ACCUMULATOR_BYTES == 8
        JR_MINUS_ZERO(0, "add.rn", -0.0) JR_MINUS_ZERO(1, "add.rz", -0.0)
        JR_MINUS_ZERO(2, "add.rm", -0.0) JR_MINUS_ZERO(3, "add.rp", -0.0)
        JR_MINUS_ZERO(4, "sub.rn", 0.0) JR_MINUS_ZERO(5, "sub.rz", 0.0)
        JR_MINUS_ZERO(6, "sub.rm", 0.0) JR_MINUS_ZERO(7, "sub.rp", 0.0)
#endif
    }
    // Folds a pack into chain u. index: of its first element, behind all that were folded before. taken: false to leave
    // it out.
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &reducer, const jr_packs &packs, jr_u64 index,
                                         bool taken) {
        const jr_accumulator next =
            reducer.combine(chain[u], jr_pairwise<jr_pack_elements>::fold(reducer, packs, 0, index));
        chain[u] = taken ? next : chain[u];
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &reducer) const {
        jr_accumulator total = chain[0];
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) total = reducer.combine(total, chain[u]);
        return total;
    }
};

#if JR_ADDS_IN_PLACE
#include "fold/chain_exact.cuh"
#else
// The chains of operator O.
template <class O> struct jr_chains : jr_plain_chains {};
#endif

#if JR_INPUTS == 1 && !JR_EXPRESSIONS // the items are the elements
#if JR_INTEGER_BYTES == 1 || JR_INTEGER_BYTES == 2
#include "fold/chain_narrow.cuh"
#endif
#if JR_INTEGER_BYTES == 4 && JR_ACCUMULATOR_BYTES == 8
#include "fold/chain_wide.cuh"
#endif
#if JR_OPERATORS_INDEX
#include "fold/chain_index.cuh"
#endif
#if JR_OPERATORS_ORDER && JR_ACCUMULATOR_BYTES == 8
#include "fold/chain_order.cuh"
#endif
#endif
