// Collecting: the digits of all blocks of one launch become the result, in block 0; or each block leaves its sum.
//
// A block's record is a warp's words: a digit, and beside it what jr_slot_mark is in slots.cuh, the block's marks and
// which digit it is; so relaxed accesses are enough, and block 0 clears what it has read. Digits that are too many for a
// record, as f64 of all sizes has, are added to words that all blocks share.
#pragma once

#include "reduce/exact_windows.cuh"

constexpr jr_u64 jr_record_mark = 1ull << 32;
constexpr int jr_record_base = 36, jr_record_marks = 48; // bits of the first digit's number, and of the marks
constexpr int jr_record_shared = 0xfff;                  // as a first digit: they were added to the shared words

static_assert(jr_exact_digits <= JR_EXACT_DRAWN_WORD, "abi.h: JR_EXACT_DRAWN_WORD is too small");

#define JR_RECORD_STORE(to, value)                                                                                     \
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory")
#define JR_RECORD_LOAD(value, from)                                                                                    \
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory")

// The first warp of a block but the first puts its record.
__device__ __forceinline__ void jr_exact_put_record(const jr_exact_block &block, jr_u64 *slots, int *shared) {
    const int lane = (int)threadIdx.x;
    const bool is_shared = jr_exact_is_long && block.high - block.low > jr_warp_lanes - 2;
    const int last = jr_exact_digits - (int)jr_warp_lanes;
    const int first = !jr_exact_is_long ? 0 : block.low < last ? block.low : last;
    if (is_shared) {
#pragma unroll 1
        for (int j = lane; j < jr_exact_digits; j += jr_warp_lanes) {
            const int digit = jr_exact_settled(block.digits, j);
            if (digit) atomicAdd(shared + j, digit);
        }
        __syncwarp();
        __threadfence();
    }
    const jr_u32 digit = is_shared ? 0 : (jr_u32)jr_exact_settled(block.digits, first + lane);
    const jr_u64 head = (jr_u64)(is_shared ? jr_record_shared : first) << jr_record_base | (jr_u64)block.marks << jr_record_marks;
    JR_RECORD_STORE(slots + (blockIdx.x - 1) * jr_warp_lanes + lane, jr_record_mark | head | digit);
}

// All threads of block 0 add the records of the others as they come. Each warp asks for so many at once that one trip to
// the L2 cache brings those of all blocks where a multiprocessor has one.
__device__ __forceinline__ void jr_exact_take_records(jr_exact_block &block, jr_u64 *slots, int *shared) {
    constexpr jr_u32 warps = JR_BLOCK / jr_warp_lanes, enough = (144 + warps - 1) / warps;
    constexpr jr_u32 together = enough < 16 ? enough : 16;
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    jr_u32 marks = 0;
    int sum = 0; // of the digits that lie as lanes do
    bool any_shared = false;
#pragma unroll 1
    for (jr_u32 first = threadIdx.x / jr_warp_lanes; first < gridDim.x - 1; first += warps * together) {
        jr_u64 *const from = slots + first * jr_warp_lanes + lane;
        jr_u32 left = 0;
#pragma unroll
        for (jr_u32 k = 0; k < together; k++) left |= (first + k * warps < gridDim.x - 1) << k;
#pragma unroll 1
        while (left) {
            jr_u64 words[together];
#pragma unroll
            for (jr_u32 k = 0; k < together; k++)
                if (left >> k & 1) JR_RECORD_LOAD(words[k], from + k * JR_BLOCK);
#pragma unroll
            for (jr_u32 k = 0; k < together; k++) {
                if (!(left >> k & 1) || !(words[k] & jr_record_mark)) continue;
                const int base = (int)(words[k] >> jr_record_base) & 0xfff, digit = (int)words[k];
                left &= ~(1u << k);
                marks |= (jr_u32)(words[k] >> jr_record_marks);
                JR_RECORD_STORE(from + k * JR_BLOCK, 0ull);
                if (!jr_exact_is_long)
                    sum += digit;
                else {
                    any_shared |= base == jr_record_shared;
                    if (digit) atomicAdd(&block.digits[base + (int)lane], digit);
                }
            }
        }
    }
    if (sum) atomicAdd(&block.digits[lane], sum);
    __syncwarp();
    jr_exact_mark(block, marks);
    if (!jr_exact_is_long) {
        __syncthreads();
        return;
    }
    if (!__syncthreads_or(any_shared)) return;
    __threadfence();
#pragma unroll 1
    for (int j = (int)threadIdx.x; j < jr_exact_digits; j += JR_BLOCK) {
        const int digit = *(volatile int *)(shared + j);
        if (digit == 0) continue;
        block.digits[j] += digit;
        shared[j] = 0;
    }
    __syncthreads();
}

// A warp: what its digits, which it overwrites, come to. Two passes of carries leave digits of at most 2^15 + 1 of either
// sign; then the sign of the first that is not 0 is that of the number. Of its size each digit below 0 borrows from the
// next one, and one of 0 hands that on: as carries are handed on in an addition of integers that have a bit for each digit.
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

// Of what is not left out there is something if there are elements, or if a block has marked it.
__device__ __forceinline__ jr_u32 jr_exact_any(const jr_exact_block &block, jr_u64 count) {
    return (jr_u32)block.marks | (!jr_selects && count ? JR_EXACT_ANY : 0u);
}

// One thread: the block's digits as a sum of the operator's.
__device__ __noinline__ jr_accumulator jr_exact_sum_of_digits(const jr_exact_block &block, jr_u64 count) {
    jr_accumulator sum = jr_operator::identity();
#pragma unroll 1
    for (int j = 0; j < jr_exact_digits; j++) {
        const int digit = block.digits[j];
        if (digit == 0) continue;
        jr_exact_add(sum, {(jr_u64)(digit < 0 ? -digit : digit), 0, 16 * j - jr_exact_base, 0, digit < 0});
    }
    sum.marks = jr_exact_any(block, count);
    sum.count[0] = (jr_u32)count;
    sum.count[1] = (jr_u32)(count >> 32);
    return sum;
}

// The first warp of the block that has all digits writes the result.
__device__ __forceinline__ void jr_exact_write(jr_exact_block &block, void *out, const jr_call &call) {
#if JR_STATE
    if (threadIdx.x == 0) *(jr_accumulator *)out = jr_exact_sum_of_digits(block, call.count);
#else
    const jr_exact_size size = jr_exact_size_of_digits(block.digits);
    if (threadIdx.x > 0) return;
    const jr_u32 marks = jr_exact_any(block, call.count);
    jr_store::put(out, jr_finished(jr_operator::finish_size(size, marks, call.count), call.count, call));
    jr_tell(call);
#endif
}

// All threads, behind a barrier after the last deposit. partials: where each block leaves its sum, without a count;
// NULL: block 0 writes the result. workspace: the shared words and the slots, clear, and clear again when the kernel ends.
__device__ __forceinline__ void jr_exact_collect(jr_exact_block &block, void *out, jr_u64 *workspace,
                                                 jr_accumulator *partials, const jr_call &call) {
    int *const shared = (int *)workspace;
    jr_u64 *const slots = workspace + JR_EXACT_SHARED_WORDS / 2;
    if (partials) {
        if (threadIdx.x == 0) partials[blockIdx.x] = jr_exact_sum_of_digits(block, 0);
        return;
    }
    if (blockIdx.x > 0) {
        if (threadIdx.x < jr_warp_lanes) jr_exact_put_record(block, slots, shared);
        return;
    }
    jr_exact_take_records(block, slots, shared);
    if (threadIdx.x < jr_warp_lanes) jr_exact_write(block, out, call);
}
