// Spreading: several values of each lane of a warp become one value, in their order, by few shuffles.
#pragma once

#include "fold/ordered.cuh"

// Selects word by word: a conditional expression on two structs would select an address, which puts both into local
// memory.
__device__ __forceinline__ jr_accumulator jr_select(bool first, const jr_accumulator &a, const jr_accumulator &b) {
    jr_accumulator_bits from[2], chosen;
    from[0].value = a;
    from[1].value = b;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) chosen.words[w] = first ? from[0].words[w] : from[1].words[w];
    return chosen.value;
}

// Combines N values per lane, each already folded over DISTANCE lanes, over twice as many lanes, which leaves N / 2
// values: of two neighbouring lane groups the lower keeps the even values, the upper the odd ones.
template <jr_u32 N, jr_u32 DISTANCE = 1> struct jr_spread {
    static __device__ __forceinline__ void fold(const jr_reducer &reducer, jr_accumulator (&value)[N]) {
        const bool upper = threadIdx.x & DISTANCE;
        jr_accumulator half[N / 2];
#pragma unroll
        for (jr_u32 u = 0; u < N / 2; u++) {
            const jr_accumulator even = value[2 * u], odd = value[2 * u + 1];
            const jr_accumulator got = jr_shuffle_across(jr_select(upper, even, odd), DISTANCE);
            half[u] = reducer.combine(jr_select(upper, got, even), jr_select(upper, odd, got));
        }
        jr_spread<N / 2, 2 * DISTANCE>::fold(reducer, half);
        value[0] = half[0];
    }
};
template <jr_u32 DISTANCE> struct jr_spread<1, DISTANCE> {
    static __device__ __forceinline__ void fold(const jr_reducer &, jr_accumulator (&)[1]) {}
};

// Folds a warp's share: value u of lane l has position u * 32 + l; lane 0 has the result. N: a power of two. The order
// is the balanced tree over the positions: neighbouring lanes first, then neighbouring values. It takes N + 4 shuffles;
// value by value would take 5 * N.
template <jr_u32 N>
__device__ __forceinline__ jr_accumulator jr_combine_share(const jr_reducer &reducer, jr_accumulator (&value)[N]) {
    jr_spread<N>::fold(reducer, value);
    // Lane l has the sum of value l % N over its group of N lanes: over the groups, then over values.
    jr_accumulator sum = value[0];
#pragma unroll 1
    for (jr_u32 distance = N; distance < jr_warp_lanes; distance *= 2)
        sum = reducer.combine(sum, jr_shuffle_down(sum, distance));
#pragma unroll 1
    for (jr_u32 distance = 1; distance < N; distance *= 2)
        sum = reducer.combine(sum, jr_shuffle_down(sum, distance));
    return sum;
}
