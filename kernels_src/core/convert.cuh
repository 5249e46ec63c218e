// Conversions: one rule for all of them, said at jr_value_of_number in include/jitreduce/types.h.
#pragma once

#include "core/types.cuh"

// A number as f32, rounded to odd: toward zero, with the last bit set where that lost something. Rounding it again, to a
// type with at least two bits less, gives what rounding the number once would have given.
// Source: S. Boldo, G. Melquiond, "Emulation of FMA and Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd"
// (2008).
__device__ __forceinline__ float jr_sticky(float toward_zero, bool lost) {
    return __uint_as_float(__float_as_uint(toward_zero) | (lost ? 1u : 0u));
}
__device__ __forceinline__ float jr_odd(float x) { return x; }
__device__ __forceinline__ float jr_odd(double x) {
    const float kept = __double2float_rz(x);
    return x != x ? kept : jr_sticky(kept, (double)kept != x);
}
template <class A> __device__ __forceinline__ float jr_odd(A x) { // integers
    const bool negative = x < A(0);
    const jr_u64 size = negative ? 0 - (jr_u64)x : (jr_u64)x;
    const float kept = jr_sticky(__ull2float_rz(size), (jr_u64)__ull2float_rz(size) != size);
    return negative ? -kept : kept;
}

// A float as an integer: toward zero, an end of the range beyond it, 0 of a NaN.
template <class R, class F> __device__ __forceinline__ R jr_saturated(F x) {
    constexpr bool is_signed = R(-1) < R(0);
    constexpr jr_u64 most = ~0ull >> (64 - 8 * sizeof(R) + is_signed), least = is_signed ? most + 1 : 0;
    if (x >= (F)most) return (R)most;
    if (x <= -(F)least) return (R)least;
    return x != x ? R(0) : (R)x;
}

// To R: a type of integers here.
template <class R, bool IS_CLASS = __is_class(R)> struct jr_to {
    template <class A> static __device__ __forceinline__ R of(const A &x) { return (R)x; }
    static __device__ __forceinline__ R of(float x) { return jr_saturated<R>(x); }
    static __device__ __forceinline__ R of(double x) { return jr_saturated<R>(x); }
#define JR_FROM_NARROW(type)                                                                                           \
    static __device__ __forceinline__ R of(type x) { return jr_saturated<R>((float)x); }
    JR_NARROW_FLOATS(JR_FROM_NARROW)
};
// To bool or a struct of the caller's, as C++ does.
template <class R> struct jr_to<R, true> {
    template <class A> static __device__ __forceinline__ R of(const A &x) { return (R)x; }
};
#define JR_TO_AS_C(type)                                                                                               \
    template <> struct jr_to<type> {                                                                                   \
        template <class A> static __device__ __forceinline__ type of(const A &x) { return (type)x; }                   \
    };
JR_TO_AS_C(float)
JR_TO_AS_C(double)
#define JR_TO_NARROW(type)                                                                                             \
    template <> struct jr_to<type> {                                                                                   \
        template <class A> static __device__ __forceinline__ type of(const A &x) { return type(jr_odd(x)); }           \
        static __device__ __forceinline__ type of(type x) { return x; }                                                \
    };
JR_NARROW_FLOATS(JR_TO_NARROW)
