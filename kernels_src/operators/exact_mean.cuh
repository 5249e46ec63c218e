// The mean of integers: their exact sum divided by their count, rounded once.
#pragma once

#include "core/limits.cuh"
#include "core/convert.cuh"

// An integer of 128 bits; of sums signed, in two's complement.
struct jr_wide {
    jr_u64 low, high;
};

// The size of a quotient: bits * 2^-shift, and less than one unit of the bits more where it is not exact. It has 60 bits,
// or is an integer (shift 0).
struct jr_quotient {
    jr_u64 bits;
    jr_u32 shift;
    bool negative, exact;

    __device__ __forceinline__ jr_u64 sticky() const { return bits | (exact ? 0ull : 1ull); }
};

__device__ __forceinline__ jr_wide jr_shifted_left(jr_wide x, jr_u32 by) {
    if (by >= 64) return {0, x.low << (by - 64)};
    return {x.low << by, by == 0 ? x.high : x.high << by | x.low >> (64 - by)};
}

// Divides by an estimate from below: at most 2^-49 of the quotient is missing.
__device__ __forceinline__ double jr_divided_below(jr_wide x, double by) {
    return ((double)x.high * 18446744073709551616.0 + (double)x.low) / by * (1 - 8.8817841970012523e-16);
}

// Takes as often as an estimate says, and as often as it can be taken, n from x; returns how often.
__device__ __forceinline__ jr_u64 jr_take(jr_wide &x, jr_u64 n) {
    const jr_u64 times = (jr_u64)jr_divided_below(x, (double)n);
    const jr_wide taken = {times * n, __umul64hi(times, n)};
    x = {x.low - taken.low, x.high - taken.high - (x.low < taken.low)};
    return times;
}

// sum: less than 2^63 times n. n: 1 to 2^53.
__device__ __forceinline__ jr_quotient jr_divide(jr_wide sum, jr_u64 n) {
    const bool negative = (long long)sum.high < 0;
    jr_wide left = negative ? jr_wide{0 - sum.low, ~sum.high + (sum.low == 0)} : sum;
    const double about = jr_divided_below(left, (double)n);
    const int exponent = (int)((jr_u64)__double_as_longlong(about) >> 52) - 1023;
    const jr_u32 shift = about == 0 || exponent > 60 ? 0 : (jr_u32)(60 - exponent);
    left = jr_shifted_left(left, shift);
    jr_u64 bits = jr_take(left, n);
    bits += jr_take(left, n);
    // What the second estimate has left is below 2 n.
    if (left.high != 0 || left.low >= n) {
        bits++;
        left.low -= n;
    }
    return {bits, shift, negative, left.low == 0};
}

// The quotient as R: integers are cut off toward zero at the ends of their range, floats are rounded to nearest even.
template <class R> struct jr_quotient_to {
    static __device__ R of(const jr_quotient &q) {
        constexpr bool is_signed = R(-1) < R(0);
        constexpr jr_u64 most = ~0ull >> (64 - 8 * sizeof(R) + is_signed);
        const jr_u64 whole = q.shift < 64 ? q.bits >> q.shift : 0;
        if (!q.negative) return whole > most ? (R)most : (R)whole;
        return !is_signed ? R(0) : whole > most ? (R)(most + 1) : (R)(0 - whole);
    }
};
template <> struct jr_quotient_to<double> {
    static __device__ double of(const jr_quotient &q) {
        const double size = (double)q.sticky() * __longlong_as_double((long long)(1023 - q.shift) << 52);
        return q.negative ? -size : size;
    }
};
// The scaled bits are no subnormal f32.
__device__ __forceinline__ float jr_scaled(float bits, const jr_quotient &q) {
    const float size = bits * __uint_as_float((127 - q.shift) << 23);
    return q.negative ? -size : size;
}
template <> struct jr_quotient_to<float> {
    static __device__ float of(const jr_quotient &q) { return jr_scaled((float)q.sticky(), q); }
};
#define JR_QUOTIENT_TO_NARROW(type)                                                                                    \
    template <> struct jr_quotient_to<type> {                                                                          \
        static __device__ type of(const jr_quotient &q) { return type(jr_scaled(jr_odd(q.sticky()), q)); }             \
    };
JR_NARROW_FLOATS(JR_QUOTIENT_TO_NARROW)
template <> struct jr_quotient_to<jr_bool> {
    static __device__ jr_bool of(const jr_quotient &q) { return jr_bool(q.bits); }
};

template <class R> constexpr bool jr_is_double = false;
template <> constexpr bool jr_is_double<double> = true;

// A mean that one division of doubles rounds.
__device__ __forceinline__ bool jr_is_short(const jr_wide &sum) {
    return sum.low + (1ull << 53) <= 1ull << 54 && sum.high == (jr_u64)((long long)sum.low >> 63);
}

// Called, not inlined: a thread of a scan has up to 16 results, which would take seconds to compile.
template <class R> __device__ __noinline__ R jr_exact_mean(jr_wide sum, jr_u64 count) {
    if (count == 0) return jr_to<R>::of(jr_limits<double>::nan());
    if constexpr (jr_is_double<R>)
        if (jr_is_short(sum)) return (double)(long long)sum.low / (double)count;
    return jr_quotient_to<R>::of(jr_divide(sum, count));
}
