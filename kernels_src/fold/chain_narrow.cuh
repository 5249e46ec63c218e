// Chains of sums of 1- and 2-byte integers: the elements of a pack are added in 32 bits, which hold the sum of a pack;
// only that is widened.
#pragma once

// The sum of four bytes in a word, or of two halves. Bytes: PTX as __dp4a gives it, which NVRTC 13.5 does not know under
// --Ofast-compile.
__device__ __forceinline__ int jr_word_sum(int word, const signed char *) {
    int sum;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(word), "r"(0x01010101), "r"(0));
    return sum;
}
__device__ __forceinline__ jr_u32 jr_word_sum(jr_u32 word, const jr_u8 *) {
    jr_u32 sum;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(word), "r"(0x01010101u), "r"(0u));
    return sum;
}
__device__ __forceinline__ int jr_word_sum(int word, const short *) { return (short)word + (word >> 16); }
__device__ __forceinline__ jr_u32 jr_word_sum(jr_u32 word, const unsigned short *) { return (word & 0xffff) + (word >> 16); }

template <class A> struct jr_narrow_chains : jr_plain_chains {
    static __device__ __forceinline__ A sum_of(const jr_packs &packs) {
        JR_X_VALUE sum = 0;
#pragma unroll
        for (jr_u32 w = 0; w < 4; w++) sum += jr_word_sum((JR_X_VALUE)packs.x.word(w), (const JR_X *)0);
        return (A)sum;
    }
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &, const jr_packs &packs, jr_u64, bool taken) {
        const A sum = sum_of(packs);
        chain[u] += taken ? sum : A(0);
    }
};
#define JR_NARROW_CHAINS(operator, type)                                                                               \
    template <class T, class R>                                                                                        \
    struct jr_chains<operator<T, type, R>> : jr_narrow_chains<type> {};
JR_NARROW_CHAINS(jr_sum, long long)
JR_NARROW_CHAINS(jr_sum, unsigned long long)
#if JR_OPERATORS_STATISTICS
JR_NARROW_CHAINS(jr_mean, long long)
JR_NARROW_CHAINS(jr_mean, unsigned long long)
#endif
