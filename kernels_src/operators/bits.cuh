// Operators on bits, and on what is not 0.
#pragma once

#include "core/types.cuh"

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
