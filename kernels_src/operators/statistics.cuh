// Operators of statistics and norms, and several operators at once.
#pragma once

#include "operators/exact_mean.cuh"
#include "operators/order.cuh"

// mean: the exact sum of integers, or the sum of floats in A, divided once.
template <class T, class A, class R> struct jr_mean : jr_lifted<T, A> {
    typedef A accumulator;
    static __device__ A identity() { return -A(0); }
    static __device__ A combine(A a, A b) { return a + b; }
    static __device__ R finish(A total, jr_u64 count, double) {
        if constexpr (A(1) / 2 == 0)
            return jr_exact_mean<R>({(jr_u64)total, total < 0 ? ~0ull : 0ull}, count);
        else
            return jr_to<R>::of((double)total / (double)count);
    }
};
template <class T, class R> struct jr_mean<T, jr_wide, R> {
    typedef jr_wide accumulator;
    static __device__ jr_wide identity() { return {0, 0}; }
    static __device__ jr_wide lift(T x, jr_u64) { return {(jr_u64)x, x < 0 ? ~0ull : 0ull}; }
    static __device__ jr_wide combine(const jr_wide &a, const jr_wide &b) {
        const jr_u64 low = a.low + b.low;
        return {low, a.high + b.high + (low < a.low)};
    }
    static __device__ R finish(const jr_wide &total, jr_u64 count, double) { return jr_exact_mean<R>(total, count); }
};

// Count, mean and sum of squared deviations of a part of the data.
struct jr_moments {
    double count, mean, m2;
};
// var: parts are merged without cancellation. Source: T. Chan, G. Golub, R. LeVeque, "Updating Formulae and a Pairwise
// Algorithm for Computing Sample Variances" (1979), formula 2.1.
template <class T, class A, class R> struct jr_var {
    typedef jr_moments accumulator;
    static __device__ jr_moments identity() { return {0, 0, 0}; }
    static __device__ jr_moments lift(T x, jr_u64) { return {1, (double)x, 0}; }
    static __device__ jr_moments combine(const jr_moments &a, const jr_moments &b) {
        const double count = a.count + b.count, delta = b.mean - a.mean;
        // A part without elements changes nothing, also where the other's mean is infinite.
        if (b.count == 0) return a;
        if (a.count == 0) return b;
        const double share = b.count / count;
        return {count, a.mean + delta * share, a.m2 + b.m2 + delta * delta * (a.count * share)};
    }
    static __device__ double variance(const jr_moments &total, double ddof) {
        // Of one infinite or NaN element no step above took a difference.
        const double m2 = total.m2 + (total.mean - total.mean);
        return total.count == 0 ? jr_limits<double>::nan() : m2 / fmax(total.count - ddof, 0.0);
    }
    static __device__ R finish(const jr_moments &total, jr_u64, double ddof) {
        return jr_to<R>::of(variance(total, ddof));
    }
};
template <class T, class A, class R> struct jr_std : jr_var<T, A, R> {
    static __device__ R finish(const jr_moments &total, jr_u64, double ddof) {
        return jr_to<R>::of(sqrt(jr_var<T, A, R>::variance(total, ddof)));
    }
};

// |x| in A, which may be unsigned where x is not; +0 of a zero of either sign.
template <class A, class T> __device__ __forceinline__ A jr_size(T x) { return x < 0 ? A(0) - (A)x : (A)x; }
template <class A> __device__ __forceinline__ A jr_size(float x) { return jr_to<A>::of(fabsf(x)); }
template <class A> __device__ __forceinline__ A jr_size(double x) { return jr_to<A>::of(fabs(x)); }

