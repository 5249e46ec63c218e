// Chains: a thread's accumulators; it folds JR_UNROLL packs at a time, each into a chain of its own.
#pragma once

#include "fold/inputs.cuh"
#if JR_OPERATORS_STATISTICS
#include "fold/moments.cuh"
#endif

// Folds the elements of one pack pairwise: the shortest dependency chain, and the smallest rounding error.
template <jr_u32 N> struct jr_pairwise {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u64 index) {
        return reducer.combine(jr_pairwise<N / 2>::fold(reducer, packs, at, index),
                               jr_pairwise<N / 2>::fold(reducer, packs, at + N / 2, index));
    }
};
template <> struct jr_pairwise<4> { // as the two above would do it; each function that is called costs compile time
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u64 index) {
        return reducer.combine(
            reducer.combine(jr_lift_item(reducer, packs, at, index), jr_lift_item(reducer, packs, at + 1, index)),
            reducer.combine(jr_lift_item(reducer, packs, at + 2, index), jr_lift_item(reducer, packs, at + 3, index)));
    }
};
template <> struct jr_pairwise<1> {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_packs &packs, jr_u32 at,
                                                          jr_u64 index) {
        return jr_lift_item(reducer, packs, at, index);
    }
};

// A sum of f64 begins from -0 (operators/reducer.cuh), whose two halves differ, so that each chain's takes two moves,
// between a launch's wait for the ones before it and its first load. The sum of two zeros takes one instruction, and as
// each of these eight is rounded in another way, the compiler does not make one of them and moves again. Measured on an
// H200, sums of 2^20 f64, against a kernel whose sums begin from +0: 1.011 of its time, and 1.015 with the moves.
#define JR_MINUS_ZERO(u, how, zero)                                                                                    \
    if (u < JR_UNROLL) asm(how ".f64 %0, %1, %2;" : "=d"(chain[u]) : "d"(-0.0), "d"(zero));

// Chains that each fold a pack pairwise.
struct jr_plain_chains {
    jr_accumulator chain[JR_UNROLL];

    __device__ __forceinline__ void start(const jr_reducer &reducer) {
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u] = reducer.identity();
#if JR_ADDS_FLOATS && JR_ACCUMULATOR_BYTES == 8
        JR_MINUS_ZERO(0, "add.rn", -0.0) JR_MINUS_ZERO(1, "add.rz", -0.0)
        JR_MINUS_ZERO(2, "add.rm", -0.0) JR_MINUS_ZERO(3, "add.rp", -0.0)
        JR_MINUS_ZERO(4, "sub.rn", 0.0) JR_MINUS_ZERO(5, "sub.rz", 0.0)
        JR_MINUS_ZERO(6, "sub.rm", 0.0) JR_MINUS_ZERO(7, "sub.rp", 0.0)
#endif
    }
    // Folds a pack into chain u. index: of the pack's first element, which follows everything folded before. taken:
    // false skips the pack.
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &reducer, const jr_packs &packs, jr_u64 index,
                                         bool taken) {
        const jr_accumulator next =
            reducer.combine(chain[u], jr_pairwise<jr_pack_elements>::fold(reducer, packs, 0, index));
        chain[u] = taken ? next : chain[u];
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &reducer) const {
        jr_accumulator total = chain[0];
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) total = reducer.combine(total, chain[u]);
        return total;
    }
};

#if JR_ADDS_IN_PLACE
// The chain of an exact sum, or of a list with some: one, to which elements are added, as lifting each to a sum of its own
// would cost more.
template <class O> struct jr_chains {
    jr_accumulator total;

    __device__ __forceinline__ void start(const jr_reducer &reducer) { total = reducer.identity(); }
    __device__ __forceinline__ void fold(jr_u32, const jr_reducer &reducer, const jr_packs &packs, jr_u64 index,
                                         bool taken) {
        if (!taken) return;
#pragma unroll 1
        for (jr_u32 k = 0; k < jr_pack_elements; k++) jr_take(reducer, total, packs.item(k, index));
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &) const { return total; }
};
#else
// The chains of operator O.
template <class O> struct jr_chains : jr_plain_chains {};
#endif

#if JR_INPUTS == 1 && !JR_EXPRESSIONS // the items are the elements
#if JR_OPERATORS_STATISTICS && !JR_SKIP_NAN
template <class T, class A, class R> struct jr_chains<jr_var<T, A, R>> : jr_shifted_chains<jr_var<T, A, R>> {};
template <class T, class A, class R> struct jr_chains<jr_std<T, A, R>> : jr_shifted_chains<jr_std<T, A, R>> {};
#endif
#if JR_INTEGER_BYTES == 1 || JR_INTEGER_BYTES == 2
// Chains of sums of 1- and 2-byte integers: the elements of a pack are added in 32 bits, which hold the sum of a pack;
// only that is widened.

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
#endif
#if JR_INTEGER_BYTES == 4 && JR_ACCUMULATOR_BYTES == 8
// Chains of sums of 4-byte integers in 8 bytes: a multiply-add by 0 or 1 widens, adds and leaves out in one instruction,
// where a sign, a carry and a choice would take four.
__device__ __forceinline__ void jr_add_wide(long long &sum, int x, jr_u32 times) {
    asm("mad.wide.s32 %0, %1, %2, %0;" : "+l"(sum) : "r"(x), "r"(times));
}
template <class A> __device__ __forceinline__ void jr_add_wide(A &sum, jr_u32 x, jr_u32 times) {
    asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(sum) : "r"(x), "r"(times));
}

