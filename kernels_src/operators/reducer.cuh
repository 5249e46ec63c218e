// The reducer: the operator together with the caller's expressions and arguments. Algorithms know both through it only.
#pragma once

#include "operators/operators.cuh"

#if JR_EXPRESSIONS
#include "expressions.cuh" // written for this kernel (src/spec/expressions.c)
#if 0                      // what that text may include: a program has the headers that its texts name (tools/dev/embed.c)
#include "operators/functions.cuh"
#include "operators/kinds.cuh"
#include "operators/log_sum.cuh"
#endif
#else
// What the operator gets of an item, which items it gets, and how its result is finished. These are macros, since each
// function that a kernel calls adds 1 % to its compile time.
#define jr_map(item, call)          ((JR_MAPPED)(item).x)
#define jr_where(item, call)        true
#define jr_selects                  false // true if `where` skips items
#define jr_finished(a, count, call) (a)
#endif

typedef JR_OPERATOR jr_asked;
#if JR_KEPT
// Kept: the requested operator with the count of elements that it was given. The count distinguishes a value from the
// result of no elements.
#if JR_COMBINE
#define jr_asked_identity(call)      jr_custom_identity(call)
#define jr_asked_combine(a, b, call) jr_custom_combine(a, b, call)
#else
#define jr_asked_identity(call)      jr_asked::identity()
#define jr_asked_combine(a, b, call) jr_asked::combine(a, b)
#endif

struct jr_kept {
    struct JR_COMPOUND_OF(jr_asked::accumulator) accumulator {
        jr_member<jr_asked::accumulator> of;
        jr_u64 kept;
    };
    template <class T> static __device__ __forceinline__ accumulator lift(const T &x, jr_u64 i) {
        return {jr_asked::lift(x, i), 1};
    }
    // For scans, which do not take lists.
    template <class A, class O = jr_asked>
    static __device__ __forceinline__ auto finish(const A &total, jr_u64 count, double ddof) {
        const typename O::accumulator of = total.of;
        return O::finish(of, count, ddof);
    }
};

struct jr_combiner : jr_kept {
    const jr_call &call;
    __device__ __forceinline__ accumulator identity() const { return {jr_asked_identity(call), 0}; }
    __device__ __forceinline__ accumulator combine(const accumulator &a, const accumulator &b) const {
        const jr_asked::accumulator one = a.of, other = b.of;
        return {jr_asked_combine(one, other, call), a.kept + b.kept};
    }
};
typedef jr_kept jr_operator;
#define jr_made(asked) jr_accumulator{asked, 0} // an accumulator that counts no element
#else
typedef jr_asked jr_operator;
#define jr_made(asked) asked
#endif
typedef jr_operator::accumulator jr_accumulator;
static_assert(sizeof(jr_accumulator) == JR_ACCUMULATOR_BYTES, "contract: JR_ACCUMULATOR_BYTES is not the size");

typedef jr_bits<jr_accumulator> jr_accumulator_bits;
constexpr jr_u32 jr_accumulator_words = jr_accumulator_bits::count;

#if !JR_COMBINE && !JR_KEPT
struct jr_combiner : jr_operator { // identity and combine
    const jr_call &call;
};
#endif

#if JR_SKIP_NAN
#define jr_left_out(x) ((x) != (x))
#else
#define jr_left_out(x) false
#endif

// Stores a result.
struct jr_store {
    template <class T> static __device__ __forceinline__ void put(void *out, T result) { *(T *)out = result; }
};

