// Exact sums: every element is added to an integer that is wide enough for all of them, and the result is rounded once,
// to nearest, ties to even. Integers can be added in any order, so every algorithm gives the same bits.
//
// The integer is in two's complement; its lowest bit is worth 2^LEAST, the least number that a term can be a multiple of,
// and 2^64 of the greatest terms do not overflow it (src/spec/reduction_part.c). What no integer can hold is marked: NaN,
// infinities, and whether there was anything besides -0 (IEEE 754-2019, 6.3: the sum of -0 alone is -0).
// Source of the idea: U. Kulisch, "Computer Arithmetic and Validity" (2008), the complete register.
#pragma once

#include "core/limits.cuh"
#include "operators/exact_size.cuh"

template <int LEAST, jr_u32 WORDS> struct jr_exact {
    static constexpr int least = LEAST;
    static constexpr jr_u32 word_count = WORDS;
    jr_u32 words[WORDS]; // the lowest first
    jr_u32 marks;        // JR_EXACT_...
    jr_u32 count[2];     // of elements: low, high
};

// A term: (high * 2^64 + low) * 2^exponent with a sign, or what its marks say.
struct jr_exact_term {
    jr_u64 low, high;
    int exponent;
    jr_u32 marks;
    bool negative;
};

__device__ __forceinline__ jr_exact_term jr_exact_finite(jr_u64 bits, int exponent, bool negative) {
    return {bits, 0, exponent, JR_EXACT_ANY | (bits || !negative ? JR_EXACT_NOT_MINUS_ZERO : 0u), negative};
}
__device__ __forceinline__ jr_exact_term jr_exact_special(bool nan, bool negative) {
    const jr_u32 mark = nan ? JR_EXACT_NAN : negative ? JR_EXACT_MINUS_INFINITE : JR_EXACT_PLUS_INFINITE;
    return {0, 0, 0, JR_EXACT_ANY | JR_EXACT_NOT_MINUS_ZERO | mark, negative};
}
__device__ __forceinline__ jr_exact_term jr_exact_term_of(float x) {
    const jr_u32 bits = __float_as_uint(x), exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    if (exponent == 0xff) return jr_exact_special(fraction != 0, bits >> 31);
    return jr_exact_finite(exponent ? fraction | 0x800000 : fraction, (int)(exponent ? exponent : 1) - 150, bits >> 31);
}
__device__ __forceinline__ jr_exact_term jr_exact_term_of(double x) {
    const jr_u64 bits = (jr_u64)__double_as_longlong(x), fraction = bits & 0xfffffffffffffull;
    const jr_u32 exponent = (jr_u32)(bits >> 52) & 0x7ff;
    if (exponent == 0x7ff) return jr_exact_special(fraction != 0, bits >> 63);
    return jr_exact_finite(exponent ? fraction | 1ull << 52 : fraction, (int)(exponent ? exponent : 1) - 1075, bits >> 63);
}
#define JR_EXACT_TERM_OF(type)                                                                                         \
    __device__ __forceinline__ jr_exact_term jr_exact_term_of(type x) { return jr_exact_term_of((float)x); }
JR_NARROW_FLOATS(JR_EXACT_TERM_OF)
template <class T> __device__ __forceinline__ jr_exact_term jr_exact_term_of(T x) { // integers
    return jr_exact_finite(x < T(0) ? 0 - (jr_u64)x : (jr_u64)x, 0, x < T(0));
}

// The product of two terms of up to 64 bits.
__device__ __forceinline__ jr_exact_term jr_exact_product(const jr_exact_term &a, const jr_exact_term &b) {
    const jr_u32 infinite = JR_EXACT_PLUS_INFINITE | JR_EXACT_MINUS_INFINITE, marks = a.marks | b.marks;
    const bool negative = a.negative != b.negative;
    if (marks & (JR_EXACT_NAN | infinite)) {
        const bool zero = (!(a.marks & infinite) && a.low == 0) || (!(b.marks & infinite) && b.low == 0);
        return jr_exact_special(marks & JR_EXACT_NAN || zero, negative);
    }
    jr_exact_term product = jr_exact_finite(a.low * b.low, a.exponent + b.exponent, negative);
    product.high = __umul64hi(a.low, b.low);
    if (product.high) product.marks |= JR_EXACT_NOT_MINUS_ZERO;
    return product;
}

