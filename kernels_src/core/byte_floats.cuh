// Floats of 8 bits, e4m3 and e5m2: as they lie in memory; they are computed with as float.
//
// Made by rounding to nearest, ties to even; what is too large becomes infinite, of e4m3, which has no infinities, NaN.
// By bits alone: the instructions (PTX ISA, "cvt", from sm_89 on) saturate. Source: OCP 8-bit Floating Point
// Specification (OFP8), revision 1.0.
#pragma once

template <jr_u32 FRACTION> struct jr_fp8 {
    unsigned char bits;
    jr_fp8() = default;
    __device__ explicit jr_fp8(float value) {
        constexpr jr_u32 bias = (1u << (6 - FRACTION)) - 1, shift = 23 - FRACTION;
        constexpr jr_u32 infinity = FRACTION == 3 ? 0x7f : 0x7c, nan = FRACTION == 3 ? 0x7f : 0x7e;
        constexpr jr_u32 least = (128 - bias) << 23, step = (151 - bias - FRACTION) << 23; // steps of 2^(1-bias-FRACTION)
        const jr_u32 whole = __float_as_uint(value), size = whole & 0x7fffffff;
        const jr_u32 subnormal = __float_as_uint(__uint_as_float(size) + __uint_as_float(step)) - step;
        const jr_u32 normal = (size + (1u << (shift - 1)) - 1 + (size >> shift & 1)) >> shift;
        const jr_u32 rounded = size < least ? subnormal : normal - ((127 - bias) << FRACTION);
        bits = (size > 0x7f800000 ? nan : rounded < infinity ? rounded : infinity) | (whole >> 24 & 0x80);
    }
    __device__ operator float() const;
};
typedef jr_fp8<3> jr_e4m3;
typedef jr_fp8<2> jr_e5m2;

template <> __device__ __forceinline__ jr_e4m3::operator float() const {
    const jr_u32 size = bits & 0x7f;
    const float value = __uint_as_float(size << 20 | (bits & 0x80u) << 24) * __uint_as_float((127 + 120) << 23);
    return size == 0x7f ? __uint_as_float(0x7fffffff) : value;
}
// e5m2 is the upper half of an f16.
template <> __device__ __forceinline__ jr_e5m2::operator float() const {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"((unsigned short)(bits << 8)));
    return value;
}
