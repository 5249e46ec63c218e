// Types: what elements of every type are in memory and in registers, and the arguments that all kernels share.
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
        const jr_u32 whole = __float_as_uint(value);
        bits = value != value ? whole >> 16 | 64 : (whole + 0x7fff + (whole >> 16 & 1)) >> 16;
    }
    __device__ operator float() const { return __uint_as_float((jr_u32)bits << 16); }
};
struct jr_bool {
    unsigned char bits;
    jr_bool() = default;
    template <class T> __device__ explicit jr_bool(const T &value) : bits(value != 0) {}
    __device__ operator unsigned() const { return bits != 0; }
};

#if JR_EXPRESSIONS
#include "declarations.cuh"
#endif

constexpr jr_u32 jr_warp_lanes = 32;
constexpr jr_u32 jr_full_mask = 0xffffffffu;

// What a call gives all its kernels besides the data; the host's struct jr_call (src/reduce/call.h) has this layout.
struct jr_call {
    jr_u64 count;      // elements that the result is of
    jr_u64 first;      // index of the first element of this launch
    double ddof;       // of variances: the divisor is the count less this
    jr_u32 *mark;      // becomes 1 when the result is written, for the host to see; may be null
#if JR_INITIAL || JR_EXPRESSIONS // what no kernel reads need not be passed with every launch
    jr_u64 initial[8];     // bytes of a value of the result's type
    jr_u64 parameters[16]; // a number each
#endif
};

// 16 bytes over the greatest power of two that divides the size of an element.
constexpr jr_u32 jr_pack_elements = sizeof(JR_X) % 16 == 0  ? 1
                                    : sizeof(JR_X) % 8 == 0 ? 2
                                    : sizeof(JR_X) % 4 == 0 ? 4
                                    : sizeof(JR_X) % 2 == 0 ? 8
                                                            : 16;

// The arrays as the host has cut them (src/reduce/cut.h): `head` elements lie just before the packs, the other ends
// just behind them. All arrays are cut at the same elements; the first has its packs at 16-byte boundaries.
struct jr_inputs {
    const JR_X *packs;
    const void *more[3]; // of the second to fourth array: the element beside packs[0]
    jr_u64 pack_count;
    jr_u64 ends;    // elements; head and tail together
    jr_u32 head;    // elements
    jr_u32 aligned; // bit k: more[k], too, lies at a 16-byte boundary

    __device__ __forceinline__ jr_u64 index(jr_u64 pack, jr_u64 first) const { return first + head + pack * jr_pack_elements; }
};

// One element of every input, as it is computed with, and its index.
struct jr_item {
    JR_X_VALUE x;
#if JR_INPUTS > 1
    JR_Y_VALUE y;
#endif
#if JR_INPUTS > 2
    JR_Z_VALUE z;
#endif
#if JR_INPUTS > 3
    JR_W_VALUE w;
#endif
    jr_u64 i;
};
