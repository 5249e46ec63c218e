// Rounds of argmin and argmax: the extremum of a round's lines is looked for without their indices, and compared with
// them once.
#pragma once

// Lines come in the order of their indices, and what is asked for past the last one is that again: an equal one comes
// too late.
template <class T, class R, int SIGN> struct jr_line_round<jr_extremum_index<T, R, SIGN, 0>> {
    typedef jr_extremum_index<T, R, SIGN, 0> extremum;

    static __device__ __forceinline__ bool beats(T x, T best) {
        return (SIGN ? best < x : x < best) | ((x != x) & (best == best));
    }
    template <class HELD, class INDEX>
    static __device__ __forceinline__ void fold(const jr_reducer &, const HELD &held, jr_u32 k, jr_u32,
                                                const INDEX &index, jr_accumulator &acc) {
        T found = (JR_MAPPED)held[0].item(k, 0).x;
        jr_u32 line = 0;
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) {
            const T x = (JR_MAPPED)held[u].item(k, 0).x;
            const bool wins = beats(x, found);
            found = wins ? x : found;
            line = wins ? u : line;
        }
        const bool wins = beats(found, acc.value) | (acc.index[1] == jr_full_mask); // nothing yet
        const jr_accumulator next = extremum::lift(found, index.of(k, line));
        acc = wins ? next : acc;
    }
};
