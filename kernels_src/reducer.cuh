// The reducer: the operator with the caller's expressions and arguments around it; all that algorithms know of both.
#pragma once

#include "operators.cuh"

#if JR_EXPRESSIONS
#include "expressions.cuh" // written for this kernel (src/program/expressions.c)
#else
// What the operator is given of an item, which items it is given, and what becomes of its result.
__device__ __forceinline__ JR_MAPPED jr_map(const jr_item &item, const jr_call &) { return (JR_MAPPED)item.x; }
__device__ __forceinline__ bool jr_where(const jr_item &, const jr_call &) { return true; }
template <class R> __device__ __forceinline__ R jr_finished(R a, jr_u64, const jr_call &) { return a; }
#endif

typedef JR_OPERATOR jr_operator;
typedef jr_operator::accumulator jr_accumulator;
static_assert(sizeof(jr_accumulator) == JR_ACCUMULATOR_BYTES, "contract: JR_ACCUMULATOR_BYTES is not the size");

// An accumulator as 32-bit words: what shuffles and slots can carry, whatever its type.
constexpr jr_u32 jr_accumulator_words = (sizeof(jr_accumulator) + 3) / 4;

union jr_accumulator_bits {
    jr_accumulator value;
    jr_u32 words[jr_accumulator_words];
    __device__ jr_accumulator_bits() {}
};

#if !JR_COMBINE
struct jr_combiner {
    const jr_call &call;
    __device__ jr_accumulator identity() const { return jr_operator::identity(); }
    __device__ jr_accumulator combine(jr_accumulator a, jr_accumulator b) const {
        return jr_operator::combine(a, b);
    }
};
#endif

#if JR_SKIP_NAN
template <class T> __device__ __forceinline__ bool jr_left_out(const T &x) { return x != x; }
#else
template <class T> __device__ __forceinline__ bool jr_left_out(const T &) { return false; }
#endif

// Stores a result; one that is STREAMED, of 4 or 8 bytes in device memory, as what caches give up first.
template <bool STREAMED, unsigned BYTES> struct jr_result_store {
    template <class T> static __device__ void store(void *out, const T &result) { *(T *)out = result; }
};
template <> struct jr_result_store<true, 4> {
    template <class T> static __device__ void store(void *out, const T &result) {
        jr_u32 word;
        memcpy(&word, &result, 4);
        asm volatile("st.global.cs.b32 [%0], %1;" ::"l"(out), "r"(word) : "memory");
    }
};
template <> struct jr_result_store<true, 8> {
    template <class T> static __device__ void store(void *out, const T &result) {
        jr_u64 word;
        memcpy(&word, &result, 8);
        asm volatile("st.global.cs.b64 [%0], %1;" ::"l"(out), "l"(word) : "memory");
    }
};

// Writes the result of an operator.
template <class O> struct jr_writer {
    template <bool STREAMED = false>
    static __device__ void write(jr_u8 *out, const typename O::accumulator &total, jr_u64 count, const jr_call &call) {
        const auto result = jr_finished(O::finish(total, count, call.ddof), count, call);
        jr_result_store<STREAMED, sizeof(result)>::store(out, result);
    }
};
#if JR_OPERATORS_STATISTICS
constexpr jr_u32 jr_result_bytes = 16; // from one result of a list to the next
template <class O, class P> struct jr_writer<jr_both<O, P>> {
    template <bool STREAMED = false>
    static __device__ void write(jr_u8 *out, const typename jr_both<O, P>::accumulator &total, jr_u64 count,
                                 const jr_call &call) {
        // The gaps between results are written, too: callers copy them all at once.
        *(uint4 *)out = {};
        *(uint4 *)(out + jr_result_bytes) = {};
        jr_writer<O>::write(out, total.first, count, call);
        jr_writer<P>::write(out + jr_result_bytes, total.rest, count, call);
    }
};
#endif

#if JR_INITIAL
// A result as the accumulator that it came from.
__device__ __forceinline__ jr_accumulator jr_resumed(JR_INITIAL_TYPE result, const void *) {
    return (jr_accumulator)result;
}
template <class T, class A, class R>
__device__ __forceinline__ jr_accumulator jr_resumed(JR_INITIAL_TYPE result, const jr_min<T, A, R> *) {
    return jr_rank<A, 0>::of((A)result);
}
template <class T, class A, class R>
__device__ __forceinline__ jr_accumulator jr_resumed(JR_INITIAL_TYPE result, const jr_max<T, A, R> *) {
    return jr_rank<A, 1>::of((A)result);
}
#endif

struct jr_reducer : jr_combiner {
    __device__ explicit jr_reducer(const jr_call &of) : jr_combiner{of} {}

    __device__ jr_accumulator lift(const jr_item &item) const {
        if (!jr_where(item, call)) return identity();
        const JR_MAPPED value = jr_map(item, call);
        return jr_left_out(value) ? identity() : jr_operator::lift(value, item.i);
    }

    // Writes one result of several, of `count` elements.
    template <bool STREAMED = false>
    __device__ void write_one(void *out, const jr_accumulator &total, jr_u64 count) const {
        jr_writer<jr_operator>::template write<STREAMED>((jr_u8 *)out, with_initial(total), count, call);
    }

    // Writes the result of `count` elements.
    __device__ void write(void *out, const jr_accumulator &total, jr_u64 count) const {
        write_one(out, total, count);
        if (call.mark) asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(call.mark), "r"(1) : "memory");
    }

#if JR_INITIAL
    // The initial value comes first.
    __device__ jr_accumulator with_initial(const jr_accumulator &total) const {
        return combine(jr_resumed(*(const JR_INITIAL_TYPE *)call.initial, (const jr_operator *)0), total);
    }
#else
    __device__ jr_accumulator with_initial(const jr_accumulator &total) const { return total; }
#endif
};
