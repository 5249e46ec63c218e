// Operators that give an index: argmin and argmax; the lowest index among equals, whatever the order of combining.
#pragma once

#include "core/limits.cuh"

// The index lies in two words, so that nothing is padding.
template <class T> struct jr_indexed {
    T value;
    jr_u32 index[2];
    __device__ jr_u64 at() const { return (jr_u64)index[1] << 32 | index[0]; }
};

// Source of the rule: NumPy's argmin and argmax: the first NaN if there is one, else the first extremum; zeros of
// either sign are equal. With LEAVE_NAN a NaN comes after every number. Sign: 0 for argmin, 1 for argmax.
template <class T, class R, int SIGN, int LEAVE_NAN> struct jr_extremum_index {
    typedef jr_indexed<T> accumulator;
    static __device__ accumulator identity() {
        return {SIGN ? jr_limits<T>::lowest() : jr_limits<T>::highest(), {jr_full_mask, jr_full_mask}};
    }
    static __device__ accumulator lift(T x, jr_u64 i) { return {x, {(jr_u32)i, (jr_u32)(i >> 32)}}; }
    // No branches: all lanes need all of it, and a combine is in the way of the result. With LEAVE_NAN, identity() loses to
    // an equal value, since its index is the highest, and of two NaNs either may win.
    static __device__ bool wins(const accumulator &a, const accumulator &b) {
        const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
        if (LEAVE_NAN) {
            const bool worse = SIGN ? a.value <= b.value : b.value <= a.value; // or equal; false with a NaN
            return !a_nan & (!worse | ((a.value == b.value) & (a.at() < b.at())));
        }
        const bool better = SIGN ? b.value < a.value : a.value < b.value; // false with a NaN
        const bool tie = (a.value == b.value) | (a_nan & b_nan);
        const bool by_nan = a_nan & !b_nan;
        return better | by_nan | (tie & (a.at() < b.at()));
    }
    static __device__ accumulator combine(const accumulator &a, const accumulator &b) {
        const bool w = wins(a, b);
        return {w ? a.value : b.value, {w ? a.index[0] : b.index[0], w ? a.index[1] : b.index[1]}};
    }
    // With LEAVE_NAN, a NaN is left only if there was nothing else: no index, that of identity().
    static __device__ R finish(const accumulator &total, jr_u64, double) {
        if (LEAVE_NAN && total.value != total.value) return jr_to<R>::of(-1ll);
        return jr_to<R>::of((long long)total.at());
    }
};
template <class T, class A, class R> using jr_argmin = jr_extremum_index<T, R, 0, 0>;
template <class T, class A, class R> using jr_argmax = jr_extremum_index<T, R, 1, 0>;
template <class T, class A, class R> using jr_argmin_number = jr_extremum_index<T, R, 0, 1>;
template <class T, class A, class R> using jr_argmax_number = jr_extremum_index<T, R, 1, 1>;