// Adds or subtracts pieces of 32 bits from word `at` on, and carries as far as it takes.
template <class A, jr_u32 N>
__device__ __forceinline__ void jr_exact_add_pieces(A &sum, const jr_u32 (&pieces)[N], jr_u32 at, bool negative) {
    long long carry = 0;
#pragma unroll 1
    for (jr_u32 k = 0; at + k < A::word_count && (k < N || carry != 0); k++) {
        const long long piece = k < N ? (long long)pieces[k] : 0;
        carry += (long long)sum.words[at + k] + (negative ? -piece : piece);
        sum.words[at + k] = (jr_u32)carry;
        carry >>= 32;
    }
}

template <class A> __device__ __noinline__ void jr_exact_add(A &sum, const jr_exact_term &term) {
    // A term with bits below the least is a multiple of it all the same: those bits are 0.
    const int place = term.exponent - A::least;
    const jr_u32 by = place < 0 ? 0 - place : 0, left = place < 0 ? 0 : place % 32, at = place < 0 ? 0 : place / 32;
    const jr_u64 low = by < 64 ? term.low >> by | (term.high << 1) << (63 - by) : term.high >> (by & 63);
    const jr_u64 high = by < 64 ? term.high >> by : 0;
    const jr_u32 words[4] = {(jr_u32)low, (jr_u32)(low >> 32), (jr_u32)high, (jr_u32)(high >> 32)};
    const jr_u32 pieces[5] = {words[0] << left, __funnelshift_l(words[0], words[1], left),
                              __funnelshift_l(words[1], words[2], left), __funnelshift_l(words[2], words[3], left),
                              __funnelshift_l(words[3], 0, left)};
    sum.marks |= term.marks;
    if (low | high) jr_exact_add_pieces(sum, pieces, at, term.negative);
}

template <class A> __device__ __noinline__ A jr_exact_combine(const A &a, const A &b) {
    A sum;
    jr_u64 carry = 0;
#pragma unroll 1
    for (jr_u32 w = 0; w < A::word_count; w++) {
        carry += (jr_u64)a.words[w] + b.words[w];
        sum.words[w] = (jr_u32)carry;
        carry >>= 32;
    }
    const jr_u32 low = a.count[0] + b.count[0];
    sum.marks = a.marks | b.marks;
    sum.count[0] = low;
    sum.count[1] = a.count[1] + b.count[1] + (low < a.count[0]);
    return sum;
}

__device__ __forceinline__ bool jr_exact_is_special(jr_u32 marks) {
    return marks & (JR_EXACT_NAN | JR_EXACT_PLUS_INFINITE | JR_EXACT_MINUS_INFINITE);
}
// What marks say that it is, or a zero.
template <class R> __device__ __forceinline__ R jr_exact_marked(jr_u32 marks) {
    const jr_u32 both = JR_EXACT_PLUS_INFINITE | JR_EXACT_MINUS_INFINITE;
    if (marks & JR_EXACT_NAN || (marks & both) == both) return jr_to<R>::of(jr_limits<double>::nan());
    if (marks & JR_EXACT_PLUS_INFINITE) return jr_to<R>::of(jr_limits<double>::highest());
    if (marks & JR_EXACT_MINUS_INFINITE) return jr_to<R>::of(jr_limits<double>::lowest());
    return jr_to<R>::of((marks & (JR_EXACT_ANY | JR_EXACT_NOT_MINUS_ZERO)) == JR_EXACT_ANY ? -0.0 : 0.0);
}

