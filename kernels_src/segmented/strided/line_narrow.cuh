// Rounds of sums of 1- and 2-byte integers: a round's lines are added in 32 bits, each element by a dot product of its
// word with a one in its place; only that sum is widened.
#pragma once

__device__ __forceinline__ int jr_add_place(int word, jr_u32 k, int sum, const signed char *) {
    int made;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(made) : "r"(word), "r"(1 << 8 * (k % 4)), "r"(sum));
    return made;
}
__device__ __forceinline__ jr_u32 jr_add_place(jr_u32 word, jr_u32 k, jr_u32 sum, const jr_u8 *) {
    jr_u32 made;
    asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(made) : "r"(word), "r"(1u << 8 * (k % 4)), "r"(sum));
    return made;
}
__device__ __forceinline__ int jr_add_place(int word, jr_u32 k, int sum, const short *) {
    int made;
    asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(made) : "r"(word), "r"(1 << 8 * (k % 2)), "r"(sum));
    return made;
}
__device__ __forceinline__ jr_u32 jr_add_place(jr_u32 word, jr_u32 k, jr_u32 sum, const unsigned short *) {
    jr_u32 made;
    asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(made) : "r"(word), "r"(1u << 8 * (k % 2)), "r"(sum));
    return made;
}

// Adds element k of a line, or 0.
template <class HELD>
__device__ __forceinline__ void jr_add_element(JR_X_VALUE &sum, const HELD &held, jr_u32 k, bool taken) {
    sum += taken ? held.item(k, 0).x : 0;
}
__device__ __forceinline__ void jr_add_element(JR_X_VALUE &sum, const jr_vector<jr_pack_elements> &held, jr_u32 k,
                                               bool taken) {
    const jr_u32 word = held.packs.x.word(k * sizeof(JR_X) / 4);
    sum = jr_add_place((JR_X_VALUE)(taken ? word : 0), k, sum, (const JR_X *)0);
}

template <class A> struct jr_narrow_round {
    template <class HELD, class INDEX>
    static __device__ __forceinline__ void fold(const jr_reducer &, const HELD &held, jr_u32 k, jr_u32 count,
                                                const INDEX &, jr_accumulator &acc) {
        JR_X_VALUE sum = 0;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) jr_add_element(sum, held[u], k, u < count);
        acc += (A)sum;
    }
};
#define JR_NARROW_ROUND(operator, type)                                                                                \
    template <class T, class R> struct jr_line_round < operator<T, type, R> > : jr_narrow_round<type> {};
JR_NARROW_ROUND(jr_sum, long long)
JR_NARROW_ROUND(jr_sum, unsigned long long)
#if JR_OPERATORS_STATISTICS
JR_NARROW_ROUND(jr_mean, long long)
JR_NARROW_ROUND(jr_mean, unsigned long long)
#endif
