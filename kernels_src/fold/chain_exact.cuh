// The chain of an exact sum, or of a list with some: one, to which elements are added, as lifting each to a sum of its own would cost more.
#pragma once

#if JR_OPERATORS_STATISTICS // a list
#define jr_add(total, value, i) jr_listed<O>::add(total, value, i)
#else
#define jr_add(total, value, i) O::add(total, value)
#endif

template <class O> struct jr_chains {
    jr_accumulator total;

    __device__ __forceinline__ void start(const jr_reducer &reducer) { total = reducer.identity(); }
    __device__ __forceinline__ void fold(jr_u32, const jr_reducer &reducer, const jr_packs &packs, jr_u64 index,
                                         bool taken) {
        if (!taken) return;
#pragma unroll 1
        for (jr_u32 k = 0; k < jr_pack_elements; k++) {
            const jr_item item = packs.item(k, index);
            if (!jr_where(item, reducer.call)) continue;
            const JR_MAPPED value = jr_map(item, reducer.call);
            if (!jr_left_out(value)) jr_add(total, value, item.i);
        }
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &) const { return total; }
};
