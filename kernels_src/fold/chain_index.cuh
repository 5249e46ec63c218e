// Chains of argmin and argmax: the extremum of a pack is compared, not each element with its index; the pack that holds
// the best one is kept, and the element is looked for in it at the end. One chain is enough: a pack takes little.
#pragma once

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
