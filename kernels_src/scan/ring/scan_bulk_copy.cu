// bulk_copy of scans of all elements.
#include "scan/ring/bulk_copy.cuh"

// How many tiles a block prefetches into the L2 cache before the preceding kernels have ended. Measured back to back on
// an H200 with no tile, one, two: f32 of 2^22 elements by 896 threads 12.5, 11.7 and 11.4 us, of 2^24 by 640 threads
// 36.6, 35.5 and 35.1; f64 of 2^21 by 896 12.8, 11.9 and 12.1, of 2^22 by 832 20.3, 19.3 and 19.7. On an H100 three and
// four: f32 of 2^22 13.9 and 14.5, of two 13.3.
constexpr jr_u32 jr_fetched = sizeof(JR_X) >= 8 || jr_copies < 2 ? 1 : jr_copies;

// in: the input. results: a result for each element; may be an input. queue: the tiles of this launch. Any grid. A function
// of its own: of the same text in the kernel itself NVRTC puts instructions in another order.
__device__ __forceinline__ void jr_scan_ring(const jr_cut &in, void *results, const jr_queue &queue,
                                             const jr_call &call) {
    extern __shared__ __align__(128) jr_u8 jr_places[];
    __shared__ jr_ring ring;
    __shared__ __align__(16) jr_u8 stages[jr_squad_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    jr_begin_next();
    if (threadIdx.x == 0) jr_ring_init(ring);
    if (jr_warp() > 0 && jr_warp() <= jr_fetched && jr_lane() == 0)
        jr_ring_fetch(in, queue, blockIdx.x + (jr_warp() - 1) * gridDim.x);
    __syncthreads();
    jr_begin_rest();
    const jr_u32 squads = jr_warp() - 2;
    if (threadIdx.x == 0) jr_ring_fill(in, queue, ring, jr_places, jr_nothing_beside());
    if (jr_warp() == 1) jr_ring_look_ahead(reducer, queue, ring);
    if (jr_warp() < 2) return;
    if (squads < jr_squad_warps) {
        jr_ring_fold(reducer, in, queue, ring, jr_places, squads);
    } else if (squads < 2 * jr_squad_warps) {
        const jr_u32 warp = squads - jr_squad_warps;
        const jr_output out = {(jr_u8 *)results + in.head * sizeof(jr_result), stages + warp * jr_stage_bytes,
                               call.count, in.head};
        if constexpr (jr_ring_replaces)
            jr_ring_replace(reducer, in, queue, ring, jr_places, warp, out);
        else
            jr_ring_scan_in_rows(reducer, in, queue, ring, jr_places, warp, out);
    }
}

extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy(const __grid_constant__ jr_cut in, void *results, const __grid_constant__ jr_queue queue,
                      const __grid_constant__ jr_call call) {
    jr_scan_ring(in, results, queue, call);
}
