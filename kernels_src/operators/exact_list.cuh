// Lists with exact sums: what is combined is hundreds of words, which lie in memory. Elements are added, and accumulators
// combined, where they lie, those of each operator by a function that is called: written out and handed on by value, as
// small accumulators are, seven operators took NVRTC longer than its limit.
#pragma once

#include "core/compound.cuh"

// Copies words one by one: of a struct that is copied as one the compiler writes out all. By instructions of which it knows
// nothing: NVRTC 12.0 lost such copies where two lists lay side by side.
template <jr_u32 N> __device__ __noinline__ void jr_copy_words(jr_u32 *to, const jr_u32 *from) {
#pragma unroll 1
    for (jr_u32 w = 0; w < N; w++) {
        jr_u32 word;
        asm volatile("ld.u32 %0, [%1];" : "=r"(word) : "l"(from + w) : "memory");
        asm volatile("st.u32 [%0], %1;" ::"l"(to + w), "r"(word) : "memory");
    }
}

// Adds an element by O's own function, or combines with what it is lifted to.
template <class O, class A, class T>
__device__ __forceinline__ auto jr_add_by(A &sum, const T &x, jr_u64, int) -> decltype(O::add(sum, x)) {
    O::add(sum, x);
}
template <class O, class A, class T> __device__ __forceinline__ void jr_add_by(A &sum, const T &x, jr_u64 i, long) {
    sum = O::combine(sum, O::lift(x, i));
}

// An operator in a list. place: what its accumulator is there, aligned to 4 bytes: of one that asks for more a copy is
// combined.
template <class O, bool ALIGNED = (alignof(typename O::accumulator) <= 4)> struct jr_listed {
    typedef typename O::accumulator place;
    static __device__ __noinline__ void clear(place &part) { part = O::identity(); }
    static __device__ __noinline__ void combine(place &part, const place &other) { part = O::combine(part, other); }
    template <class T> static __device__ __forceinline__ void add(place &part, const T &x, jr_u64 i) {
        jr_add_by<O>(part, x, i, 0);
    }
};
template <class O> struct jr_listed<O, false> {
    typedef typename O::accumulator accumulator;
    typedef jr_unaligned<accumulator> place;
    static __device__ __forceinline__ void clear(place &part) { part = O::identity(); }
    static __device__ __forceinline__ void combine(place &part, const place &other) {
        const accumulator one = part, two = other;
        part = O::combine(one, two);
    }
    template <class T> static __device__ __forceinline__ void add(place &part, const T &x, jr_u64 i) {
        const accumulator one = part;
        part = O::combine(one, O::lift(x, i));
    }
};
template <class O> using jr_lies_as = typename jr_listed<O>::place;

template <class O, class T> __device__ void jr_add_to_list(jr_lies_as<O> &list, T x, jr_u64 i);

// As in statistics.cuh.
template <class O, class P> struct jr_both {
    struct JR_COMPOUND accumulator {
        jr_member<typename O::accumulator> first;
        jr_member<typename P::accumulator> rest;

        accumulator() = default;
        __device__ __forceinline__ accumulator(const accumulator &from) { *this = from; }
        __device__ __forceinline__ accumulator &operator=(const accumulator &from) {
            jr_copy_words<sizeof(accumulator) / 4>((jr_u32 *)this, (const jr_u32 *)&from);
            return *this;
        }
    };
    static __device__ __forceinline__ accumulator identity() {
        accumulator none;
        jr_listed<jr_both>::clear(none);
        return none;
    }
    template <class T> static __device__ __forceinline__ accumulator lift(const T &x, jr_u64 i) {
        accumulator sum = identity();
        jr_add_to_list<jr_both, T>(sum, x, i);
        return sum;
    }
    static __device__ __forceinline__ accumulator combine(const accumulator &a, const accumulator &b) {
        accumulator sum = a;
        jr_listed<jr_both>::combine(sum, b);
        return sum;
    }
};
template <class O, class P> struct jr_listed<jr_both<O, P>, true> {
    typedef typename jr_both<O, P>::accumulator place;
    static __device__ __forceinline__ void clear(place &part) {
        jr_listed<O>::clear(*(jr_lies_as<O> *)&part.first);
        jr_listed<P>::clear(*(jr_lies_as<P> *)&part.rest);
    }
    static __device__ __forceinline__ void combine(place &part, const place &other) {
        jr_listed<O>::combine(*(jr_lies_as<O> *)&part.first, *(const jr_lies_as<O> *)&other.first);
        jr_listed<P>::combine(*(jr_lies_as<P> *)&part.rest, *(const jr_lies_as<P> *)&other.rest);
    }
    template <class T> static __device__ __forceinline__ void add(place &part, const T &x, jr_u64 i) {
        jr_listed<O>::add(*(jr_lies_as<O> *)&part.first, x, i);
        jr_listed<P>::add(*(jr_lies_as<P> *)&part.rest, x, i);
    }
};

// The same of a whole list, by a function that is called: a thread may have sixteen elements at hand.
template <class O, class T> __device__ __noinline__ void jr_add_to_list(jr_lies_as<O> &list, T x, jr_u64 i) {
    jr_listed<O>::add(list, x, i);
}
