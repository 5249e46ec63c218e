// Lines: what a thread loads of each line of a band: load(), next(), and the items of what was loaded. Rounds: what a
// thread has loaded of JR_UNROLL lines, folded column by column. INDEX: of(k, u), what number element k of
// line u has in its column.
#pragma once

#include "fold/inputs.cuh"
#if JR_OPERATORS_STATISTICS
#include "fold/moments.cuh"
#endif

// Elements of a vector: those of a pack, or, where so many accumulators are too much for a block, fewer; 1: none.
constexpr jr_u32 jr_vector_elements =
    JR_COLUMN_VECTOR(sizeof(JR_X), sizeof(jr_accumulator), JR_BLOCK, JR_INPUTS, JR_ALL_ENDS);

// Elements one by one; loads past the band's end repeat its last element.
struct jr_loose_lines {
    struct loaded {
        jr_item items[jr_vector_elements];

        __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const {
            jr_item made = items[k];
            made.i = index;
            return made;
        }
    };
    const jr_cut &in;
    long long at, step;
    jr_u32 column, last;

    __device__ __forceinline__ void load(loaded &held) const {
#pragma unroll
        for (jr_u32 k = 0; k < jr_vector_elements; k++)
            held.items[k] = jr_item_at(in, at + (column + k < last ? column + k : last), 0);
    }
    __device__ __forceinline__ void next() { at += step; }
};

#if !JR_ALL_ENDS
// A vector that is not a pack, of one array.
template <jr_u32 BYTES> struct jr_narrow_load;
#define JR_NARROW_LOAD(bytes, form, type, constraint)                                                                  \
    template <> struct jr_narrow_load<bytes> {                                                                         \
        static __device__ __forceinline__ type of(const void *from) {                                                  \
            type bits;                                                                                                 \
            asm volatile("ld.global.nc.L1::no_allocate." form " %0, [%1];" : "=" constraint(bits) : "l"(from));        \
            return bits;                                                                                               \
        }                                                                                                              \
    };
JR_NARROW_LOAD(1, "u8", unsigned short, "h")
JR_NARROW_LOAD(2, "u16", unsigned short, "h")
JR_NARROW_LOAD(4, "u32", jr_u32, "r")
JR_NARROW_LOAD(8, "u64", jr_u64, "l")

template <jr_u32 N> struct jr_vector {
    JR_X elements[N];

    __device__ __forceinline__ void load(const jr_cut &in, long long at) {
        const auto bits = jr_narrow_load<N * sizeof(JR_X)>::of(in.packs + at * (long long)N);
        memcpy(elements, &bits, sizeof elements);
    }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const { return {(JR_X_VALUE)elements[k], index}; }
};
template <> struct jr_vector<jr_pack_elements> {
    jr_packs packs;

    __device__ __forceinline__ void load(const jr_cut &in, long long at) { packs.load(in, (jr_u64)at); }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const { return packs.item(k, index - k); }
};

// A vector of each line, at the same place between boundaries.
struct jr_vector_lines {
    typedef jr_vector<jr_vector_elements> loaded;
    const jr_cut &in;
    long long at, step; // vectors from the first pack

    __device__ __forceinline__ void load(loaded &held) const { held.load(in, at); }
    __device__ __forceinline__ void next() { at += step; }
};
#endif

// Combines terms of neighbouring lines pairwise.
template <jr_u32 N> struct jr_line_pairs {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_accumulator *terms) {
        return reducer.combine(jr_line_pairs<N / 2>::fold(reducer, terms),
                               jr_line_pairs<N - N / 2>::fold(reducer, terms + N / 2));
    }
};
template <> struct jr_line_pairs<1> {
    static __device__ __forceinline__ jr_accumulator fold(const jr_reducer &, const jr_accumulator *terms) {
        return *terms;
    }
};