// Writes the results of all operators over `count` elements, by STORE. An initial value counts as one more element.
#if JR_OPERATORS_STATISTICS // which may be a list
template <class O> struct jr_writer {
    template <class STORE>
    static __device__ __forceinline__ void write(jr_u8 *out, const typename O::accumulator &total, jr_u64 count, const jr_call &call) {
        STORE::put(out, jr_finished(O::finish(total, count + JR_INITIAL, call.ddof), count, call));
    }
};
template <class O, class P> struct jr_writer<jr_both<O, P>> {
    template <class STORE>
    static __device__ __forceinline__ void write(jr_u8 *out, const typename jr_both<O, P>::accumulator &total, jr_u64 count,
                                 const jr_call &call) {
        // The gaps between results are written, too: callers copy them all at once.
        *(uint4 *)out = {};
        *(uint4 *)(out + JR_RESULT_STRIDE) = {};
#if JR_LIST_IN_MEMORY
        const jr_aligned<typename O::accumulator> first = *(const jr_lies_as<O> *)&total.first;
        const jr_aligned<typename P::accumulator> rest = *(const jr_lies_as<P> *)&total.rest;
#else
        const jr_aligned<typename O::accumulator> first = total.first;
        const jr_aligned<typename P::accumulator> rest = total.rest;
#endif
        jr_writer<O>::template write<STORE>(out, first, count, call);
        jr_writer<P>::template write<STORE>(out + JR_RESULT_STRIDE, rest, count, call);
    }
};
#define jr_write_asked(STORE, out, total, count, call)                                                                 \
    jr_writer<jr_asked>::template write<STORE>((jr_u8 *)(out), total, count, call)
#else
#define jr_write_asked(STORE, out, total, count, call)                                                                 \
    STORE::put(out, jr_finished(jr_asked::finish(total, (count) + JR_INITIAL, (call).ddof), count, call))
#endif

#if JR_STATE == 1 || JR_STATE == 2 // what is combined, as it is
#define jr_write(STORE, out, total, count, call) STORE::put(out, total)
#define jr_is_of_nothing(total)                  false
#elif JR_KEPT
// The same; after the results it writes the count of kept elements, if the run requests it.
template <class STORE>
__device__ __forceinline__ void jr_write_kept(void *out, const jr_accumulator &total, jr_u64 count,
                                              const jr_call &call) {
    const jr_asked::accumulator of = total.of;
    if (call.kept_offset > 0) {
        for (jr_u64 gap = 0; gap < call.kept_offset; gap += sizeof(uint4)) *(uint4 *)((jr_u8 *)out + gap) = {};
        *(ulonglong2 *)((jr_u8 *)out + call.kept_offset) = {total.kept, 0};
    }
    jr_write_asked(STORE, out, of, count, call);
}
#define jr_write(STORE, out, total, count, call) jr_write_kept<STORE>(out, total, count, call)
#define jr_is_of_nothing(total)                  ((total).kept == 0)
#else
#define jr_write                jr_write_asked
#define jr_is_of_nothing(total) false
#endif

#if JR_INITIAL && JR_STATE != 1
// Converts a result back to the accumulator that it came from.
template <class O> __device__ __forceinline__ jr_asked::accumulator jr_resumed(JR_INITIAL_TYPE result, const O *) {
    return jr_to<jr_asked::accumulator>::of(result);
}
#if JR_OPERATORS_ORDER
template <class T, class A, class R, int SIGN>
__device__ __forceinline__ jr_asked::accumulator jr_resumed(JR_INITIAL_TYPE result, const jr_extremum<T, A, R, SIGN> *) {
    return jr_rank<A, SIGN>::of(jr_to<A>::of(result));
}
#endif
#if JR_OPERATORS_EXACT // no element is in it
template <class T, class A, class R>
__device__ __forceinline__ jr_asked::accumulator jr_resumed(JR_INITIAL_TYPE result, const jr_sum_exact<T, A, R> *) {
    return jr_sum_exact<T, A, R>::resumed(result);
}
template <class T, class A, class R>
__device__ __forceinline__ jr_asked::accumulator jr_resumed(JR_INITIAL_TYPE result, const jr_dot_exact<T, A, R> *) {
    return jr_dot_exact<T, A, R>::resumed(result);
}
#endif
#if JR_OPERATORS_STATISTICS
template <class O>
__device__ __forceinline__ jr_asked::accumulator jr_resumed(JR_INITIAL_TYPE result, const jr_counted<O> *) {
    return {jr_to<typename O::accumulator>::of(result), 1};
}
#endif