// What is added of an element by algorithms for floats and doubles alone: itself, or a product: of floats one that a double
// holds, of a float's square its root, else its factors. Others have none.
struct jr_no_summand {};
struct jr_square {
    float root;
};
struct jr_product {
    double x, y;
};
__device__ __forceinline__ jr_exact_term jr_exact_term_of(const jr_product &of) {
    return jr_exact_product(jr_exact_term_of(of.x), jr_exact_term_of(of.y));
}
template <class T> struct jr_summand_of { typedef jr_no_summand type; };
template <> struct jr_summand_of<float> { typedef float type; };
template <> struct jr_summand_of<double> { typedef double type; };
__device__ __forceinline__ double jr_exact_value(double x) {
    return x;
}
__device__ __forceinline__ double jr_exact_value(jr_square x) {
    return (double)x.root * (double)x.root;
}
__device__ __forceinline__ jr_exact_term jr_exact_term_of(jr_square x) {
    return jr_exact_term_of(jr_exact_value(x));
}
template <class X, class Y> struct jr_product_of { typedef jr_no_summand type; };
template <> struct jr_product_of<float, float> { typedef double type; };
template <> struct jr_product_of<float, double> { typedef jr_product type; };
template <> struct jr_product_of<double, float> { typedef jr_product type; };
template <> struct jr_product_of<double, double> { typedef jr_product type; };

template <class S> struct jr_product_as { // S: as above
    static __device__ __forceinline__ S of(double x, double y) { return {x, y}; }
};
template <> struct jr_product_as<double> {
    static __device__ __forceinline__ double of(double x, double y) { return x * y; }
};

template <class T> struct jr_square_of {
    typedef typename jr_product_of<T, T>::type type;
    static __device__ __forceinline__ type of(T x) { return jr_product_as<type>::of(x, x); }
};
template <> struct jr_square_of<float> {
    typedef jr_square type;
    static __device__ __forceinline__ jr_square of(float x) { return {x}; }
};

// What all exact operators share. O: `term` of an element, and what becomes of the sum's size.
template <class O, class A, class R> struct jr_exact_plain {
    typedef A accumulator;
    static constexpr bool squares = false; // are a product's factors always the same?
    static __device__ __forceinline__ A identity() {
        A none;
#pragma unroll 1
        for (jr_u32 w = 0; w < A::word_count; w++) none.words[w] = 0;
        none.marks = none.count[0] = none.count[1] = 0;
        return none;
    }
    template <class T> static __device__ __forceinline__ void add(A &sum, const T &x) {
        jr_exact_add(sum, O::term(x));
        sum.count[1] += ++sum.count[0] == 0;
    }
    template <class T> static __device__ __forceinline__ A lift(const T &x, jr_u64) {
        A sum = identity();
        add(sum, x);
        return sum;
    }
    // An initial value, which counts for no element.
    template <class V> static __device__ __forceinline__ A resumed(const V &value) {
        A sum = identity();
        jr_exact_add(sum, jr_exact_term_of(value));
        return sum;
    }
    static __device__ __forceinline__ A combine(const A &a, const A &b) { return jr_exact_combine(a, b); }
    static __device__ __forceinline__ jr_u64 count(const A &sum) { return (jr_u64)sum.count[1] << 32 | sum.count[0]; }
    static __device__ R finish(const A &sum, jr_u64, double) {
        return O::finish_size(jr_exact_size_of(sum.words, A::least), sum.marks, count(sum));
    }
    static __device__ R finish_size(const jr_exact_size &size, jr_u32 marks, jr_u64) {
        return jr_exact_is_special(marks) || size.high == 0 ? jr_exact_marked<R>(marks) : jr_exact_to<R>::of(size);
    }
};

