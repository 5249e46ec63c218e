// Finishes an exact sum in parts: one block adds the sums that the blocks wrote, and rounds once. Each thread adds one
// word of some of the sums. After many short launches there are many sums: threads divide them, and load some ahead.
#include "exact/exact_collect.cuh"

constexpr jr_u32 jr_exact_slices = JR_BLOCK > jr_exact_words ? JR_BLOCK / jr_exact_words : 1; // of the sums

// partials: partial_count of them. out: the result. Launched with one block.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_exact_finish(const jr_accumulator *partials, jr_u64 partial_count, void *out,
                           const __grid_constant__ jr_call call) {
    jr_begin();
    __shared__ jr_exact_block block;
    jr_u32 marks = 0;
    jr_exact_start(block);
    __syncthreads();
    for (jr_u32 own = threadIdx.x; own < jr_exact_words * jr_exact_slices; own += JR_BLOCK) {
        const jr_u32 w = own % jr_exact_words;
        const bool is_top = w == jr_exact_words - 1; // which has the sign
        long long sum = 0;
#pragma unroll 8
        for (jr_u64 i = own / jr_exact_words; i < partial_count; i += jr_exact_slices) {
            const jr_u32 word = partials[i].words[w];
            sum += is_top ? (long long)(int)word : (long long)word;
        }
        jr_exact_add_word(block, w, sum);
    }
#pragma unroll 1
    for (jr_u64 i = threadIdx.x; i < partial_count; i += JR_BLOCK) marks |= partials[i].marks;
    __syncwarp();
    jr_exact_mark(block, marks);
    __syncthreads();
    if (threadIdx.x < jr_warp_lanes) jr_exact_write(block, out, call.count, call);
}
