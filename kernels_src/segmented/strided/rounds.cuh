// Rounds: what a thread has loaded of JR_UNROLL lines, folded column by column. INDEX: of(k, u), what number element k of
// line u has in its column.
#pragma once

#include "segmented/strided/lines.cuh"

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

// Folds element k of what was loaded of a round's lines behind an accumulator; the first `count` of them are taken.
template <class O> struct jr_line_round {
    template <class HELD, class INDEX>
    static __device__ __forceinline__ void fold(const jr_reducer &reducer, const HELD &held, jr_u32 k, jr_u32 count,
                                                const INDEX &index, jr_accumulator &acc) {
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
#include "segmented/strided/line_narrow.cuh"
#endif
#if JR_OPERATORS_INDEX
#include "segmented/strided/line_index.cuh"
#endif
#endif
