// Kept: the operator that is asked for, with the count of the elements that it was given: by that a value is told from
// nothing at all.
#pragma once

#include "operators/operators.cuh"

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
    // Of scans, which lists have not.
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
