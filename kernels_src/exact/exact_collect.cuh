// Collecting: the digits of all blocks of one launch become the result, in block 0; or each block leaves its sum.
//
// A block's record has one word per lane: a digit, a bit that the word is written (jr_slot_mark in collect.cuh), the
// block's marks, and the number of the first digit. Each word is complete by itself, so relaxed accesses are enough;
// block 0 clears the words that it has read. A block with too many digits for a record (f64 of all sizes) adds them to
// words that all blocks share.
#pragma once

#include "exact/exact_meet.cuh"
#include "exact/exact_windows.cuh"

constexpr jr_u64 jr_record_mark = 1ull << 32;
constexpr int jr_record_base = 36, jr_record_marks = 48; // positions of the first digit's number, and of the marks
constexpr int jr_record_shared = 0xfff;                  // as the first digit's number: the digits are in the shared
                                                         // words

static_assert(jr_exact_digits <= JR_EXACT_DRAWN_WORD, "abi.h: JR_EXACT_DRAWN_WORD is too small");

#define JR_RECORD_STORE(to, value)                                                                                     \
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory")
#define JR_RECORD_LOAD(value, from)                                                                                    \
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory")

// The first warp of every block except block 0 writes the block's record.
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

// All threads of block 0 add the records of the other blocks as they appear. Each warp loads several records at once:
// enough for one trip to the L2 cache to bring all records of a grid with one block per multiprocessor.
__device__ __forceinline__ void jr_exact_take_records(jr_exact_block &block, jr_u64 *slots, int *shared) {
    constexpr jr_u32 warps = JR_BLOCK / jr_warp_lanes, enough = (144 + warps - 1) / warps;
    constexpr jr_u32 together = enough < 16 ? enough : 16;
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    jr_u32 marks = 0;
    int sum = 0; // of the digit whose number is the lane's
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

// The marks, with JR_EXACT_ANY if any element was added: with a `where` or nan rule a block has marked it, else the
// count says so.
__device__ __forceinline__ jr_u32 jr_exact_any(const jr_exact_block &block, jr_u64 count) {
    return (jr_u32)block.marks | (!jr_selects && count ? JR_EXACT_ANY : 0u);
}

// One thread calls it: the block's digits as an accumulator of the operator.
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

// The first warp of the block that has all digits writes the result. count: of this device's elements.
__device__ __forceinline__ void jr_exact_write(jr_exact_block &block, void *out, jr_u64 count, const jr_call &call) {
    jr_u32 marks = jr_exact_any(block, count);
#if JR_STATE
    const jr_exact_state state = jr_exact_state_of(block, marks, count);
#if JR_STATE == 3
    if (!jr_exact_meet(block, state, call, marks, count)) return;
#else
    JR_EXACT_EACH_WORD(k, w)((jr_u32 *)out)[w] = state.words[k];
    return;
#endif
#endif
    const jr_exact_size size = jr_exact_size_of_digits(block.digits);
    if (threadIdx.x > 0) return;
    jr_store::put(out, jr_finished(jr_operator::finish_size(size, marks, count), call.count, call));
#if JR_STATE == 3
    jr_tell_met(call);
#else
    jr_tell(call);
#endif
}

// All threads call it, after a barrier that follows the last deposit. partials: where each block writes its sum,
// without a count; NULL: block 0 writes the result. workspace: the shared words and the records, all 0 when the kernel
// begins and when it ends.
__device__ __forceinline__ void jr_exact_collect(jr_exact_block &block, const jr_cut &in, void *out, jr_u64 *workspace,
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
    if (threadIdx.x < jr_warp_lanes) jr_exact_write(block, out, JR_STATE == 3 ? in.pack_count * jr_pack_elements + in.ends : call.count, call);
}
