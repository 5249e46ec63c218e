// strided: thread t folds the elements t, t + stride, ..., t + (JR_UNROLL - 1) * stride of a copy into element t of it.
//
// It uses no shared memory and no barrier, and threads and blocks are independent. The host launches with stride =
// count / JR_UNROLL, and again with count = stride until one element is left (src/plan/flat/strided.c). The first
// launch reads the input and begins the copy; the last writes the result. Source: the UF kernel of "Un ejemplo basico,
// parte II".
#include "fold/inputs.cuh"

template <bool FROM_INPUT>
__device__ __forceinline__ jr_accumulator jr_element(const jr_reducer &reducer, const jr_cut &in,
                                                    const jr_accumulator *copy, jr_u64 k) {
    if (!FROM_INPUT) return copy[k];
    return jr_lift_at(reducer, in, (long long)k - in.head, reducer.call.first);
}

// Folds what belongs to thread `thread` of all threads.
template <bool FROM_INPUT>
__device__ __forceinline__ jr_accumulator jr_fold_stride(const jr_reducer &reducer, const jr_cut &in,
                                                        const jr_accumulator *copy, const jr_stride &launch,
                                                        jr_u64 thread) {
    jr_accumulator sum = reducer.identity();
    if (thread < launch.stride) {
        jr_accumulator element[JR_UNROLL];
#pragma unroll
        for (jr_u32 i = 0; i < JR_UNROLL; i++)
            element[i] = jr_element<FROM_INPUT>(reducer, in, copy, thread + launch.stride * i);
        sum = element[0];
#pragma unroll
        for (jr_u32 i = 1; i < JR_UNROLL; i++) sum = reducer.combine(sum, element[i]);
    }
    if (thread == 0)
#pragma unroll 1
        for (jr_u32 i = 1; i <= launch.odd; i++)
            sum = reducer.combine(sum, jr_element<FROM_INPUT>(reducer, in, copy, launch.count - i));
    return sum;
}

// in: the input (first launch). copy: as many accumulators as the first launch's stride; a launch writes below its
// stride, and reads its own element and others at or above it. out: the result (last launch). With fewer threads than
// elements, threads take several elements.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_strided(const __grid_constant__ jr_cut in, void *out, jr_accumulator *copy,
                      const __grid_constant__ jr_stride launch, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_u64 thread = (jr_u64)blockIdx.x * JR_BLOCK + threadIdx.x;
#pragma unroll 1
    do {
        const jr_accumulator sum = launch.from_input ? jr_fold_stride<true>(reducer, in, copy, launch, thread)
                                                     : jr_fold_stride<false>(reducer, in, copy, launch, thread);
        if (thread < launch.stride && launch.stride > 1) copy[thread] = sum;
        if (thread == 0 && launch.stride <= 1) reducer.write(out, sum, call.count);
        thread += (jr_u64)gridDim.x * JR_BLOCK;
    } while (thread < launch.stride);
}
