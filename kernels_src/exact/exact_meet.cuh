// An exact sum as the words of its accumulator, by a warp; and the meeting of those of a group's devices (as
// operators/meet.cuh, with whose algorithms it may share a group), whose sum is rounded once.
#pragma once

#include "exact/exact_size_of_digits.cuh"

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
