// Types: what elements of every type are in memory and in registers.
#pragma once

#include "core/begin.cuh"
#include "core/contract.cuh"

typedef unsigned char jr_u8;
typedef unsigned int jr_u32;
typedef unsigned long long jr_u64;

// Element types without a C type of their own: as they lie in memory; they are computed with as float or unsigned.
// They are made as C converts, f16 and bf16 rounding to nearest, ties to even.
struct jr_f16 {
    unsigned short bits;
    jr_f16() = default;
    __device__ explicit jr_f16(float value) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value)); }
    __device__ operator float() const {
        float value;
        asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
        return value;
    }
};
struct jr_bf16 {
    unsigned short bits;
    jr_bf16() = default;
    __device__ explicit jr_bf16(float value) {
#if __CUDA_ARCH__ >= 800
        asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
#else
        const jr_u32 whole = __float_as_uint(value);
        bits = value != value ? whole >> 16 | 64 : (whole + 0x7fff + (whole >> 16 & 1)) >> 16;
#endif
    }
    __device__ operator float() const { return __uint_as_float((jr_u32)bits << 16); }
};

// Floats of 8 bits, e4m3 and e5m2: as they lie in memory; they are computed with as float.
//
// Made by rounding to nearest, ties to even; what is too large becomes infinite, of e4m3, which has no infinities, NaN.
// By bits alone: the instructions (PTX ISA, "cvt", from sm_89 on) saturate. Source: OCP 8-bit Floating Point
// Specification (OFP8), revision 1.0.
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

#define JR_NARROW_FLOATS(XX) XX(jr_f16) XX(jr_bf16) XX(jr_e4m3) XX(jr_e5m2)

struct jr_bool {
    unsigned char bits;
    jr_bool() = default;
    template <class T> __device__ explicit jr_bool(const T &value) : bits(value != 0) {}
    __device__ operator unsigned() const { return bits != 0; }
};

#if JR_EXPRESSIONS
#include "declarations.cuh"
#endif
#include "abi.h"

static_assert(JR_INPUTS >= 1 && JR_INPUTS <= JR_ARRAYS_MAX, "contract: JR_INPUTS is out of range");
static_assert(JR_UNROLL >= 1, "contract: JR_UNROLL is out of range");
static_assert(JR_BLOCK >= 1 && JR_BLOCK % JR_WARP_LANES == 0, "contract: JR_BLOCK is not a multiple of a warp");
static_assert(JR_SHARED_DYNAMIC == 0 || JR_SHARED_DYNAMIC == 1, "contract: JR_SHARED_DYNAMIC must be 0 or 1");
static_assert(JR_INITIAL == 0 || JR_INITIAL == 1, "contract: JR_INITIAL must be 0 or 1");

constexpr jr_u32 jr_warp_lanes = JR_WARP_LANES;
constexpr jr_u32 jr_full_mask = 0xffffffffu;
constexpr jr_u32 jr_pack_elements = JR_PACK_ELEMENTS(sizeof(JR_X));

// The index of a pack's first element.
__device__ __forceinline__ jr_u64 jr_pack_index(const jr_cut &in, jr_u64 pack, jr_u64 first) {
    return first + in.head + pack * jr_pack_elements;
}

// The first tile of a block in a deal; of the next block it is this one's end.
__device__ __forceinline__ jr_u64 jr_deal_begin(const jr_deal &deal, jr_u64 block) {
    return block * deal.tiles + (block < deal.longer ? block : deal.longer);
}

// use(which of the others, its member, its type) of every input but the first.
#if JR_INPUTS == 1
#define JR_OTHERS(use)
#elif JR_INPUTS == 2
#define JR_OTHERS(use) use(0, y, JR_Y)
#elif JR_INPUTS == 3
#define JR_OTHERS(use) use(0, y, JR_Y) use(1, z, JR_Z)
#else
#define JR_OTHERS(use) use(0, y, JR_Y) use(1, z, JR_Z) use(2, w, JR_W)
#endif

// One element of every input, as it is computed with, and its index.
struct jr_item {
    JR_X_VALUE x;
#define JR_ITEM_MEMBER(other, member, type) type##_VALUE member;
    JR_OTHERS(JR_ITEM_MEMBER)
    jr_u64 i;
};
