// single_pass: one launch; every block folds its share, block 0 collects the partial results through polled slots.
#if JR_WORDS && __CUDA_ARCH__ >= 800 // min.NaN.f32
#include "reduce/single_pass_words.cuh"
#else
#include "reduce/collect.cuh"
#include "fold/load.cuh"

// in: the input. out: the result. slots: gridDim.x - 1 slots, all clear, and clear again when the kernel ends.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_single_pass(const __grid_constant__ jr_cut in, void *out, jr_u64 *slots,
                          const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    jr_collect(reducer, jr_fold_share(reducer, in, blockIdx.x, gridDim.x), jr_block_cache(), out, slots);
}
#endif