template <class A> struct jr_wide_chains : jr_plain_chains {
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &, const jr_packs &packs, jr_u64, bool taken) {
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) jr_add_wide((A &)chain[u], packs.x.elements[k], taken);
    }
};
template <class R> struct jr_chains<jr_sum<int, long long, R>> : jr_wide_chains<long long> {};
template <class R> struct jr_chains<jr_sum<jr_u32, jr_u64, R>> : jr_wide_chains<jr_u64> {};
#if JR_OPERATORS_STATISTICS
template <class R> struct jr_chains<jr_mean<int, long long, R>> : jr_wide_chains<long long> {};
template <class R> struct jr_chains<jr_mean<jr_u32, long long, R>> : jr_wide_chains<long long> {};
template <class R> struct jr_chains<jr_mean<jr_u32, jr_u64, R>> : jr_wide_chains<jr_u64> {};
#endif
#endif
#if JR_OPERATORS_INDEX
// Chains of argmin and argmax: the extremum of a pack is compared, not each element with its index; the pack that holds
// the best one is kept, and the element is looked for in it at the end. One chain is enough: a pack takes little.

// The extremum of N elements from `at` on.
template <class T, int SIGN, jr_u32 N> struct jr_pack_extremum {
    static __device__ __forceinline__ T of(const jr_packs &packs, jr_u32 at) {
        const T a = jr_pack_extremum<T, SIGN, N / 2>::of(packs, at);
        const T b = jr_pack_extremum<T, SIGN, N / 2>::of(packs, at + N / 2);
        return SIGN ? jr_maximum(a, b) : jr_minimum(a, b);
    }
};
template <class T, int SIGN> struct jr_pack_extremum<T, SIGN, 1> {
    static __device__ __forceinline__ T of(const jr_packs &packs, jr_u32 at) { return (T)packs.x.elements[at]; }
};

template <class T, class R, int SIGN> struct jr_chains<jr_extremum_index<T, R, SIGN, 0>> {
    typedef jr_extremum_index<T, R, SIGN, 0> extremum;
    typedef typename extremum::accumulator accumulator;
    accumulator best; // the index: of the pack's first element
    jr_pack<JR_X> kept;

    __device__ __forceinline__ void start(const jr_reducer &) {
        best = extremum::identity();
#pragma unroll
        for (jr_u32 w = 0; w < sizeof(kept) / 4; w++) kept.word(w) = 0;
    }
    // Packs come in the order of their indices: an equal one comes too late.
    __device__ __forceinline__ void fold(jr_u32, const jr_reducer &, const jr_packs &packs, jr_u64 index, bool taken) {
        const T found = jr_pack_extremum<T, SIGN, jr_pack_elements>::of(packs, 0);
        const bool is_better = SIGN ? best.value < found : found < best.value;
        const bool is_nan = (found != found) & (best.value == best.value);
        const bool wins = taken & (is_better | is_nan | (best.index[1] == jr_full_mask));
        const accumulator next = extremum::lift(found, index);
        best = wins ? next : best;
#pragma unroll
        for (jr_u32 w = 0; w < sizeof(kept) / 4; w++)
            kept.word(w) = wins ? packs.x.word(w) : kept.word(w);
    }
    __device__ __forceinline__ accumulator end(const jr_reducer &) const {
        jr_u32 at = 0;
#pragma unroll
        for (jr_u32 k = jr_pack_elements; k-- > 0;) {
            const T value = (T)kept.elements[k];
            at = (value == best.value) | ((value != value) & (best.value != best.value)) ? k : at;
        }
        return best.index[1] == jr_full_mask ? best : extremum::lift(best.value, best.at() + at);
    }
};
#endif
#if JR_OPERATORS_ORDER && JR_ACCUMULATOR_BYTES == 8
// Chains of minima and maxima of f64: plain comparisons, half the instructions of ranks (limits.cuh). What these leave
// out, NaNs and the order of zeros, is noted for all chains together and made up for at the end.
template <class R, int SIGN> struct jr_chains<jr_extremum<double, double, R, SIGN>> {
    double chain[JR_UNROLL];
    jr_u32 signs; // the sign bit: does one element have it (minima), or do all (maxima)?
    jr_u32 nans;  // 1: there was one

    static __device__ __forceinline__ double better(double a, double b) { return (SIGN ? a < b : b < a) ? b : a; }
    __device__ __forceinline__ void start(const jr_reducer &) {
        signs = SIGN ? jr_full_mask : 0;
        nans = 0;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            chain[u] = SIGN ? jr_limits<double>::lowest() : jr_limits<double>::highest();
    }
    // Whether the pack is taken makes no difference: one that is not is another one twice.
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &, const jr_packs &packs, jr_u64, bool) {
        const double a = packs.x.elements[0], b = packs.x.elements[1];
        const jr_u32 high[2] = {(jr_u32)__double2hiint(a), (jr_u32)__double2hiint(b)};
        chain[u] = better(chain[u], better(a, b));
        signs = SIGN ? signs & high[0] & high[1] : signs | high[0] | high[1];
        asm("{\n\t.reg .pred is_nan;\n\tsetp.nan.f64 is_nan, %1, %2;\n\t@is_nan mov.u32 %0, 1;\n\t}"
            : "+r"(nans)
            : "d"(a), "d"(b));
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &) const {
        double total = chain[0];
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) total = better(total, chain[u]);
        // With a minimum of 0 no element is negative, but zeros may have a sign; a maximum the other way round.
        if (total == 0) total = signs >> 31 ? -0.0 : 0.0;
        if (nans) total = jr_limits<double>::nan();
        return jr_rank<double, SIGN>::of(total);
    }
};
#endif
#endif
