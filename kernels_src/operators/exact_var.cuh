// Exact variances: D = n * sum(x * x) - sum(x)^2 as an integer, divided by n * (n - ddof) and rounded once; std is its
// root, rounded once. One thread computes D, a word at a time: its cost does not grow with the data.
#pragma once

#include "operators/exact.cuh"

// words = n * of, or words - of^2: the products of 32-bit words are carried as they come. Of N and M words.
template <jr_u32 N, jr_u32 M>
__device__ __noinline__ void jr_exact_times(jr_u32 (&words)[N], const jr_u32 (&of)[M], jr_u64 n) {
    const jr_u32 halves[2] = {(jr_u32)n, (jr_u32)(n >> 32)};
#pragma unroll 1
    for (jr_u32 h = 0; h < 2; h++) {
        jr_u64 carry = 0;
#pragma unroll 1
        for (jr_u32 w = h; w < N; w++) {
            carry += (w - h < M ? (jr_u64)of[w - h] * halves[h] : 0ull) + words[w];
            words[w] = (jr_u32)carry;
            carry >>= 32;
        }
    }
}
template <jr_u32 N, jr_u32 M>
__device__ __noinline__ void jr_exact_less_square(jr_u32 (&words)[N], const jr_u32 (&of)[M]) {
#pragma unroll 1
    for (jr_u32 a = 0; a < M; a++) {
        jr_u64 carry = 0;
        long long borrow = 0;
#pragma unroll 1
        for (jr_u32 w = a; w < N && of[a] != 0; w++) {
            carry += w - a < M ? (jr_u64)of[a] * of[w - a] : 0ull;
            borrow += (long long)words[w] - (long long)(jr_u32)carry;
            words[w] = (jr_u32)borrow;
            borrow >>= 32;
            carry >>= 32;
        }
    }
}
// The size of a number in two's complement, in place.
template <jr_u32 N> __device__ __forceinline__ void jr_exact_absolute(jr_u32 (&words)[N]) {
    if (!(words[N - 1] >> 31)) return;
    jr_u64 carry = 1;
#pragma unroll 1
    for (jr_u32 w = 0; w < N; w++) {
        carry += (jr_u64)(jr_u32)~words[w];
        words[w] = (jr_u32)carry;
        carry >>= 32;
    }
}
// Divides words by n, which is not 0; returns whether the remainder is not 0.
template <jr_u32 N> __device__ __noinline__ bool jr_exact_divide_words(jr_u32 (&words)[N], jr_u64 n) {
    jr_u64 rest = 0;
#pragma unroll 1
    for (int w = (int)N - 1; w >= 0; w--) {
        jr_u32 quotient = 0;
        if (rest == 0 && words[w] == 0) continue;
#pragma unroll 1
        for (int bit = 31; bit >= 0; bit--) {
            const bool beyond = rest >> 63;
            rest = rest << 1 | (words[w] >> bit & 1);
            const bool takes = beyond || rest >= n;
            if (takes) rest -= n;
            quotient = quotient << 1 | takes;
        }
        words[w] = quotient;
    }
    return rest != 0;
}

// The sum of elements, and that of their squares.
template <class S, class Q> struct jr_exact_moments {
    S sum;
    Q squares;
};

template <class T, class A, class R> struct jr_var_exact {
    typedef A accumulator;
    typedef jr_no_summand summand;
    typedef decltype(A::sum) sum_type;
    typedef decltype(A::squares) squares_type;
    typedef jr_sum_exact<T, sum_type, R> sums;
    typedef jr_sumsq_exact<T, squares_type, R> squares;
    // fraction_words: words after the point, for quotients with more bits than rounding looks at; the rest is room for
    // n * squares.
    static constexpr jr_u32 fraction_words = 10, word_count = fraction_words + squares_type::word_count + 3;

    static __device__ A identity() { return {sums::identity(), squares::identity()}; }
    static __device__ void add(A &to, T x) {
        sums::add(to.sum, x);
        squares::add(to.squares, x);
    }
    static __device__ A lift(T x, jr_u64) { return {sums::lift(x, 0), squares::lift(x, 0)}; }
    static __device__ A combine(const A &a, const A &b) {
        return {sums::combine(a.sum, b.sum), squares::combine(a.squares, b.squares)};
    }
    // The variance's size; *special: the variance when its size is 0.
    static __device__ __noinline__ jr_exact_size size_of(const A &total, double ddof, double *special) {
        const jr_u64 n = sums::count(total.sum), less = (jr_u64)ddof;
        jr_u32 words[word_count], difference[word_count - fraction_words];
        jr_exact_size size = {0, 0, 0, false, false};
        *special = jr_limits<double>::nan();
        if (n == 0 || jr_exact_is_special(total.sum.marks)) return size;
#pragma unroll 1
        for (jr_u32 w = 0; w < word_count - fraction_words; w++) difference[w] = 0;
        jr_u32 sum[sum_type::word_count];
#pragma unroll 1
        for (jr_u32 w = 0; w < sum_type::word_count; w++) sum[w] = total.sum.words[w];
        jr_exact_absolute(sum);
        jr_exact_times(difference, total.squares.words, n);
        jr_exact_less_square(difference, sum);
#pragma unroll 1
        for (jr_u32 w = 0; w < word_count; w++) words[w] = w < fraction_words ? 0 : difference[w - fraction_words];
        const bool none = jr_exact_top(words, 0) < 0;
        if (n <= less) { // a division by 0
            if (!none) *special = jr_limits<double>::highest();
            return size;
        }
        *special = 0;
        if (none) return size;
        const bool lost = jr_exact_divide_words(words, n);
        const bool more = jr_exact_divide_words(words, n - less);
        size = jr_exact_size_of(words, squares_type::least - 32 * (int)fraction_words);
        size.sticky |= lost || more;
        return size;
    }
    static __device__ R finish(const A &total, jr_u64, double ddof) {
        double special;
        const jr_exact_size size = size_of(total, ddof, &special);
        return size.high == 0 ? jr_to<R>::of(special) : jr_exact_to<R>::of(size);
    }
};
template <class T, class A, class R> struct jr_std_exact : jr_var_exact<T, A, R> {
    static __device__ R finish(const A &total, jr_u64, double ddof) {
        double special;
        const jr_exact_size size = jr_var_exact<T, A, R>::size_of(total, ddof, &special);
        return size.high == 0 ? jr_to<R>::of(special) : jr_exact_to<R>::of(jr_exact_root(size));
    }
};