// Sums of what is never -0.
template <class A, class R> struct jr_sum_of_sizes : jr_plain<A, R> {
    static __device__ __forceinline__ A identity() { return 0; }
    static __device__ __forceinline__ A combine(A a, A b) { return a + b; }
};
template <class T, class A, class R> struct jr_norm1 : jr_sum_of_sizes<A, R> {
    static __device__ A lift(T x, jr_u64) { return jr_size<A>(x); }
};
template <class T, class A, class R> struct jr_sumsq : jr_sum_of_sizes<A, R> {
    static __device__ A lift(T x, jr_u64) { return jr_to<A>::of(x) * jr_to<A>::of(x); }
};
// |x| of 64 bits in a double that will be rounded once more, to R: rounded to odd, which leaves all to that rounding.
// Source: S. Boldo and G. Melquiond, "Emulation of a FMA and Correctly Rounded Sums: Proved Algorithms Using Rounding to
// Odd" (2008).
__device__ __forceinline__ double jr_size_to_odd(jr_u64 size) {
    const double below = __ull2double_rz(size);
    return (jr_u64)below == size ? below : __longlong_as_double(__double_as_longlong(below) | 1);
}
template <class A, class R, class T> __device__ __forceinline__ A jr_greatest_size(T x) {
    constexpr bool wide = sizeof(T) == 8 && (T)0.5 == 0, twice = sizeof(A) == 8 && (A)0.5 != 0 && sizeof(R) < 8;
    if constexpr (wide && twice)
        return jr_size_to_odd(x < 0 ? 0 - (jr_u64)x : (jr_u64)x);
    else
        return jr_size<A>(x);
}
template <class T, class A, class R> struct jr_norminf : jr_max<T, A, R> {
    typedef jr_rank<A, 1> rank;
    static __device__ typename rank::type identity() { return rank::of(0); }
    static __device__ typename rank::type lift(T x, jr_u64) { return rank::of(jr_greatest_size<A, R>(x)); }
};
// norm2: the squares of all types but f64 are far from the ends of a double's range.
template <class T, class A, class R> struct jr_norm2 : jr_sumsq<T, A, R> {
    static __device__ R finish(A total, jr_u64, double) { return jr_to<R>::of(sqrt(total)); }
};

// Sums of squares of the small, medium and big elements, each scaled so that no square leaves a double's range.
struct jr_blue {
    double small, medium, big;
};
// norm2 of f64. Source: J. Blue, "A Portable Fortran Program to Find the Euclidean Norm of a Vector" (1978), with the
// constants of E. Anderson, "Algorithm 978: Safe Scaling in the Level 1 BLAS" (2017).
template <class T, class R> struct jr_norm2<T, jr_blue, R> {
    typedef jr_blue accumulator;
    static __device__ double power(int exponent) { return __longlong_as_double((long long)(1023 + exponent) << 52); }
    static __device__ jr_blue identity() { return {0, 0, 0}; }
    static __device__ jr_blue lift(T x, jr_u64) {
        const double size = fabs((double)x), low = size * power(537), high = size * power(-538);
        if (size > power(486)) return {0, 0, high * high};
        if (size < power(-511)) return {low * low, 0, 0};
        return {0, size * size, 0};
    }
    static __device__ jr_blue combine(const jr_blue &a, const jr_blue &b) {
        return {a.small + b.small, a.medium + b.medium, a.big + b.big};
    }
    static __device__ R finish(const jr_blue &total, jr_u64, double) {
        return jr_to<R>::of(root(total));
    }
    static __device__ double root(const jr_blue &total) {
        if (total.medium != total.medium) return total.medium;
        // The lesser of two neighbours is added in the greater's scale; next to `big`, `small` is below rounding.
        if (total.big > 0) return sqrt(total.big + (total.medium * power(-538)) * power(-538)) * power(538);
        if (total.medium > 0 && total.small > 0) {
            const double medium = sqrt(total.medium), small = sqrt(total.small) * power(-537);
            const double less = fmin(medium, small), more = fmax(medium, small);
            return more * sqrt(1 + (less / more) * (less / more));
        }
        return total.small > 0 ? sqrt(total.small) * power(-537) : sqrt(total.medium);
    }
};

