// The sizes of exact sums: their leading bits, a quotient and a root of them, and the one rounding at the end.
#pragma once

#include "core/types.cuh"

// The size of an exact number: the 128 bits from its first one on, which is worth 2^exponent, and whether others follow.
struct jr_exact_size {
    jr_u64 high, low;
    int exponent;
    bool sticky, negative;
};

// Which of the words is the highest that is not all sign; -1: none.
template <jr_u32 N> __device__ __forceinline__ int jr_exact_top(const jr_u32 (&words)[N], jr_u32 sign) {
    int top = (int)N - 1;
#pragma unroll 1
    while (top >= 0 && words[top] == sign) top--;
    return top;
}

// high == 0: the number is 0.
template <jr_u32 N> __device__ __noinline__ jr_exact_size jr_exact_size_of(const jr_u32 (&words)[N], int least) {
    const jr_u32 sign = words[N - 1] >> 31 ? jr_full_mask : 0;
    const int top = jr_exact_top(words, sign);
    jr_exact_size size = {0, 0, 0, false, sign != 0};
    if (top < 0 && !sign) return size;
    bool lower = false; // is there anything below the six words from top + 1 down, of which the first may be 0?
#pragma unroll 1
    for (int w = 0; w < top - 4; w++) lower |= words[w] != 0;
    jr_u32 six[6];
    jr_u64 carry = sign && !lower; // of the complement
#pragma unroll
    for (int k = 0; k < 6; k++) {
        const int w = top - 4 + k;
        carry += w < 0 ? sign : w < (int)N ? words[w] ^ sign : 0u; // below the lowest word are zeros, whose complement carries
        six[k] = (jr_u32)carry;
        carry >>= 32;
    }
    const jr_u64 a = (jr_u64)six[5] << 32 | six[4], b = (jr_u64)six[3] << 32 | six[2], c = (jr_u64)six[1] << 32 | six[0];
    const jr_u32 by = __clzll((long long)a);
    size.high = by ? a << by | b >> (64 - by) : a;
    size.low = by ? b << by | c >> (64 - by) : b;
    size.sticky = lower || c << by != 0;
    size.exponent = least + 32 * (top + 2) - 1 - (int)by;
    return size;
}

// The quotient, or the root, to 63 bits and more; what is lost is sticky. n: not 0.
__device__ __noinline__ jr_exact_size jr_exact_divided(const jr_exact_size &by_what, jr_u64 n) {
    jr_exact_size size = by_what;
    const jr_u32 shift = __clzll((long long)n);
    jr_u64 rest = size.high >> 1, next = size.high << 63 | size.low >> 1, quotient = 0;
    n <<= shift;
#pragma unroll 1
    for (int bit = 0; bit < 64; bit++) {
        const bool beyond = rest >> 63;
        rest = rest << 1 | next >> 63;
        next <<= 1;
        const bool takes = beyond || rest >= n;
        if (takes) rest -= n;
        quotient = quotient << 1 | takes;
    }
    const jr_u32 lead = __clzll((long long)quotient);
    size.sticky |= rest != 0 || (size.low & 1);
    size.high = quotient << lead;
    size.low = 0;
    size.exponent += (int)shift - 63 - (int)lead;
    return size;
}
__device__ __noinline__ jr_exact_size jr_exact_root(const jr_exact_size &of) {
    jr_exact_size size = of;
    // The square is an integer of 128 bits times an even power of 2.
    if ((of.exponent & 1) == 0) {
        size.sticky |= of.low & 1;
        size.low = of.high << 63 | of.low >> 1;
        size.high = of.high >> 1;
    }
    jr_u64 root = 0;
#pragma unroll 1
    for (int bit = 63; bit >= 0; bit--) {
        const jr_u64 next = root | 1ull << bit, high = __umul64hi(next, next);
        if (high < size.high || (high == size.high && next * next <= size.low)) root = next;
    }
    size.sticky |= __umul64hi(root, root) != size.high || root * root != size.low;
    size.high = root;
    size.low = 0;
    size.exponent = of.exponent >> 1;
    return size;
}

// A size as the bits of a float of `precision` bits whose least normal number is 2^least: not above `most` + 1.
__device__ __noinline__ jr_u64 jr_exact_rounded(const jr_exact_size &size, int precision, int least, jr_u64 most) {
    const int below = size.exponent < least ? least - size.exponent : 0, lost = 64 - precision + below;
    if (lost > 64) return 0;
    jr_u64 kept = lost == 64 ? 0 : size.high >> lost;
    const jr_u64 rest = lost == 64 ? size.high : size.high << (64 - lost), half = 1ull << 63;
    const bool more = size.low != 0 || size.sticky;
    kept += rest > half || (rest == half && (more || kept & 1));
    const jr_u64 bits = kept + ((jr_u64)(size.exponent - least + below) << (precision - 1));
    return bits > most ? most + 1 : bits;
}

// Rounded to R, of f64, f32 and the narrow floats. Normal numbers of f64 and f32 are rounded as integers of 64 bits are, in
// whose last one what follows them is kept.
template <class R> struct jr_exact_to;
template <> struct jr_exact_to<double> {
    static __device__ double of(const jr_exact_size &size) {
        jr_u64 bits;
        if (size.exponent < -1022 || size.exponent > 1023)
            bits = jr_exact_rounded(size, 53, -1022, 0x7fefffffffffffffull);
        else
            bits = (jr_u64)__double_as_longlong(__ull2double_rn(size.high | (size.low != 0 || size.sticky))) +
                   ((jr_u64)(size.exponent - 63) << 52);
        return __longlong_as_double((long long)(bits | (jr_u64)size.negative << 63));
    }
};
template <> struct jr_exact_to<float> {
    static __device__ float of(const jr_exact_size &size) {
        jr_u32 bits;
        if (size.exponent < -126 || size.exponent > 127)
            bits = (jr_u32)jr_exact_rounded(size, 24, -126, 0x7f7fffff);
        else
            bits = __float_as_uint(__ull2float_rn(size.high | (size.low != 0 || size.sticky))) +
                   ((jr_u32)(size.exponent - 63) << 23);
        return __uint_as_float(bits | (jr_u32)size.negative << 31);
    }
};
#define JR_EXACT_TO(type, precision, least, most, sign)                                                                \
    template <> struct jr_exact_to<type> {                                                                             \
        static __device__ type of(const jr_exact_size &size) {                                                         \
            type made;                                                                                                 \
            made.bits = (decltype(made.bits))(jr_exact_rounded(size, precision, least, most) | (size.negative ? sign : 0)); \
            return made;                                                                                               \
        }                                                                                                              \
    };
JR_EXACT_TO(jr_f16, 11, -14, 0x7bff, 0x8000)
JR_EXACT_TO(jr_bf16, 8, -126, 0x7f7f, 0x8000)
JR_EXACT_TO(jr_e4m3, 4, -6, 0x7e, 0x80)
JR_EXACT_TO(jr_e5m2, 3, -14, 0x7b, 0x80)
