// single_pass: one launch; every block folds its share, block 0 collects the partial results through polled slots.
#if JR_WORDS && __CUDA_ARCH__ >= 800 // min.NaN.f32
#include "reduce/words.cuh"

// One array of words: the algorithm below and its headers in one piece. in, out, slots: as below.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_single_pass(const __grid_constant__ jr_cut in, jr_u32 *out, jr_u64 *slots,
                          const __grid_constant__ jr_call call) {
    constexpr jr_u32 tile = JR_BLOCK * JR_UNROLL;
    constexpr jr_u32 together = JR_BLOCK % (4 * jr_warp_lanes) == 0 ? 4 : 1;
    __shared__ __align__(16) jr_u32 shares[JR_BLOCK];
    jr_begin_late();

    // The packs, in bytes: tile after tile, of each JR_UNROLL packs a thread.
    const jr_u64 at = ((jr_u64)blockIdx.x * tile + threadIdx.x) * 16, step = (jr_u64)gridDim.x * tile * 16;
    const jr_u8 *from = (const jr_u8 *)in.packs + at;
    long long left = in.pack_count * 16 - at;
    jr_u32 share = JR_IDENTITY;
#pragma unroll 1
    do {
        jr_u32 total = JR_IDENTITY;
        JR_COMBINE_TILE(total, from, left);
        JR_COMBINE_WORD(share, total);
        from += step;
        left -= step;
    } while (left > 0);
    // The ends, into the first threads of block 0.
    if (blockIdx.x == 0 && threadIdx.x < in.ends) {
        const jr_u32 *end = (const jr_u32 *)in.packs + (threadIdx.x < in.head ? 0 : in.pack_count * 4);
        JR_COMBINE_WORD(share, end[(int)(threadIdx.x - in.head)]);
    }
    // The other blocks' totals, into block 0.
#pragma unroll 1
    for (jr_u32 i = blockIdx.x == 0 ? threadIdx.x : ~0u; i < gridDim.x - 1; i += JR_BLOCK)
        JR_COMBINE_SLOT(share, slots + i);

    // The block: its first warp combines what all left in shared memory, then its own lanes.
    shares[threadIdx.x] = share;
    __syncthreads();
    if (threadIdx.x >= jr_warp_lanes) return;
    share = JR_IDENTITY;
#pragma unroll 1
    for (jr_u32 i = threadIdx.x * together; i < JR_BLOCK; i += jr_warp_lanes * together)
        if (together == 4)
            JR_COMBINE_SHARED(share, shares + i);
        else
            JR_COMBINE_WORD(share, shares[i]);
    JR_COMBINE_WARP(share);
    if (threadIdx.x > 0) return;

    if (blockIdx.x > 0) {
        JR_PUT_SLOT(slots + (blockIdx.x - 1), share);
        return;
    }
    JR_SIGN_TOTAL(share, call);
    *out = share;
    if (call.mark) asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(call.mark), "r"(1) : "memory");
}
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
