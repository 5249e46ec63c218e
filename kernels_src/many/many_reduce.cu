// many_reduce: many arrays, each and all together, in one launch. A warp folds a slice; the warp that ends the last
// slice of an array combines the accumulators of all of them, in their order; block 0 collects the total of all arrays.
// Bytes: every element once, 16 a slice, and of arrays of several slices an accumulator a slice twice. Launches: one.
#include "many/slices.cuh"
#include "reduce/collect.cuh"

constexpr jr_u32 jr_many_warps = JR_BLOCK / jr_warp_lanes;

// Folds a pack, pairwise.
template <class E, jr_u32 FROM, jr_u32 N>
__device__ __forceinline__ jr_accumulator jr_many_fold_pack(const jr_reducer &reducer, const E *held, jr_u64 index) {
    if constexpr (N == 1)
        return reducer.lift({(JR_X_VALUE)held[FROM], index + FROM});
    else
        return reducer.combine(jr_many_fold_pack<E, FROM, N / 2>(reducer, held, index),
                               jr_many_fold_pack<E, FROM + N / 2, N / 2>(reducer, held, index));
}

// A lane's share of a slice. Loads past the last pack are led back to it, and what they bring is not combined.
template <class E>
__device__ __forceinline__ jr_accumulator jr_many_fold(const jr_reducer &reducer, const jr_slice &slice, jr_u64 index) {
    const jr_slice_cut<E> cut(slice);
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
    jr_accumulator acc = reducer.identity();
    if (lane < cut.head) acc = reducer.lift({(JR_X_VALUE)cut.at[lane], index + lane});
#pragma unroll 1
    for (jr_u32 p = lane; p < cut.packs; p += jr_warp_lanes * JR_UNROLL) {
        E held[JR_UNROLL][cut.pack];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 q = p + u * jr_warp_lanes;
            jr_load(held[u], cut.at + cut.first(q < cut.packs ? q : cut.packs - 1));
        }
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 q = p + u * jr_warp_lanes;
            if (q < cut.packs)
                acc = reducer.combine(acc,
                                      jr_many_fold_pack<E, 0, cut.pack>(reducer, held[u], index + cut.first(q)));
        }
    }
    const jr_u32 last = cut.first(cut.packs) + lane;
    return lane < cut.tail ? reducer.combine(acc, reducer.lift({(JR_X_VALUE)cut.at[last], index + last})) : acc;
}

#define JR_MANY_FOLD(type) return jr_many_fold<type>(reducer, slice, index)
__device__ __forceinline__ jr_accumulator jr_many_fold_slice(const jr_reducer &reducer, const jr_slice &slice,
                                                             jr_u64 index) {
    JR_SLICE_OF(slice, JR_MANY_FOLD);
}

// The accumulators of an array's slices; lane 0 has the result.
__device__ __forceinline__ jr_accumulator jr_many_combine(const jr_reducer &reducer, const jr_many &many,
                                                          const jr_sliced &array) {
    const jr_accumulator *const parts = (const jr_accumulator *)many.accumulators + array.first;
    jr_accumulator acc = reducer.identity();
#pragma unroll 4
    for (jr_u32 k = threadIdx.x % jr_warp_lanes; k < array.slices; k += jr_warp_lanes)
        acc = reducer.combine(acc, parts[k]);
    return jr_combine_warp(reducer, acc);
}

// Ends slice c, whose total lane 0 has: the last one of an array writes its result.
__device__ __forceinline__ void jr_many_end(const jr_reducer &reducer, const jr_many &many, const jr_slice &slice,
                                            jr_u32 c, jr_accumulator total) {
    const jr_u32 a = slice.of & JR_SLICE_ARRAY;
    const bool leads = threadIdx.x % jr_warp_lanes == 0;
    jr_u64 count = slice.count;
    if (!(slice.of & JR_SLICE_WHOLE)) {
        const jr_sliced array = many.arrays[a];
        jr_u32 before = 0;
        if (leads) {
            ((jr_accumulator *)many.accumulators)[c] = total;
            asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(many.done + a) : "memory");
        }
        if (__shfl_sync(jr_full_mask, before, 0) + 1 < array.slices) return;
        __syncwarp(); // all lanes see what the first one has acquired
        total = jr_many_combine(reducer, many, array);
        count = array.count;
        if (leads) many.done[a] = 0;
    }
    if (leads) reducer.write_one((jr_u8 *)many.results + a * many.result_bytes, total, count);
}

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_many_reduce(const __grid_constant__ jr_many many, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u32 step = gridDim.x * jr_many_warps;
    jr_u32 c = blockIdx.x * jr_many_warps + threadIdx.x / jr_warp_lanes;
    jr_accumulator all = reducer.identity();
    jr_slice next = {};
    if (c < many.slice_count) next = many.slices[c];
#pragma unroll 1
    for (; c < many.slice_count; c += step) {
        const jr_slice slice = next;
        if (c + step < many.slice_count) next = many.slices[c + step]; // arrives while the elements of this one do
        const jr_accumulator acc = jr_many_fold_slice(reducer, slice, jr_slice_index(many, slice, c));
        all = reducer.combine(all, acc);
        jr_many_end(reducer, many, slice, c, jr_combine_warp(reducer, acc));
    }
    jr_collect(reducer, all, jr_block_cache(), (jr_u8 *)many.results + many.array_count * many.result_bytes,
               many.slots);
}
