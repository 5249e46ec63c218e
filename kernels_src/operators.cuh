// Operators: identity and combine of every built-in operator; one struct an operator, chosen by JR_OPERATOR.
//
// min and max propagate NaN and order -0 below +0 (IEEE 754-2019 minimum, maximum); identities are infinities, so that
// the minimum of infinities is infinite. Sources: semantics of NumPy; PTX ISA, "min", "max".
#pragma once

#include "types.cuh"

template <class T> struct jr_limits;
template <> struct jr_limits<int> {
    static __device__ int lowest() { return -2147483647 - 1; }
    static __device__ int highest() { return 2147483647; }
};
template <> struct jr_limits<unsigned> {
    static __device__ unsigned lowest() { return 0u; }
    static __device__ unsigned highest() { return 0xffffffffu; }
};
template <> struct jr_limits<long long> {
    static __device__ long long lowest() { return -9223372036854775807ll - 1; }
    static __device__ long long highest() { return 9223372036854775807ll; }
};
template <> struct jr_limits<unsigned long long> {
    static __device__ unsigned long long lowest() { return 0ull; }
    static __device__ unsigned long long highest() { return 0xffffffffffffffffull; }
};
template <> struct jr_limits<float> {
    static __device__ float lowest() { return __int_as_float(0xff800000); }
    static __device__ float highest() { return __int_as_float(0x7f800000); }
};
template <> struct jr_limits<double> {
    static __device__ double lowest() { return __longlong_as_double(0xfff0000000000000ll); }
    static __device__ double highest() { return __longlong_as_double(0x7ff0000000000000ll); }
};

template <class T> __device__ __forceinline__ T jr_minimum(T a, T b) { return b < a ? b : a; }
template <class T> __device__ __forceinline__ T jr_maximum(T a, T b) { return a < b ? b : a; }

// f32 in one instruction from sm_80 on; f64 has no such instruction: min.f64 drops a NaN, so NaNs are chosen first.
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ float jr_minimum(float a, float b) {
    float r;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}
__device__ __forceinline__ float jr_maximum(float a, float b) {
    float r;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
    return r;
}
#else
__device__ __forceinline__ float jr_minimum(float a, float b) { return a != a ? a : b != b ? b : fminf(a, b); }
__device__ __forceinline__ float jr_maximum(float a, float b) { return a != a ? a : b != b ? b : fmaxf(a, b); }
#endif
__device__ __forceinline__ double jr_minimum(double a, double b) { return a != a ? a : b != b ? b : fmin(a, b); }
__device__ __forceinline__ double jr_maximum(double a, double b) { return a != a ? a : b != b ? b : fmax(a, b); }

struct jr_sum {
    static __device__ jr_accumulator identity() { return 0; }
    static __device__ jr_accumulator combine(jr_accumulator a, jr_accumulator b) { return a + b; }
};
struct jr_prod {
    static __device__ jr_accumulator identity() { return 1; }
    static __device__ jr_accumulator combine(jr_accumulator a, jr_accumulator b) { return a * b; }
};
struct jr_min {
    static __device__ jr_accumulator identity() { return jr_limits<jr_accumulator>::highest(); }
    static __device__ jr_accumulator combine(jr_accumulator a, jr_accumulator b) { return jr_minimum(a, b); }
};
struct jr_max {
    static __device__ jr_accumulator identity() { return jr_limits<jr_accumulator>::lowest(); }
    static __device__ jr_accumulator combine(jr_accumulator a, jr_accumulator b) { return jr_maximum(a, b); }
};
// The bitwise operators exist for integers only; as templates they are not looked at for other types.
template <class T> struct jr_and_of {
    static __device__ T identity() { return ~T(0); }
    static __device__ T combine(T a, T b) { return a & b; }
};
template <class T> struct jr_or_of {
    static __device__ T identity() { return 0; }
    static __device__ T combine(T a, T b) { return a | b; }
};
template <class T> struct jr_xor_of {
    static __device__ T identity() { return 0; }
    static __device__ T combine(T a, T b) { return a ^ b; }
};
typedef jr_and_of<jr_accumulator> jr_and;
typedef jr_or_of<jr_accumulator> jr_or;
typedef jr_xor_of<jr_accumulator> jr_xor;

typedef JR_OPERATOR jr_operator;

// The value that one element contributes.
__device__ __forceinline__ jr_accumulator jr_lift(jr_element element) { return (jr_accumulator)element; }

// The result of the whole reduction: `initial` is folded in first, once.
__device__ __forceinline__ jr_result jr_finish(jr_accumulator total, jr_result initial) {
    return JR_INITIAL ? (jr_result)jr_operator::combine((jr_accumulator)initial, total) : (jr_result)total;
}
