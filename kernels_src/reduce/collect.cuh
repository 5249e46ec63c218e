// Collecting: the shares of all threads of all blocks of one launch become the result, in block 0.
#pragma once

#include "fold/combine.cuh"

// Slots: how the blocks of one launch hand their partial results to block 0 without a barrier, a fence or an atomic.
//
// A slot holds one accumulator as 32-bit words, each in a 64-bit word together with a mark: (mark << 32) | word.
// Because a 64-bit store is single-copy atomic, a reader that sees the mark has the word too, so relaxed accesses are
// enough. Block 0 clears each slot after it has read it: the workspace is ready for the next launch, also when that is
// a replay of a captured graph. Source: PTX ISA, "Memory Consistency Model".

static_assert(JR_SLOT_BYTES(sizeof(jr_accumulator)) == 8 * jr_accumulator_words, "slots: not of the host's size");

constexpr jr_u64 jr_slot_mark = 1ull << 32;

#define JR_STORE_RELAXED(to, value)                                                                                    \
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory")
#define JR_LOAD_RELAXED(value, from)                                                                                   \
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory")

#if JR_ACCUMULATOR_BYTES == 4 // as below, without the arrays, which cost compile time
// Writes a block's partial result into slot `index`.
__device__ __forceinline__ void jr_slot_put(jr_u64 *slots, jr_u32 index, jr_accumulator value) {
    JR_STORE_RELAXED(slots + index, jr_slot_mark | *(const jr_u32 *)&value);
}

// Waits for slot `index`, clears it and returns what it held.
__device__ __forceinline__ jr_accumulator jr_slot_take(jr_u64 *slots, jr_u32 index) {
    jr_u64 word;
#pragma unroll 1
    do JR_LOAD_RELAXED(word, slots + index);
    while (!(word & jr_slot_mark));
    JR_STORE_RELAXED(slots + index, 0ull);
    const jr_u32 bits = (jr_u32)word;
    return *(const jr_accumulator *)&bits;
}
#else
// Writes a block's partial result into slot `index`.
__device__ __forceinline__ void jr_slot_put(jr_u64 *slots, jr_u32 index, jr_accumulator value) {
    jr_accumulator_bits bits;
    bits.value = value;
    jr_u64 *slot = slots + (jr_u64)index * jr_accumulator_words;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) JR_STORE_RELAXED(slot + w, jr_slot_mark | bits.words[w]);
}

// Waits for slot `index`, clears it and returns what it held. All words are asked for at once: one trip to L2 a try.
__device__ __forceinline__ jr_accumulator jr_slot_take(jr_u64 *slots, jr_u32 index) {
    jr_accumulator_bits bits;
    jr_u64 word[jr_accumulator_words], ready;
    jr_u64 *slot = slots + (jr_u64)index * jr_accumulator_words;
#pragma unroll 1
    do {
        ready = jr_slot_mark;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
        for (jr_u32 w = 0; w < jr_accumulator_words; w++) JR_LOAD_RELAXED(word[w], slot + w);
#pragma unroll(jr_unrolled_words<jr_accumulator>)
        for (jr_u32 w = 0; w < jr_accumulator_words; w++) ready &= word[w];
    } while (!ready);
#pragma unroll(jr_unrolled_words<jr_accumulator>)
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) {
        JR_STORE_RELAXED(slot + w, 0ull);
        bits.words[w] = (jr_u32)word[w];
    }
    return bits.value;
}
#endif

// cache: JR_BLOCK accumulators in shared memory. out: the result. slots: gridDim.x - 1 slots, all clear, and clear
// again when the kernel ends.
// Block 0 waits only for blocks that wait for nobody, so any grid ends on a device that can hold two blocks.
__device__ __forceinline__ void jr_collect(const jr_reducer &reducer, jr_accumulator share, jr_accumulator *cache,
                                           void *out, jr_u64 *slots) {
    if (blockIdx.x == 0)
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < gridDim.x - 1; i += JR_BLOCK)
            share = reducer.combine(share, jr_slot_take(slots, i));
    const jr_accumulator total = jr_combine_block(reducer, share, cache);
    if (threadIdx.x > 0) return;
    if (blockIdx.x > 0)
        jr_slot_put(slots, blockIdx.x - 1, total);
    else
        jr_write_all(reducer, out, total);
}