// The initial value comes first.
__device__ __forceinline__ jr_accumulator jr_with_initial(const jr_combiner &combiner, const jr_accumulator &total) {
    const JR_INITIAL_TYPE initial = *(const JR_INITIAL_TYPE *)combiner.call.initial;
    return combiner.combine(jr_made(jr_resumed(initial, (const jr_asked *)0)), total);
}
#else
#define jr_with_initial(combiner, total) (total)
#endif

// Writes the total of all elements. To a sum of floats it adds a zero whose sign the host chooses: +0 if there are no
// elements, else -0. So the total of nothing is +0, and the kernel need not test the count. Only the block that writes
// reads the zero: starting each block's fold from it made sums of 2^20 f64 0.6 % slower on an H200. It finishes the
// total as one element's; the upper half of an 8-byte zero is a 4-byte zero.
#if JR_ADDS_FLOATS && !JR_OPERATORS_STATISTICS // a mean divides by the count
#define jr_zero_of(call) (*(const jr_accumulator *)((const jr_u8 *)(&(call).zero + 1) - sizeof(jr_accumulator)))
#define jr_finish_all(total, call) jr_finished(jr_asked::finish(total, 1, 0), (call).count, call)
#define jr_write_all(reducer, out, total)                                                                              \
    do {                                                                                                               \
        const jr_accumulator signed_total = (reducer).combine(total, jr_zero_of((reducer).call));                      \
        jr_store::put(out, jr_finish_all(jr_with_initial(reducer, signed_total), (reducer).call));                     \
        jr_tell((reducer).call);                                                                                       \
    } while (0)
#else
#define jr_write_all(reducer, out, total) (reducer).write(out, total, (reducer).call.count)
#endif

// Tells the host, where it waits, that the result is written.
#define jr_tell(call)                                                                                                  \
    if ((call).mark) asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"((call).mark), "r"(1) : "memory")

#if JR_STATE == 3
#include "operators/meet.cuh"
#endif

// Combines acc with an item after it; exact sums add it in place. Elsewhere it is a macro, since a function changed the
// machine code of scans and segments.
#if JR_OPERATORS_EXACT && !JR_KEPT && (JR_LIST_IN_MEMORY || !JR_OPERATORS_STATISTICS)
#define JR_ADDS_IN_PLACE           1
#define jr_take(reducer, acc, ...) (reducer).take(acc, __VA_ARGS__)
#else
#define JR_ADDS_IN_PLACE           0
#define jr_take(reducer, acc, ...) ((acc) = (reducer).combine(acc, (reducer).lift(__VA_ARGS__)))
#endif

struct jr_reducer : jr_combiner { // made without constructors, which cost compile time: {{{}, call}}
    __device__ __forceinline__ jr_accumulator lift(const jr_item &item) const {
        if (!jr_where(item, call)) return identity();
        const JR_MAPPED value = jr_map(item, call);
        return jr_left_out(value) ? identity() : jr_operator::lift(value, item.i);
    }

#if JR_ADDS_IN_PLACE
    __device__ __forceinline__ void take(jr_accumulator &sum, const jr_item &item) const {
        if (!jr_where(item, call)) return;
        const JR_MAPPED value = jr_map(item, call);
        if (jr_left_out(value)) return;
#if JR_OPERATORS_STATISTICS // a list
        jr_add_to_list<jr_operator, JR_MAPPED>(sum, value, item.i);
#else
        jr_operator::add(sum, value);
#endif
    }
#endif

    // Writes one result of several, of `count` elements.
    template <class STORE = jr_store>
    __device__ __forceinline__ void write_one(void *out, const jr_accumulator &total, jr_u64 count) const {
        jr_write(STORE, out, jr_with_initial(*this, total), count, call);
    }

    // Writes the result of `count` elements, or their state; or, when the states of a group have met, the result of all.
    __device__ __forceinline__ void write(void *out, const jr_accumulator &total, jr_u64 count) const {
#if JR_STATE == 3
        jr_accumulator all = total;
        if (!jr_meet(*this, all)) return;
        jr_write(jr_store, out, jr_with_initial(*this, all), count, call);
        jr_tell_met(call);
#else
        jr_write(jr_store, out, jr_with_initial(*this, total), count, call);
        jr_tell(call);
#endif
    }
};
