// Slots: how the blocks of one launch hand their partial results to block 0 without a barrier, a fence or an atomic.
//
// A slot holds one accumulator as 32-bit words, each in a 64-bit word of its own beside a mark: (mark << 32) | word.
// Because a 64-bit store is single-copy atomic, a reader that sees the mark has the word too, so relaxed accesses are
// enough. Block 0 clears each slot after it has read it: the workspace is ready for the next launch, also when that is
// a replay of a captured graph. Source: PTX ISA,
// "Memory Consistency Model".
#pragma once

#include "reducer.cuh"

constexpr jr_u64 jr_slot_mark = 1ull << 32;

__device__ __forceinline__ void jr_store_relaxed(jr_u64 *to, jr_u64 value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
__device__ __forceinline__ jr_u64 jr_load_relaxed(const jr_u64 *from) {
    jr_u64 value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    return value;
}
// Writes a block's partial result into slot `index`.
__device__ __forceinline__ void jr_slot_put(jr_u64 *slots, jr_u32 index, jr_accumulator value) {
    jr_accumulator_bits bits;
    bits.value = value;
    jr_u64 *slot = slots + (jr_u64)index * jr_accumulator_words;
#pragma unroll
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) jr_store_relaxed(slot + w, jr_slot_mark | bits.words[w]);
}

// Waits for slot `index`, clears it and returns what it held. All words are asked for at once: one trip to L2 a try.
__device__ __forceinline__ jr_accumulator jr_slot_take(jr_u64 *slots, jr_u32 index) {
    jr_accumulator_bits bits;
    jr_u64 word[jr_accumulator_words], ready;
    jr_u64 *slot = slots + (jr_u64)index * jr_accumulator_words;
#pragma unroll 1
    do {
        ready = jr_slot_mark;
#pragma unroll
        for (jr_u32 w = 0; w < jr_accumulator_words; w++) word[w] = jr_load_relaxed(slot + w);
#pragma unroll
        for (jr_u32 w = 0; w < jr_accumulator_words; w++) ready &= word[w];
    } while (!ready);
#pragma unroll
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) {
        jr_store_relaxed(slot + w, 0);
        bits.words[w] = (jr_u32)word[w];
    }
    return bits.value;
}
