// many_reduce: many arrays, each and all together, in one launch. A block has consecutive slices, of which each warp
// folds one at a time. The warp that ends the last slice of an array combines the accumulators of all of them, in their
// order; block 0 collects the total of all arrays.
// Bytes: every element once, 16 a slice, and of arrays of several slices an accumulator a slice twice. Launches: one.
#include "many/slices.cuh"
#include "reduce/collect.cuh"

constexpr jr_u32 jr_many_warps = JR_BLOCK / jr_warp_lanes;
constexpr jr_u32 jr_many_burst = jr_warp_lanes * JR_UNROLL; // packs that a warp loads at once

// A lane's packs of a burst, of whatever type. Loads past the last pack are led back to it.
struct jr_many_loads {
    jr_u32 words[JR_UNROLL][4];

    __device__ __forceinline__ void load(const jr_slice_cut &cut, jr_u32 first) {
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 p = first + u * jr_warp_lanes;
            jr_load(words[u], cut.pack(p < cut.packs ? p : cut.packs - 1));
        }
    }
};

// Folds a pack, pairwise.
template <class E, jr_u32 FROM, jr_u32 N>
__device__ __forceinline__ jr_accumulator jr_many_fold_pack(const jr_reducer &reducer, const E *held, jr_u64 index) {
    if constexpr (N == 1)
        return reducer.lift({(JR_X_VALUE)held[FROM], index + FROM});
    else
        return reducer.combine(jr_many_fold_pack<E, FROM, N / 2>(reducer, held, index),
                               jr_many_fold_pack<E, FROM + N / 2, N / 2>(reducer, held, index));
}

// A lane's share of a slice, whose first burst is loaded.
template <class E>
__device__ __forceinline__ jr_accumulator jr_many_fold(const jr_reducer &reducer, const jr_slice_cut &cut,
                                                       jr_many_loads &loads, jr_u64 index) {
    typedef jr_slice_pack<E> pack;
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, head = cut.head / sizeof(E);
    jr_accumulator acc = reducer.identity();
    if (lane < head) acc = reducer.lift({(JR_X_VALUE)((const E *)cut.at)[lane], index + lane});
    const jr_u32 last = head + cut.packs * pack::count + lane;
    if (lane < cut.tail / sizeof(E))
        acc = reducer.combine(acc, reducer.lift({(JR_X_VALUE)((const E *)cut.at)[last], index + last}));
#pragma unroll 1
    for (jr_u32 first = lane; first - lane < cut.packs; first += jr_many_burst) {
        if (first != lane) loads.load(cut, first);
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u32 p = first + u * jr_warp_lanes;
            if (p >= cut.packs) continue;
            pack held;
#pragma unroll
            for (jr_u32 w = 0; w < 4; w++) held.words[w] = loads.words[u][w];
            acc = reducer.combine(
                acc, jr_many_fold_pack<E, 0, pack::count>(reducer, held.elements, index + head + p * pack::count));
        }
    }
    return acc;
}

#define JR_MANY_FOLD(type) return jr_many_fold<type>(reducer, cut, loads, index)
__device__ __forceinline__ jr_accumulator jr_many_fold_slice(const jr_reducer &reducer, const jr_slice &slice,
                                                             const jr_slice_cut &cut, jr_many_loads &loads,
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

// A slice that a warp has folded, and how many slices of its array the warp has ended and not yet counted in `done`.
struct jr_many_ended {
    jr_slice slice;
    jr_u32 c, count;
    jr_accumulator acc; // of each lane

    // Ends the slice. goes_on: the warp's next one is of the same array. Who ends an array writes its result.
    __device__ __forceinline__ void end(const jr_reducer &reducer, const jr_many &many, bool goes_on) {
        const jr_u32 a = slice.of & JR_SLICE_ARRAY;
        const bool leads = threadIdx.x % jr_warp_lanes == 0;
        jr_u64 elements = slice.count;
        jr_accumulator total = jr_combine_warp(reducer, acc);
        if (!(slice.of & JR_SLICE_WHOLE)) {
            if (leads) ((jr_accumulator *)many.accumulators)[c] = total;
            count++;
            if (goes_on) return;
            const jr_sliced array = many.arrays[a];
            jr_u32 before = 0;
            if (leads)
                asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
                             : "=r"(before)
                             : "l"(many.done + a), "r"(count)
                             : "memory");
            const jr_u32 done = __shfl_sync(jr_full_mask, before, 0) + count;
            count = 0;
            if (done < array.slices) return;
            __syncwarp(); // all lanes see what the first one has acquired
            total = jr_many_combine(reducer, many, array);
            elements = array.count;
            if (leads) many.done[a] = 0;
        }
        if (leads) reducer.write_one((jr_u8 *)many.results + a * many.result_bytes, total, elements);
    }
};

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_many_reduce(const __grid_constant__ jr_many many, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, warp = threadIdx.x / jr_warp_lanes;
    jr_slice next = many.firsts[blockIdx.x * jr_many_warps + warp];
    const jr_u32 end = many.starts[blockIdx.x + 1];
    jr_accumulator all = reducer.identity();
    jr_many_ended ended;
    ended.count = 0;
    bool any = false;
#pragma unroll 1
    for (jr_u32 c = many.starts[blockIdx.x] + warp; c < end; c += jr_many_warps, any = true) {
        const jr_slice slice = next;
        const jr_slice_cut cut(slice);
        jr_many_loads loads;
        if (c + jr_many_warps < end) next = many.slices[c + jr_many_warps]; // arrives while the elements of this one do
        if (cut.packs > 0) loads.load(cut, lane);
        if (any) ended.end(reducer, many, !((ended.slice.of ^ slice.of) & JR_SLICE_ARRAY)); // as does this
        ended.acc = jr_many_fold_slice(reducer, slice, cut, loads, jr_slice_index(many, slice, c));
        ended.slice = slice;
        ended.c = c;
        all = reducer.combine(all, ended.acc);
    }
    if (any) ended.end(reducer, many, false);
    jr_collect(reducer, all, jr_block_cache(), (jr_u8 *)many.results + many.array_count * many.result_bytes,
               many.slots);
}
