// Operators: one struct each, chosen by JR_OPERATOR: what is accumulated, its identity, how an element is lifted into
// it, how two are combined, and how the result comes out of the last one.
//
// T: what elements are computed with; A: in what they accumulate; R: the result in memory.
// Source: semantics of NumPy.
#pragma once

#include "core/types.cuh"

// What most operators are: accumulate in A, give it out as R.
template <class A, class R> struct jr_plain {
    typedef A accumulator;
    static __device__ __forceinline__ R finish(A total, jr_u64, double) { return (R)total; }
};

template <class T, class A, class R> struct jr_sum : jr_plain<A, R> {
    static __device__ __forceinline__ A identity() { return 0; }
    static __device__ __forceinline__ A lift(T x, jr_u64) { return (A)x; }
    static __device__ __forceinline__ A combine(A a, A b) { return a + b; }
};
template <class T, class A, class R> struct jr_prod : jr_plain<A, R> {
    static __device__ __forceinline__ A identity() { return 1; }
    static __device__ __forceinline__ A lift(T x, jr_u64) { return (A)x; }
    static __device__ __forceinline__ A combine(A a, A b) { return a * b; }
};

#if JR_OPERATORS_BITS
#include "operators/bits.cuh"
#endif
#if JR_OPERATORS_ORDER
#include "operators/order.cuh"
#endif
#if JR_OPERATORS_INDEX
#include "operators/index.cuh"
#endif
#if JR_OPERATORS_STATISTICS
#include "operators/statistics.cuh"
#endif