struct jr_round_end {
    template <class A> static __device__ __forceinline__ void end(A &, jr_u32) {}
};
// Folds element k of each loaded line of a round into an accumulator; only the first `count` lines count. before: lines of
// earlier rounds. end: after the last round, with the count of all lines.
template <class O> struct jr_line_round : jr_round_end {
    template <class HELD, class INDEX>
    static __device__ __forceinline__ void fold(const jr_reducer &reducer, const HELD &held, jr_u32 k, jr_u32 before,
                                                jr_u32 count, const INDEX &index, jr_accumulator &acc) {
#if JR_ADDS_IN_PLACE
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (u < count) jr_take(reducer, acc, held[u].item(k, index.of(k, u)));
#else
        jr_accumulator terms[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            terms[u] = u < count ? reducer.lift(held[u].item(k, index.of(k, u))) : reducer.identity();
        acc = reducer.combine(acc, jr_line_pairs<JR_UNROLL>::fold(reducer, terms));
#endif
    }
};
#if JR_INPUTS == 1 && !JR_EXPRESSIONS // the items are the elements
#if JR_INTEGER_BYTES == 1 || JR_INTEGER_BYTES == 2
// Rounds of sums of 1- and 2-byte integers: a round's lines are added in 32 bits, each element by a dot product of its
// word with a one in its place; only that sum is widened.
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

template <class A> struct jr_narrow_round : jr_round_end {
    template <class HELD, class INDEX>
    static __device__ __forceinline__ void fold(const jr_reducer &, const HELD &held, jr_u32 k, jr_u32 before,
                                                jr_u32 count, const INDEX &, jr_accumulator &acc) {
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
#endif
#if JR_OPERATORS_STATISTICS && !JR_SKIP_NAN
// var and std: until its end an accumulator holds sums of differences from a pivot (fold/moments.cuh) in place of its
// own three numbers.
template <class O> struct jr_shifted_round {
    static __device__ __forceinline__ jr_shifted shifted(const jr_moments &acc) { return {acc.count, acc.mean, acc.m2}; }

    template <class HELD, class INDEX>
    static __device__ __forceinline__ void fold(const jr_reducer &, const HELD &held, jr_u32 k, jr_u32 before,
                                                jr_u32 count, const INDEX &, jr_moments &acc) {
        jr_shifted lines = shifted(acc);
        const jr_u32 rounds = before / JR_UNROLL;
        if (rounds == 0) lines.pivot = O::lift((JR_MAPPED)held[0].item(k, 0).x, 0).mean;
        if (rounds > 0 && (rounds & (rounds - 1)) == 0) lines.recentre(before, 1.0 / before);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (u < count) lines.add(O::lift((JR_MAPPED)held[u].item(k, 0).x, 0).mean);
        acc = {lines.pivot, lines.sum, lines.squares};
    }
    static __device__ __forceinline__ void end(jr_moments &acc, jr_u32 count) {
        if (count > 0) acc = shifted(acc).moments(count, 1.0 / count);
    }
};
template <class T, class A, class R> struct jr_line_round<jr_var<T, A, R>> : jr_shifted_round<jr_var<T, A, R>> {};
template <class T, class A, class R> struct jr_line_round<jr_std<T, A, R>> : jr_shifted_round<jr_std<T, A, R>> {};
#endif
#if JR_OPERATORS_INDEX
// Rounds of argmin and argmax: the extremum of a round's lines is found without their indices; then it is compared with
// the accumulator once.
//
// Lines are in the order of their indices, and loads past the last line repeat it: an equal value in a later line does
// not win.
template <class T, class R, int SIGN> struct jr_line_round<jr_extremum_index<T, R, SIGN, 0>> : jr_round_end {
    typedef jr_extremum_index<T, R, SIGN, 0> extremum;

    static __device__ __forceinline__ bool beats(T x, T best) {
        return (SIGN ? best < x : x < best) | ((x != x) & (best == best));
    }
    template <class HELD, class INDEX>
    static __device__ __forceinline__ void fold(const jr_reducer &, const HELD &held, jr_u32 k, jr_u32,
                                                jr_u32, const INDEX &index, jr_accumulator &acc) {
        T found = (JR_MAPPED)held[0].item(k, 0).x;
        jr_u32 line = 0;
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) {
            const T x = (JR_MAPPED)held[u].item(k, 0).x;
            const bool wins = beats(x, found);
            found = wins ? x : found;
            line = wins ? u : line;
        }
        const bool wins = beats(found, acc.value) | (acc.index[1] == jr_full_mask); // the accumulator has no value yet
        const jr_accumulator next = extremum::lift(found, index.of(k, line));
        acc = wins ? next : acc;
    }
};
#endif
#endif
