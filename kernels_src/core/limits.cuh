// Limits of all types; minima and maxima of those that are computed with.
#pragma once

#include "core/types.cuh"

// Of integers.
template <class T> struct jr_limits {
    static __device__ T lowest() { return T(-1) < T(0) ? (T)(1ull << (8 * sizeof(T) - 1)) : T(0); }
    static __device__ T highest() { return T(-1) < T(0) ? (T)(~0ull >> (65 - 8 * sizeof(T))) : (T)~0ull; }
};
template <> struct jr_limits<jr_bool> {
    static __device__ jr_u32 lowest() { return 0; }
    static __device__ jr_u32 highest() { return 1; }
};
template <> struct jr_limits<float> {
    static __device__ float lowest() { return __int_as_float(0xff800000); }
    static __device__ float highest() { return __int_as_float(0x7f800000); }
    static __device__ float nan() { return __int_as_float(0x7fffffff); }
};
template <> struct jr_limits<double> {
    static __device__ double lowest() { return __longlong_as_double(0xfff0000000000000ll); }
    static __device__ double highest() { return __longlong_as_double(0x7ff0000000000000ll); }
    static __device__ double nan() { return __longlong_as_double(0x7fffffffffffffffll); }
};

template <> struct jr_limits<jr_f16> : jr_limits<float> {};
template <> struct jr_limits<jr_bf16> : jr_limits<float> {};
template <> struct jr_limits<jr_e5m2> : jr_limits<float> {};
template <> struct jr_limits<jr_e4m3> { // it has no infinities
    static __device__ float lowest() { return -448; }
    static __device__ float highest() { return 448; }
};

template <class T> __device__ __forceinline__ T jr_minimum(T a, T b) { return b < a ? b : a; }
template <class T> __device__ __forceinline__ T jr_maximum(T a, T b) { return a < b ? b : a; }

// f32 in one instruction from sm_80 on; f64 has no such instruction: min.f64 drops a NaN, so NaNs are chosen first.
#if __CUDA_ARCH__ >= 800
#define JR_EXTREMUM_F32(name, instruction)                                                                             \
    __device__ __forceinline__ float name(float a, float b) {                                                          \
        float r;                                                                                                       \
        asm(instruction " %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));                                                    \
        return r;                                                                                                      \
    }
JR_EXTREMUM_F32(jr_minimum, "min.NaN.f32")
JR_EXTREMUM_F32(jr_maximum, "max.NaN.f32")
#else
__device__ __forceinline__ float jr_minimum(float a, float b) { return a != a ? a : b != b ? b : fminf(a, b); }
__device__ __forceinline__ float jr_maximum(float a, float b) { return a != a ? a : b != b ? b : fmaxf(a, b); }
#endif
__device__ __forceinline__ double jr_minimum(double a, double b) { return a != a ? a : b != b ? b : fmin(a, b); }
__device__ __forceinline__ double jr_maximum(double a, double b) { return a != a ? a : b != b ? b : fmax(a, b); }

// In what a minimum (SIGN 0) or maximum (SIGN 1) of A is found: integers where A has no instruction for it.
template <class A, int SIGN> struct jr_rank {
    typedef A type;
    static __device__ A of(A x) { return x; }
    static __device__ A value(A rank) { return rank; }
};
// f64: its bits as an integer are in the order of the values once those of negative numbers are turned; a shift of all
// by the number of NaNs of one sign brings these to the end where the others are. 4 instructions an element and
// comparisons of integers, against 10 or more for one comparison of f64 that keeps NaNs and the sign of zeros.
template <int SIGN> struct jr_rank<double, SIGN> {
    typedef long long type;
    static __device__ jr_u64 shift() { return SIGN ? ~0x000fffffffffffffull + 1 : 0x000fffffffffffffull; }
    static __device__ long long turn(long long bits) { return bits ^ (long long)((jr_u64)(bits >> 63) >> 1); }
    static __device__ long long of(double x) { return (long long)((jr_u64)turn(__double_as_longlong(x)) + shift()); }
    static __device__ double value(long long rank) { return __longlong_as_double(turn((long long)((jr_u64)rank - shift()))); }
};