// The greatest element, and the sum of exp(x - greatest) over the others: next to the greatest term, which is 1, small
// terms would be lost.
template <class A> struct jr_scaled_sum {
    A greatest, others;
};
__device__ __forceinline__ float jr_exp(float x) { return expf(x); }
__device__ __forceinline__ double jr_exp(double x) { return exp(x); }
__device__ __forceinline__ float jr_log_of_1_and(float x) { return log1pf(x); }
__device__ __forceinline__ double jr_log_of_1_and(double x) { return log1p(x); }

template <class T, class A, class R> struct jr_logsumexp {
    typedef jr_scaled_sum<A> accumulator;
    static __device__ accumulator identity() { return {jr_limits<A>::lowest(), 0}; }
    static __device__ accumulator lift(T x, jr_u64) { return {(A)x, 0}; }
    static __device__ accumulator combine(const accumulator &a, const accumulator &b) {
        // One of the two has the greatest element: only the other's sum is scaled. Equal infinities differ by NaN.
        const bool swap = !(a.greatest >= b.greatest);
        const A more = swap ? b.greatest : a.greatest, less = swap ? a.greatest : b.greatest;
        const A scale = more == less ? A(1) : jr_exp(less - more);
        const A own = swap ? b.others : a.others, other = swap ? a.others : b.others;
        return {jr_maximum(a.greatest, b.greatest), own + (other * scale + scale)};
    }
    static __device__ R finish(const accumulator &total, jr_u64, double) {
        const bool infinite = total.greatest - total.greatest != 0;
        return jr_to<R>::of(infinite ? total.greatest : total.greatest + jr_log_of_1_and(total.others));
    }
};

// An operator that needs the count of elements, where not all elements are taken.
template <class O> struct jr_counted {
    struct JR_COMPOUND accumulator {
        jr_member<typename O::accumulator> of;
        jr_u64 count;
    };
    static __device__ accumulator identity() { return {O::identity(), 0}; }
    template <class T> static __device__ accumulator lift(T x, jr_u64 i) { return {O::lift(x, i), 1}; }
    static __device__ accumulator combine(accumulator a, accumulator b) {
        const jr_aligned<typename O::accumulator> one = a.of, other = b.of;
        return {O::combine(one, other), a.count + b.count};
    }
    static __device__ auto finish(const accumulator &total, jr_u64, double ddof) {
        const jr_aligned<typename O::accumulator> of = total.of;
        return O::finish(of, total.count, ddof);
    }
};

// An operator that does not get NaN, in a list with others that skip NaN themselves.
template <class O> struct jr_numbers : O {
    template <class T> static __device__ typename O::accumulator lift(T x, jr_u64 i) {
        return x != x ? O::identity() : O::lift(x, i);
    }
#if JR_LIST_IN_MEMORY
    template <class A, class T, class Q = O> static __device__ auto add(A &sum, const T &x) -> decltype(Q::add(sum, x)) {
        if (!(x != x)) Q::add(sum, x);
    }
#endif
};

// Two operators over one pass of the data; a list is nested: jr_both<sum, jr_both<min, max>>.
#if JR_LIST_IN_MEMORY
#include "operators/exact_list.cuh"
#else
template <class O, class P> struct jr_both {
    struct JR_COMPOUND accumulator {
        jr_member<typename O::accumulator> first;
        jr_member<typename P::accumulator> rest;
    };
    static __device__ accumulator identity() { return {O::identity(), P::identity()}; }
    template <class T> static __device__ accumulator lift(T x, jr_u64 i) { return {O::lift(x, i), P::lift(x, i)}; }
    static __device__ accumulator combine(accumulator a, accumulator b) {
        const jr_aligned<typename O::accumulator> first = a.first, other_first = b.first;
        const jr_aligned<typename P::accumulator> rest = a.rest, other_rest = b.rest;
        return {O::combine(first, other_first), P::combine(rest, other_rest)};
    }
};
#endif
