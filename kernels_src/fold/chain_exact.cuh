// The chain of an exact sum, or of a list with some: one, to which elements are added, as lifting each to a sum of its own
// would cost more.
#pragma once

template <class O> struct jr_chains {
    jr_accumulator total;

    __device__ __forceinline__ void start(const jr_reducer &reducer) { total = reducer.identity(); }
    __device__ __forceinline__ void fold(jr_u32, const jr_reducer &reducer, const jr_packs &packs, jr_u64 index,
                                         bool taken) {
        if (!taken) return;
#pragma unroll 1
        for (jr_u32 k = 0; k < jr_pack_elements; k++) jr_take(reducer, total, packs.item(k, index));
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &) const { return total; }
};
