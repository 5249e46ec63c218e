// Compounds: structs of accumulators without padding, which would be copied without ever having been written. Their members
// lie at multiples of 4 bytes.
#pragma once

#include "core/types.cuh"

// An accumulator as 32-bit words: what shuffles and slots can carry, whatever its type.
template <class A> union jr_bits {
    static constexpr jr_u32 count = (sizeof(A) + 3) / 4;
    A value;
    jr_u32 words[count];
    __device__ __forceinline__ jr_bits() {}
};

// How many of an accumulator's words are gone through in code that is written out: all, but of an exact sum, which lies in
// memory, one by one in a loop, which compiles sooner.
template <class A> constexpr jr_u32 jr_unrolled_words = jr_bits<A>::count <= 64 ? jr_bits<A>::count : 1;

// A struct that asks for more than 4 bytes, where it need not lie so.
template <class A> struct jr_unaligned {
    jr_u32 words[sizeof(A) / 4];
    jr_unaligned() = default;
    __device__ __forceinline__ jr_unaligned(const A &value) {
        jr_bits<A> bits;
        bits.value = value;
#pragma unroll(jr_unrolled_words<A>)
        for (jr_u32 w = 0; w < jr_bits<A>::count; w++) words[w] = bits.words[w];
    }
    __device__ __forceinline__ operator A() const {
        jr_bits<A> bits;
#pragma unroll(jr_unrolled_words<A>)
        for (jr_u32 w = 0; w < jr_bits<A>::count; w++) bits.words[w] = words[w];
        return bits.value;
    }
};

// member: what A is in a compound. aligned: what it is read as: a reference promises the compiler that it is aligned.
// NVRTC 13.0 copies a struct out of a packed one as if it were aligned, too; that matters only together with exact
// sums, which are in local memory: in registers words are in the way (machine code of lists for an H200: up to 11 %
// more instructions).
template <class A, bool WIDE = (alignof(A) > 4), bool STRUCT = JR_OPERATORS_EXACT && (__is_class(A) || __is_union(A))>
struct jr_in_compound {
    typedef A member;
    typedef const A &aligned;
};
template <class A> struct jr_in_compound<A, true, false> {
    typedef A member;
    typedef const A aligned;
};
template <class A> struct jr_in_compound<A, true, true> {
    typedef jr_unaligned<A> member;
    typedef const A aligned;
};
template <class A> using jr_member = typename jr_in_compound<A>::member;
template <class A> using jr_aligned = typename jr_in_compound<A>::aligned;

#define JR_COMPOUND       __attribute__((packed, aligned(4)))
#define JR_COMPOUND_OF(A) __attribute__((packed)) alignas(alignof(A) < 4 ? alignof(A) : 4)
