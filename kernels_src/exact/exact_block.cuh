// A block's exact sum: digits of 16 bits in words of 32 bits, whose carries stay in the words until the end.
//
// Digit j is worth 2^(16 j - base), with base one position beyond the least subnormal; a word has room for 2^14
// deposits below 2^16. The digits are integers, so the order of additions does not matter.
#pragma once

#include "fold/inputs.cuh"

typedef jr_operator::summand jr_summand; // float, double, a square or a product: what is added of an element

template <class F> struct jr_exact_frame;
template <> struct jr_exact_frame<float> {
    static constexpr int base = 150, digits = 32;
};
template <> struct jr_exact_frame<double> {
    static constexpr int base = 1075, digits = 160;
};
template <> struct jr_exact_frame<jr_square> : jr_exact_frame<double> {};
template <> struct jr_exact_frame<jr_product> {
    static constexpr int base = 2150, digits = 288;
};
constexpr int jr_exact_base = jr_exact_frame<jr_summand>::base, jr_exact_digits = jr_exact_frame<jr_summand>::digits;
constexpr bool jr_exact_is_long = jr_exact_digits > 32; // its digits do not fit a warp

struct jr_exact_block {
    int digits[jr_exact_digits + 4];
    int marks;     // JR_EXACT_...
    int low, high; // of the digits that were touched, where they do not fit a warp
};

__device__ __forceinline__ void jr_exact_start(jr_exact_block &block) {
#pragma unroll 1
    for (jr_u32 i = threadIdx.x; i < jr_exact_digits + 4; i += JR_BLOCK) block.digits[i] = 0;
    if (threadIdx.x > 0) return;
    block.marks = 0;
    block.low = jr_exact_digits;
    block.high = -1;
}

__device__ __forceinline__ void jr_exact_touch(jr_exact_block &block, int low, int high) {
    if (!jr_exact_is_long) return;
    atomicMin(&block.low, low);
    atomicMax(&block.high, high);
}

// All lanes of a warp: adds the sum of their numbers times 2^(place - base). Three fields of at most 22 bits are added
// over the warp; nine lanes put their digits. number: below 2^63.
__device__ __forceinline__ void jr_exact_put(jr_exact_block &block, long long number, int place) {
    const int low = __reduce_add_sync(jr_full_mask, (int)number & 0x3fffff);
    const int middle = __reduce_add_sync(jr_full_mask, (int)(number >> 22) & 0x3fffff);
    const int high = __reduce_add_sync(jr_full_mask, (int)(number >> 44));
    const int lane = (int)(threadIdx.x % jr_warp_lanes), field = lane / 3, piece = lane - 3 * field;
    const int at = place + 22 * field;
    const long long shifted = (long long)(field == 0 ? low : field == 1 ? middle : high) << (at & 15);
    const int digit = piece < 2 ? (int)(shifted >> (16 * piece)) & 0xffff : (int)(shifted >> 32);
    if (lane < 9 && digit) atomicAdd(&block.digits[(at >> 4) + piece], digit);
    if (lane == 0) jr_exact_touch(block, place >> 4, (place >> 4) + 5);
}

// One thread: adds its number, below 2^48, times 2^(place - base).
__device__ __forceinline__ void jr_exact_put_one(jr_exact_block &block, long long number, int place) {
    const int at = place >> 4;
    const long long shifted = number << (place & 15);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int piece = k < 3 ? (int)(shifted >> (16 * k)) & 0xffff : (int)(shifted >> 48);
        if (piece) atomicAdd(&block.digits[at + k], piece);
    }
    jr_exact_touch(block, at, at + 4);
}

// All threads call it: it moves the carries of all digits on, so that 2^14 deposits fit again. Digits become -2^15 to
// 2^15: a signed range, in which carries travel least.
__device__ __noinline__ void jr_exact_carry(jr_exact_block &block) {
    __syncthreads();
    if (threadIdx.x == 0) {
        int carry = 0;
#pragma unroll 1
        for (int j = 0; j < jr_exact_digits; j++) {
            const int digit = block.digits[j] + carry;
            carry = (digit + 0x8000) >> 16;
            block.digits[j] = digit - carry * 65536;
            if (carry) jr_exact_touch(block, j + 1, j + 1);
        }
    }
    __syncthreads();
}

// All lanes of a warp call it: sets the marks that any of them has seen.
__device__ __forceinline__ void jr_exact_mark(jr_exact_block &block, jr_u32 marks) {
    marks = __reduce_or_sync(jr_full_mask, marks);
    if (threadIdx.x % jr_warp_lanes == 0 && marks) atomicOr(&block.marks, (int)marks);
}

// The marks of one summand.
__device__ __forceinline__ jr_u32 jr_exact_marks_of(float x) {
    const jr_u32 bits = __float_as_uint(x), size = bits & 0x7fffffff;
    if (size > 0x7f800000) return JR_EXACT_NAN;
    if (size == 0x7f800000) return bits >> 31 ? JR_EXACT_MINUS_INFINITE : JR_EXACT_PLUS_INFINITE;
    return bits == 0x80000000 ? 0 : JR_EXACT_NOT_MINUS_ZERO;
}
__device__ __forceinline__ jr_u32 jr_exact_marks_of(double x) {
    const jr_u64 bits = (jr_u64)__double_as_longlong(x), size = bits & ~0ull >> 1;
    if (size > 0x7ffull << 52) return JR_EXACT_NAN;
    if (size == 0x7ffull << 52) return bits >> 63 ? JR_EXACT_MINUS_INFINITE : JR_EXACT_PLUS_INFINITE;
    return bits == 1ull << 63 ? 0 : JR_EXACT_NOT_MINUS_ZERO;
}
__device__ __forceinline__ jr_u32 jr_exact_marks_of(jr_square x) {
    return jr_exact_marks_of(jr_exact_value(x));
}

// A product's marks (not -0, not finite) are its own, but where rounding it could change them its factors decide.
__device__ __forceinline__ jr_u32 jr_exact_marks_of(const jr_product &of) {
    const bool finite = fabs(of.x) < jr_limits<double>::highest() && fabs(of.y) < jr_limits<double>::highest();
    return finite && of.x != 0 && of.y != 0 ? JR_EXACT_NOT_MINUS_ZERO : jr_exact_marks_of(of.x * of.y);
}

// A summand that changes nothing. A square is never -0, and neither is a sum of squares, so it is +0 there; and the two
// factors stay one number.
template <class F> struct jr_exact_nothing {
    static constexpr F value = F(-0.0);
};
template <> struct jr_exact_nothing<jr_square> {
    static constexpr jr_square value = {0};
};
template <> struct jr_exact_nothing<jr_product> {
    static constexpr jr_product value = {-0.0, jr_operator::squares ? -0.0 : 1.0};
};

// 1.5 * 2^exponent: a number far below it is added to its last bits.
__device__ __forceinline__ double jr_exact_anchor(int exponent) {
    return __hiloint2double((exponent + 1023) << 20 | 0x80000, 0);
}
__device__ __forceinline__ jr_u64 jr_exact_bits(double x) { return (jr_u64)__double_as_longlong(x); }

// A digit with its own carries taken out and those of the one below it taken in.
__device__ __forceinline__ int jr_exact_settled(const int *digits, int j) {
    return j >= jr_exact_digits ? 0 : (digits[j] & 0xffff) + (j > 0 ? digits[j - 1] >> 16 : 0);
}
