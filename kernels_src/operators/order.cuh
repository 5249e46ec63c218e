// Operators of order: minima and maxima.
//
// min and max propagate NaN and order -0 below +0 (IEEE 754-2019 minimum, maximum); identities are the ends of the
// elements' range, infinities where they have them, so that the minimum of infinities is infinite. Sources: semantics of
// NumPy; PTX ISA, "min", "max".
#pragma once

#include "core/limits.cuh"

// SIGN: 0 for minima, 1 for maxima.
template <class T, class A, class R, int SIGN> struct jr_extremum {
    typedef jr_rank<A, SIGN> rank;
    typedef typename rank::type accumulator;
    static __device__ __forceinline__ accumulator identity() {
        return rank::of((A)(SIGN ? jr_limits<T>::lowest() : jr_limits<T>::highest()));
    }
    static __device__ __forceinline__ accumulator lift(A x, jr_u64) { return rank::of(x); }
    static __device__ __forceinline__ accumulator combine(accumulator a, accumulator b) {
        return SIGN ? jr_maximum(a, b) : jr_minimum(a, b);
    }
    static __device__ __forceinline__ R finish(accumulator total, jr_u64, double) {
        return jr_to<R>::of(rank::value(total));
    }
};
// minimumNumber and maximumNumber: a NaN is skipped; of NaN alone the result is NaN, so that is the identity.
template <class T, class A, class R, int SIGN> struct jr_extremum_number : jr_plain<A, R> {
    static __device__ __forceinline__ A identity() { return jr_limits<A>::nan(); }
    static __device__ __forceinline__ A lift(A x, jr_u64) { return x; }
    static __device__ __forceinline__ A combine(A a, A b) {
        return a != a ? b : b != b ? a : SIGN ? jr_maximum(a, b) : jr_minimum(a, b);
    }
};
template <class T, class A, class R> using jr_min = jr_extremum<T, A, R, 0>;
template <class T, class A, class R> using jr_max = jr_extremum<T, A, R, 1>;
template <class T, class A, class R> using jr_min_number = jr_extremum_number<T, A, R, 0>;
template <class T, class A, class R> using jr_max_number = jr_extremum_number<T, A, R, 1>;
