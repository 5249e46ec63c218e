// Digits of a block as a size, and words as digits; an exact sum as the words of its accumulator, by a warp; and the
// meeting of those of a group's devices (as operators/meet.cuh, with whose algorithms it may share a group), whose sum is
// rounded once.
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

constexpr jr_u32 jr_exact_words = jr_accumulator::word_count; // the marks follow, and the count: low, high
constexpr jr_u32 jr_exact_lane_words = (jr_exact_words + 3 + jr_warp_lanes - 1) / jr_warp_lanes; // each lane has one of 32
static_assert(sizeof(jr_accumulator) >= (jr_exact_words + 3) * sizeof(jr_u32), "exact: words, marks and a count");

// Lane l has the words l, l + 32 and so on.
struct jr_exact_state {
    jr_u32 words[jr_exact_lane_words];
};

// A warp: of the block's digits, which become those of the sum's size. Below the lowest bit that is not 0 a number's
// complement has zeros, at it the same bit, above it all bits turned.
__device__ __forceinline__ jr_exact_state jr_exact_state_of(jr_exact_block &block, jr_u32 marks, jr_u64 count) {
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    const bool negative = jr_exact_size_of_digits(block.digits).negative;
    bool any_before = false;
    jr_exact_state state;
    __syncwarp();
#pragma unroll
    for (jr_u32 k = 0; k < jr_exact_lane_words; k++) {
        const jr_u32 w = k * jr_warp_lanes + lane;
        const int place = (int)(w * 32) + jr_accumulator::least + jr_exact_base, at = place >> 4;
        jr_u64 window = 0;
#pragma unroll
        for (int d = 0; d < 3; d++)
            if (w < jr_exact_words && at + d >= 0 && at + d < jr_exact_digits)
                window |= (jr_u64)(jr_u32)block.digits[at + d] << (16 * d);
        const jr_u32 word = (jr_u32)(window >> (place & 15)), nonzero = __ballot_sync(jr_full_mask, word != 0);
        const bool any_below = any_before || (nonzero & ((1u << lane) - 1));
        state.words[k] = !negative ? word : any_below ? ~word : 0 - word;
        if (w == jr_exact_words) state.words[k] = marks;
        if (w == jr_exact_words + 1) state.words[k] = (jr_u32)count;
        if (w == jr_exact_words + 2) state.words[k] = (jr_u32)(count >> 32);
        any_before |= nonzero != 0;
    }
    return state;
}

#define JR_EXACT_EACH_WORD(k, w)                                                                                       \
    _Pragma("unroll") for (jr_u32 k = 0, w = threadIdx.x % jr_warp_lanes; k < jr_exact_lane_words; k++, w += jr_warp_lanes) \
        if (w < jr_exact_words + 3)

#if JR_STATE == 3
// A warp: adds the state of another device, which it waits for; of words but the highest, which has the sign, without one.
__device__ __forceinline__ bool jr_exact_hear(const jr_peers *peers, const jr_u64 *slot, jr_u32 epoch, jr_u32 from,
                                              long long (&sums)[jr_exact_lane_words], jr_u32 &marks) {
    constexpr jr_u32 looks = 1024; // before it is asked whether to go on
    jr_u64 heard[jr_exact_lane_words], since = 0;
#pragma unroll 1
    for (jr_u32 look = 1;; look++) {
        bool there = true;
        JR_EXACT_EACH_WORD(k, w) {
            JR_HEAR(heard[k], slot + w);
            there &= (jr_u32)(heard[k] >> 32) == epoch;
        }
        if (__all_sync(jr_full_mask, there)) break;
        if (look % looks > 0) continue;
        if (since == 0) since = jr_now();
        int gives_up = threadIdx.x == 0 && jr_gives_up(peers, from, since);
        if (__shfl_sync(jr_full_mask, gives_up, 0)) return false;
    }
    JR_EXACT_EACH_WORD(k, w) {
        const jr_u32 word = (jr_u32)heard[k];
        if (w == jr_exact_words) marks |= word;
        sums[k] += w == jr_exact_words - 1 ? (long long)(int)word : (long long)word;
    }
    return true;
}

// The block's first warp, whose digits become those of the sum of all devices. own: of this device. marks, count: of all.
// Returns false as jr_meet does.
__device__ __forceinline__ bool jr_exact_meet(jr_exact_block &block, const jr_exact_state &own, const jr_call &call,
                                              jr_u32 &marks, jr_u64 &count) {
    jr_peers *peers = (jr_peers *)call.mark;
    const jr_u32 epoch = peers->epoch, devices = peers->count, index = peers->index, lane = threadIdx.x;
    const bool collects = peers->collects;
    long long sums[jr_exact_lane_words];
    __syncwarp();
#pragma unroll 1
    for (jr_u32 to = 0; to < (collects ? 1 : devices); to++) {
        if (to == index) continue;
        jr_u64 *slot = peers->slots[to] + ((jr_u64)(epoch % 2) * devices + index) * jr_accumulator_words;
        JR_EXACT_EACH_WORD(k, w) JR_PUSH(slot + w, (jr_u64)epoch << 32 | own.words[k]);
    }
    if (lane == 0) peers->epoch = epoch + 1;
    if (collects && index > 0) return false;
#pragma unroll
    for (jr_u32 k = 0; k < jr_exact_lane_words; k++) sums[k] = 0;
    JR_EXACT_EACH_WORD(k, w) sums[k] = w == jr_exact_words - 1 ? (long long)(int)own.words[k] : (long long)own.words[k];
#pragma unroll 1
    for (jr_u32 from = 0; from < devices; from++) {
        const jr_u64 *slot = peers->slots[index] + ((jr_u64)(epoch % 2) * devices + from) * jr_accumulator_words;
        if (from != index && !jr_exact_hear(peers, slot, epoch, from, sums, marks)) return false;
    }
    marks = __reduce_or_sync(jr_full_mask, marks);
    constexpr jr_u32 low = jr_exact_words + 1, high = jr_exact_words + 2;
    count = (jr_u64)__shfl_sync(jr_full_mask, sums[low / jr_warp_lanes], low % jr_warp_lanes) +
            ((jr_u64)__shfl_sync(jr_full_mask, sums[high / jr_warp_lanes], high % jr_warp_lanes) << 32);
#pragma unroll 1
    for (jr_u32 j = lane; j < jr_exact_digits + 4; j += jr_warp_lanes) block.digits[j] = 0;
    __syncwarp();
    JR_EXACT_EACH_WORD(k, w) if (w < jr_exact_words) jr_exact_add_word(block, w, sums[k]);
    __syncwarp();
    return true;
}
#endif
