// Functions of doubles as C has them, for expressions: of integers, and of several types of numbers, they are those of
// double; max and min are of the type that C gives their sum. CUDA has forms for equal types alone, or for float and
// double, between which neither is nearer. Which functions there are: src/expression/functions.h.
#pragma once

#include "operators/kinds.cuh"

template <bool HOLDS> struct jr_when {};
template <> struct jr_when<true> {
    static constexpr int holds = 1;
};

// Is there one that is no number of CUDA's form, which all have the same type of floats?
__device__ constexpr bool jr_is_mixed(int a, int b, int c) {
    return a > 0 && b > 0 && c > 0 && !(a > 1 && a == b && b == c);
}

#define JR_OF_ONE(name)                                                                                                \
    template <class A, int = jr_when<jr_number_kind<A>::is == 1>::holds>                                               \
    __device__ __forceinline__ auto name(A a)->decltype(::name(0.0)) {                                                 \
        return ::name((double)a);                                                                                      \
    }
#define JR_OF_TWO(name)                                                                                                \
    template <class A, class B,                                                                                        \
              int = jr_when<jr_is_mixed(jr_number_kind<A>::is, jr_number_kind<B>::is, jr_number_kind<B>::is)>::holds>  \
    __device__ __forceinline__ double name(A a, B b) {                                                                 \
        return ::name((double)a, (double)b);                                                                           \
    }
#define JR_OF_THREE(name)                                                                                              \
    template <class A, class B, class C,                                                                               \
              int = jr_when<jr_is_mixed(jr_number_kind<A>::is, jr_number_kind<B>::is, jr_number_kind<C>::is)>::holds>  \
    __device__ __forceinline__ double name(A a, B b, C c) {                                                            \
        return ::name((double)a, (double)b, (double)c);                                                                \
    }
#define JR_OF_POWER(name, B)                                                                                           \
    template <class A, int = jr_when<jr_number_kind<A>::is == 1>::holds>                                               \
    __device__ __forceinline__ double name(A a, B power) {                                                             \
        return ::name((double)a, power);                                                                               \
    }
#define JR_OF_SUM(name)                                                                                                \
    template <class A, class B,                                                                                        \
              int = jr_when<jr_is_mixed(jr_number_kind<A>::is, jr_number_kind<B>::is, jr_number_kind<B>::is)>::holds>  \
    __device__ __forceinline__ auto name(A a, B b)->decltype(a + b) {                                                  \
        return ::name((decltype(a + b))a, (decltype(a + b))b);                                                         \
    }

JR_OF_ONE(acos)
JR_OF_ONE(acosh)
JR_OF_ONE(asin)
JR_OF_ONE(asinh)
JR_OF_ONE(atan)
JR_OF_ONE(atanh)
JR_OF_ONE(cbrt)
JR_OF_ONE(ceil)
JR_OF_ONE(cos)
JR_OF_ONE(cosh)
JR_OF_ONE(cospi)
JR_OF_ONE(cyl_bessel_i0)
JR_OF_ONE(cyl_bessel_i1)
JR_OF_ONE(erf)
JR_OF_ONE(erfc)
JR_OF_ONE(erfcinv)
JR_OF_ONE(erfcx)
JR_OF_ONE(erfinv)
JR_OF_ONE(exp)
JR_OF_ONE(exp10)
JR_OF_ONE(exp2)
JR_OF_ONE(expm1)
JR_OF_ONE(fabs)
JR_OF_ONE(floor)
JR_OF_ONE(ilogb)
JR_OF_ONE(isfinite)
JR_OF_ONE(isinf)
JR_OF_ONE(isnan)
JR_OF_ONE(j0)
JR_OF_ONE(j1)
JR_OF_ONE(lgamma)
JR_OF_ONE(llrint)
JR_OF_ONE(llround)
JR_OF_ONE(log)
JR_OF_ONE(log10)
JR_OF_ONE(log1p)
JR_OF_ONE(log2)
JR_OF_ONE(logb)
JR_OF_ONE(lrint)
JR_OF_ONE(lround)
JR_OF_ONE(nearbyint)
JR_OF_ONE(normcdf)
JR_OF_ONE(normcdfinv)
JR_OF_ONE(rcbrt)
JR_OF_ONE(rint)
JR_OF_ONE(round)
JR_OF_ONE(rsqrt)
JR_OF_ONE(signbit)
JR_OF_ONE(sin)
JR_OF_ONE(sinh)
JR_OF_ONE(sinpi)
JR_OF_ONE(sqrt)
JR_OF_ONE(tan)
JR_OF_ONE(tanh)
JR_OF_ONE(tgamma)
JR_OF_ONE(trunc)
JR_OF_ONE(y0)
JR_OF_ONE(y1)
JR_OF_TWO(atan2)
JR_OF_TWO(copysign)
JR_OF_TWO(fdim)
JR_OF_TWO(fmax)
JR_OF_TWO(fmin)
JR_OF_TWO(fmod)
JR_OF_TWO(hypot)
JR_OF_TWO(nextafter)
JR_OF_TWO(pow)
JR_OF_TWO(remainder)
JR_OF_TWO(rhypot)
JR_OF_THREE(fma)
JR_OF_THREE(norm3d)
JR_OF_THREE(rnorm3d)
JR_OF_POWER(ldexp, int)
JR_OF_POWER(scalbln, long)
JR_OF_POWER(scalbn, int)
JR_OF_SUM(max)
JR_OF_SUM(min)
