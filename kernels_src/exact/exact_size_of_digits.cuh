// Digits of a block as a size, and words as digits.
#pragma once

#include "exact/exact_block.cuh"

// A warp calls it: the number that the digits represent; it overwrites them. Two passes of carries leave digits of at
// most 2^15 + 1 of either sign, so the sign of the highest digit other than 0 is the number's. In the number's size
// each negative digit borrows from the next one, and a digit of 0 passes the borrow on. An addition of two integers
// with one bit per digit computes all borrows at once.
__device__ __forceinline__ jr_exact_size jr_exact_size_of_digits(int *digits) {
    constexpr int parts = jr_exact_digits / (int)jr_warp_lanes;
    const int lane = (int)(threadIdx.x % jr_warp_lanes);
    int part[parts];
    jr_u32 nonzero[parts], below[parts];
#pragma unroll
    for (int k = 0; k < parts; k++) part[k] = digits[k * (int)jr_warp_lanes + lane];
#pragma unroll
    for (int pass = 0; pass < 2; pass++) {
        int from_below = 0;
#pragma unroll
        for (int k = 0; k < parts; k++) {
            const int carry = (part[k] + 0x8000) >> 16, shifted = __shfl_sync(jr_full_mask, carry, lane - 1 & 31);
            part[k] += (lane > 0 ? shifted : from_below) - carry * 65536;
            from_below = shifted; // of lane 0: what lane 31 carries
        }
    }
    jr_exact_size size = {0, 0, 0, false, false};
#pragma unroll
    for (int k = 0; k < parts; k++) {
        nonzero[k] = __ballot_sync(jr_full_mask, part[k] != 0);
        below[k] = __ballot_sync(jr_full_mask, part[k] < 0);
        if (nonzero[k]) size.negative = below[k] >> (31 - __clz((int)nonzero[k])) & 1;
    }
    int top = -1;
    jr_u64 borrows = 0;
#pragma unroll
    for (int k = 0; k < parts; k++) {
        const jr_u32 borrowing = size.negative ? nonzero[k] & ~below[k] : below[k];
        borrows = (jr_u64)(borrowing | ~nonzero[k]) + borrowing + (borrows >> 32);
        const int own = (int)(((jr_u32)borrows ^ ~nonzero[k]) >> lane & 1);
        part[k] = ((size.negative ? -part[k] : part[k]) - own) & 0xffff;
        digits[k * (int)jr_warp_lanes + lane] = part[k];
        nonzero[k] = __ballot_sync(jr_full_mask, part[k] != 0);
        if (nonzero[k]) top = k * (int)jr_warp_lanes + 31 - __clz((int)nonzero[k]);
    }
    __syncwarp();
    if (top < 0) return size;
    jr_u64 leading[9]; // digits
#pragma unroll
    for (int k = 0; k < 9; k++) leading[k] = top >= k ? (jr_u64)digits[top - k] : 0;
#pragma unroll
    for (int k = 0; k < parts; k++) {
        const int end = top - 8 - k * (int)jr_warp_lanes;
        size.sticky |= (nonzero[k] & (end >= 32 ? jr_full_mask : end > 0 ? (1u << end) - 1 : 0)) != 0;
    }
    const jr_u64 high = leading[0] << 48 | leading[1] << 32 | leading[2] << 16 | leading[3], rest = leading[8] << 48;
    const jr_u64 low = leading[4] << 48 | leading[5] << 32 | leading[6] << 16 | leading[7];
    const jr_u32 by = __clzll((long long)high); // at most 15
    size.high = high << by | low >> 1 >> (63 - by);
    size.low = low << by | rest >> 1 >> (63 - by);
    size.sticky |= (rest << by) != 0;
    size.exponent = 16 * top + 15 - jr_exact_base - (int)by;
    return size;
}

// One thread calls it: adds the sum of word w of several accumulators. 64 bits and a shift make five digits; the last
// one has the sign.
__device__ __forceinline__ void jr_exact_add_word(jr_exact_block &block, jr_u32 w, long long sum) {
    const int place = (int)(w * 32) + jr_accumulator::least + jr_exact_base, at = place >> 4;
    const jr_u32 by = place & 15;
#pragma unroll
    for (jr_u32 k = 0; k < 5; k++) {
        const jr_u32 down = 16 * k - by < 64 ? 16 * k - by : 63;
        const long long from = k == 0 ? sum << by : sum >> down;
        const int digit = k < 4 ? (int)from & 0xffff : (int)from;
        if (digit) atomicAdd(&block.digits[at + (int)k], digit);
    }
}
