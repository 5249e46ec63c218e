// Clears an accumulator in place, or combines it in place with another one after or before it, without a copy. Exact
// sums have up to hundreds of words. Passed by value, each copy is unrolled word by word: a variance of doubles by key
// then took NVRTC 15 seconds.
#pragma once

#include "operators/reducer.cuh"

// Words that are loaded before the first of them is used: waiting for memory after each word would take most of the
// time.
constexpr jr_u32 jr_words_together = 8;

template <jr_u32 N> __device__ __forceinline__ void jr_copy_together(jr_u32 *to, const jr_u32 *from) {
    jr_u32 words[N];
#pragma unroll
    for (jr_u32 k = 0; k < N; k++) words[k] = from[k];
#pragma unroll
    for (jr_u32 k = 0; k < N; k++) to[k] = words[k];
}
template <jr_u32 N> __device__ __forceinline__ void jr_copy_in_place(jr_u32 *to, const jr_u32 *from) {
    constexpr jr_u32 whole = N / jr_words_together * jr_words_together;
#pragma unroll 1
    for (jr_u32 w = 0; w < whole; w += jr_words_together) jr_copy_together<jr_words_together>(to + w, from + w);
    if constexpr (N > whole) jr_copy_together<N - whole>(to + whole, from + whole);
}

// to += from, as parts of longer integers.
template <jr_u32 N> __device__ __forceinline__ jr_u32 jr_add_together(jr_u32 *to, const jr_u32 *from, jr_u32 carry) {
    jr_u32 words[N], others[N];
#pragma unroll
    for (jr_u32 k = 0; k < N; k++) {
        words[k] = to[k];
        others[k] = from[k];
    }
#pragma unroll
    for (jr_u32 k = 0; k < N; k++) {
        const jr_u64 sum = (jr_u64)words[k] + others[k] + carry;
        to[k] = (jr_u32)sum;
        carry = (jr_u32)(sum >> 32);
    }
    return carry;
}

// An operator's functions in place. P: its accumulator, or a member of that size. append: `to` becomes the fold of
// `to`, then `from`; prepend: of `from`, then `to`.
template <class O, class A = typename O::accumulator> struct jr_place { // values
    template <class P> static __device__ __forceinline__ void clear(P &to) { to = O::identity(); }
    template <class P> static __device__ __forceinline__ void append(P &to, const P &from) {
        const A one = to, other = from;
        to = O::combine(one, other);
    }
    template <class P> static __device__ __forceinline__ void prepend(P &to, const P &from) {
        const A one = to, other = from;
        to = O::combine(other, one);
    }
};
template <class O, int LEAST, jr_u32 WORDS> struct jr_place<O, jr_exact<LEAST, WORDS>> { // integers, in any order
    typedef jr_exact<LEAST, WORDS> sum;
    static __device__ __forceinline__ void clear(sum &to) {
#pragma unroll(jr_words_together)
        for (jr_u32 w = 0; w < WORDS; w++) to.words[w] = 0;
        to.marks = to.count[0] = to.count[1] = 0;
    }
    static __device__ __forceinline__ void append(sum &to, const sum &from) {
        constexpr jr_u32 whole = WORDS / jr_words_together * jr_words_together;
        const jr_u32 low = to.count[0] + from.count[0];
        jr_u32 carry = 0;
        to.marks |= from.marks;
        to.count[1] += from.count[1] + (low < to.count[0]);
        to.count[0] = low;
#pragma unroll 1
        for (jr_u32 w = 0; w < whole; w += jr_words_together)
            carry = jr_add_together<jr_words_together>(to.words + w, from.words + w, carry);
        if constexpr (WORDS > whole) jr_add_together<WORDS - whole>(to.words + whole, from.words + whole, carry);
    }
    static __device__ __forceinline__ void prepend(sum &to, const sum &from) { append(to, from); }
};
template <class O, class S, class Q> struct jr_place<O, jr_exact_moments<S, Q>> {
    typedef jr_exact_moments<S, Q> both;
    static __device__ __forceinline__ void clear(both &to) {
        jr_place<O, S>::clear(to.sum);
        jr_place<O, Q>::clear(to.squares);
    }
    static __device__ __forceinline__ void append(both &to, const both &from) {
        jr_place<O, S>::append(to.sum, from.sum);
        jr_place<O, Q>::append(to.squares, from.squares);
    }
    static __device__ __forceinline__ void prepend(both &to, const both &from) { append(to, from); }
};
#if JR_LIST_IN_MEMORY && JR_OPERATORS_STATISTICS // lists, by functions that are called
#define JR_PLACE_OF_BOTH(name)                                                                                         \
    static __device__ __noinline__ void name(list &to, const list &from) {                                             \
        jr_place<O>::name(*(jr_lies_as<O> *)&to.first, *(const jr_lies_as<O> *)&from.first);                           \
        jr_place<P>::name(*(jr_lies_as<P> *)&to.rest, *(const jr_lies_as<P> *)&from.rest);                             \
    }
template <class O, class P> struct jr_place<jr_both<O, P>, typename jr_both<O, P>::accumulator> {
    typedef typename jr_both<O, P>::accumulator list;
    static __device__ __noinline__ void clear(list &to) {
        jr_place<O>::clear(*(jr_lies_as<O> *)&to.first);
        jr_place<P>::clear(*(jr_lies_as<P> *)&to.rest);
    }
    JR_PLACE_OF_BOTH(append)
    JR_PLACE_OF_BOTH(prepend)
};
#endif
#if JR_KEPT
template <> struct jr_place<jr_kept, jr_kept::accumulator> {
    typedef jr_kept::accumulator kept;
    typedef jr_asked::accumulator asked;
    static __device__ __forceinline__ void clear(kept &to) {
        jr_place<jr_asked>::clear(*(asked *)&to.of);
        to.kept = 0;
    }
    static __device__ __forceinline__ void append(kept &to, const kept &from) {
        jr_place<jr_asked>::append(*(asked *)&to.of, *(const asked *)&from.of);
        to.kept += from.kept;
    }
    static __device__ __forceinline__ void prepend(kept &to, const kept &from) {
        jr_place<jr_asked>::prepend(*(asked *)&to.of, *(const asked *)&from.of);
        to.kept += from.kept;
    }
    template <class T> static __device__ __forceinline__ void add(kept &to, const T &x, jr_u64 i) {
#if JR_OPERATORS_STATISTICS && JR_LIST_IN_MEMORY
        jr_add_to_list<jr_asked, T>(*(asked *)&to.of, x, i);
#elif JR_OPERATORS_STATISTICS
        *(asked *)&to.of = jr_asked::combine(*(asked *)&to.of, jr_asked::lift(x, i));
#else
        jr_asked::add(*(asked *)&to.of, x);
#endif
        to.kept++;
    }
};
#endif
