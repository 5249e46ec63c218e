// The chain of an exact sum: one, to which elements are added, as lifting each to a sum of its own would cost more.
#pragma once

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
            if (!jr_left_out(value)) O::add(total, value);
        }
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &) const { return total; }
};
