// The logarithm of a sum as two numbers, for expressions: what is subtracted from x first is the greatest term, so that
// the difference has no greater error where both are large.
#pragma once

// high: the greatest term; low: the logarithm of the sum of exp(term - high), NaN where high is no finite number.
template <class A> struct jr_log_sum {
    A high, low;
    __device__ __forceinline__ operator A() const { return low == low ? high + low : high; }
    template <class T> friend __device__ __forceinline__ auto operator-(T x, const jr_log_sum &r) -> decltype(x - r.high) {
        return x - r.high - r.low;
    }
};

// What `exp` is where results have 2 bytes: of floats the device's own function, whose error, 2^-17 of the result, is far
// below theirs.
template <class T> __device__ __forceinline__ auto jr_short_exp(T x) -> decltype(exp(x)) { return exp(x); }
__device__ __forceinline__ float jr_short_exp(float x) {
    float made;
    asm("ex2.approx.f32 %0, %1;" : "=f"(made) : "f"(x * 1.44269504f));
    return made;
}
