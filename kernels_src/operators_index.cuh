// Operators that give an index: argmin and argmax; the lowest index among equals, whatever the order of combining.
#pragma once

// The index lies in two words, so that nothing is padding.
template <class T> struct jr_indexed {
    T value;
    jr_u32 index[2];
    __device__ jr_u64 at() const { return (jr_u64)index[1] << 32 | index[0]; }
};

// Source of the rule: NumPy's argmin and argmax: the first NaN if there is one, else the first extremum; zeros of
// either sign are equal. With LEAVE_NAN a NaN is behind every number. Sign: 0 for argmin, 1 for argmax.
template <class T, class R, int SIGN, int LEAVE_NAN> struct jr_extremum_index {
    typedef jr_indexed<T> accumulator;
    static __device__ accumulator identity() {
        return {SIGN ? jr_limits<T>::lowest() : jr_limits<T>::highest(), {jr_full_mask, jr_full_mask}};
    }
    static __device__ accumulator lift(T x, jr_u64 i) { return {x, {(jr_u32)i, (jr_u32)(i >> 32)}}; }
    static __device__ bool wins(const accumulator &a, const accumulator &b) {
        const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
        if (LEAVE_NAN && b.at() == ~0ull) return true; // nothing yet
        if (LEAVE_NAN && a.at() == ~0ull) return false;
        if (a_nan != b_nan) return LEAVE_NAN ? b_nan : a_nan;
        if (!a_nan && a.value != b.value) return SIGN ? b.value < a.value : a.value < b.value;
        return a.at() < b.at();
    }
    static __device__ accumulator combine(const accumulator &a, const accumulator &b) { return wins(a, b) ? a : b; }
    static __device__ R finish(const accumulator &total, jr_u64, double) { return jr_to<R>::of((long long)total.at()); }
};
template <class T, class A, class R> struct jr_argmin : jr_extremum_index<T, R, 0, 0> {};
template <class T, class A, class R> struct jr_argmax : jr_extremum_index<T, R, 1, 0> {};
template <class T, class A, class R> struct jr_argmin_number : jr_extremum_index<T, R, 0, 1> {};
template <class T, class A, class R> struct jr_argmax_number : jr_extremum_index<T, R, 1, 1> {};