template <class T, class A, class R> struct jr_sum_exact : jr_exact_plain<jr_sum_exact<T, A, R>, A, R> {
    typedef typename jr_summand_of<T>::type summand;
    static __device__ __forceinline__ summand summand_of(T x) { return x; }
    static __device__ __forceinline__ jr_exact_term term(T x) { return jr_exact_term_of(x); }
};
template <class T, class A, class R> struct jr_mean_exact : jr_exact_plain<jr_mean_exact<T, A, R>, A, R> {
    typedef typename jr_summand_of<T>::type summand;
    static __device__ __forceinline__ summand summand_of(T x) { return x; }
    static __device__ __forceinline__ jr_exact_term term(T x) { return jr_exact_term_of(x); }
    static __device__ R finish_size(const jr_exact_size &size, jr_u32 marks, jr_u64 count) {
        if (count == 0) return jr_exact_marked<R>(JR_EXACT_NAN);
        if (jr_exact_is_special(marks) || size.high == 0) return jr_exact_marked<R>(marks);
        return jr_exact_to<R>::of(jr_exact_divided(size, count));
    }
};
// Sums of what is never -0.
template <class T, class A, class R> struct jr_norm1_exact : jr_exact_plain<jr_norm1_exact<T, A, R>, A, R> {
    typedef typename jr_summand_of<T>::type summand;
    static __device__ __forceinline__ summand summand_of(T x) { return x < 0 || x == 0 ? summand(0) - x : x; }
    static __device__ __forceinline__ jr_exact_term term(T x) {
        jr_exact_term size = jr_exact_term_of(x);
        if (size.marks & JR_EXACT_MINUS_INFINITE) size.marks ^= JR_EXACT_MINUS_INFINITE | JR_EXACT_PLUS_INFINITE;
        size.marks |= JR_EXACT_NOT_MINUS_ZERO;
        size.negative = false;
        return size;
    }
};
template <class T, class A, class R> struct jr_sumsq_exact : jr_exact_plain<jr_sumsq_exact<T, A, R>, A, R> {
    typedef typename jr_square_of<T>::type summand;
    static constexpr bool squares = true;
    static __device__ __forceinline__ summand summand_of(T x) { return jr_square_of<T>::of(x); }
    static __device__ __forceinline__ jr_exact_term term(T x) {
        const jr_exact_term one = jr_exact_term_of(x);
        return jr_exact_product(one, one);
    }
};
template <class T, class A, class R> struct jr_norm2_exact : jr_exact_plain<jr_norm2_exact<T, A, R>, A, R> {
    typedef typename jr_square_of<T>::type summand;
    static constexpr bool squares = true;
    static __device__ __forceinline__ summand summand_of(T x) { return jr_square_of<T>::of(x); }
    static __device__ __forceinline__ jr_exact_term term(T x) { return jr_sumsq_exact<T, A, R>::term(x); }
    static __device__ R finish_size(const jr_exact_size &size, jr_u32 marks, jr_u64) {
        if (jr_exact_is_special(marks) || size.high == 0) return jr_exact_marked<R>(marks);
        return jr_exact_to<R>::of(jr_exact_root(size));
    }
};

// The elements of two arrays side by side, whose products are added.
template <class X, class Y> struct jr_factors {
    X x;
    Y y;
};
// True if their product is NaN, like x != x for a number.
template <class X, class Y>
__device__ __forceinline__ bool operator!=(const jr_factors<X, Y> &a, const jr_factors<X, Y> &) {
    const double product = (double)a.x * (double)a.y;
    return product != product;
}
template <class T, class A, class R> struct jr_dot_exact : jr_exact_plain<jr_dot_exact<T, A, R>, A, R> {
    typedef typename jr_product_of<decltype(T::x), decltype(T::y)>::type summand;
    static __device__ __forceinline__ summand summand_of(const T &of) { return jr_product_as<summand>::of(of.x, of.y); }
    static __device__ __forceinline__ jr_exact_term term(const T &of) {
        constexpr bool integers = !(decltype(T::x))0.5f && !(decltype(T::y))0.5f; // which have no -0
        jr_exact_term product = jr_exact_product(jr_exact_term_of(of.x), jr_exact_term_of(of.y));
        if (integers) product.marks |= JR_EXACT_NOT_MINUS_ZERO;
        return product;
    }
};
