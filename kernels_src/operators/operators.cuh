// Operators: one struct each, chosen by JR_OPERATOR: what is accumulated, its identity, how an element is lifted into
// it, how two are combined, and how the result comes out of the last one.
//
// T: what elements are computed with, or, where an end of their range is the identity, as what they lie in memory; A: in
// what they accumulate; R: the result in memory.
// Source: semantics of NumPy.
#pragma once

#include "core/compound.cuh"
#include "core/convert.cuh"

// What most operators are: accumulate in A, give it out as R. NOTHING: the identity is -0, and of nothing comes +0.
template <class A, class R, bool NOTHING = false> struct jr_plain {
    typedef A accumulator;
    static __device__ __forceinline__ R finish(A total, jr_u64 count, double) {
        return jr_to<R>::of(NOTHING && count == 0 ? A(0) : total);
    }
};
template <class A, bool NOTHING> struct jr_plain<A, A, NOTHING> {
    typedef A accumulator;
    static __device__ __forceinline__ A finish(A total, jr_u64 count, double) {
        return NOTHING && count == 0 ? A(0) : total;
    }
};

// Lifts an element by its conversion to A; a float to an integer only where that was asked for.
template <class T, class A, bool CONVERTS = (T(1) / 2 != 0 && A(1) / 2 == 0)> struct jr_lifted {
    static __device__ __forceinline__ A lift(T x, jr_u64) { return (A)x; }
};
template <class T, class A> struct jr_lifted<T, A, true> {
    static __device__ __forceinline__ A lift(T x, jr_u64) { return jr_to<A>::of(x); }
};

// The sum of -0 and -0 is -0: that is what adding changes nothing.
template <class T, class A, class R> struct jr_sum : jr_plain<A, R, (A(1) / 2 != 0)>, jr_lifted<T, A> {
    static __device__ __forceinline__ A identity() { return -A(0); }
    static __device__ __forceinline__ A combine(A a, A b) { return a + b; }
};
template <class T, class A, class R> struct jr_prod : jr_plain<A, R>, jr_lifted<T, A> {
    static __device__ __forceinline__ A identity() { return 1; }
    static __device__ __forceinline__ A combine(A a, A b) { return a * b; }
};

#if JR_OPERATORS_BITS
// Operators on bits, and on what is not 0.
template <class T, class A, class R> struct jr_and : jr_plain<A, R> {
    static __device__ __forceinline__ A identity() { return (A)T(~A(0)); }
    static __device__ __forceinline__ A lift(A x, jr_u64) { return x; }
    static __device__ __forceinline__ A combine(A a, A b) { return a & b; }
};
template <class T, class A, class R> struct jr_or : jr_plain<A, R> {
    static __device__ __forceinline__ A identity() { return 0; }
    static __device__ __forceinline__ A lift(A x, jr_u64) { return x; }
    static __device__ __forceinline__ A combine(A a, A b) { return a | b; }
};
template <class T, class A, class R> struct jr_xor : jr_or<T, A, R> {
    static __device__ __forceinline__ A combine(A a, A b) { return a ^ b; }
};
template <class T, class A, class R> struct jr_any : jr_or<T, A, R> {
    static __device__ __forceinline__ A lift(T x, jr_u64) { return x != 0; }
};
template <class T, class A, class R> struct jr_all : jr_and<T, A, R> {
    static __device__ __forceinline__ A identity() { return 1; }
    static __device__ __forceinline__ A lift(T x, jr_u64) { return x != 0; }
};
template <class T, class A, class R> struct jr_count_nonzero : jr_sum<T, A, R> {
    static __device__ __forceinline__ A lift(T x, jr_u64) { return x != 0; }
};
#endif
#if JR_OPERATORS_ORDER
#include "operators/order.cuh"
#endif
#if JR_OPERATORS_INDEX
#include "operators/index.cuh"
#endif
#if JR_OPERATORS_EXACT
#include "operators/exact_var.cuh"
#endif
// True if the accumulators of a list with exact sums are so large that they are kept in memory. It decides compile time
// (measured on the simulator): six operators over i8, 68 bytes, take 1 s by value and 7 in memory; seven over f64, 3612
// bytes, take 1.3 s in memory and 23 by value.
#define JR_LIST_IN_MEMORY (JR_OPERATORS_EXACT && JR_ACCUMULATOR_BYTES > 160)
#if JR_OPERATORS_STATISTICS
#include "operators/statistics.cuh"
#endif
