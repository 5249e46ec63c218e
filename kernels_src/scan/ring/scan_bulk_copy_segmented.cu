// bulk_copy of scans of segments.
#include "scan/ring/bulk_copy_segmented.cuh"

// As jr_scan_bulk_copy. heads: where segments begin.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy_segmented(const __grid_constant__ jr_cut in, void *results,
                                const __grid_constant__ jr_queue queue, const __grid_constant__ jr_heads heads,
                                const __grid_constant__ jr_call call) {
    extern __shared__ __align__(128) jr_u8 jr_places[];
    __shared__ jr_ring ring;
    const jr_reducer reducer{{{}, call}};
    const jr_ring_scan scan = {reducer, {reducer}, in, queue, heads, ring, jr_places};
    jr_begin_next();
    if (threadIdx.x == 0) jr_ring_init(ring);
    __syncthreads();
    jr_begin_rest();
    const jr_u32 squads = jr_warp() - 2;
    if (threadIdx.x == 0) jr_ring_fill(in, queue, ring, jr_places, jr_ring_bringer{in, heads, call, ring});
    if (jr_warp() == 1) jr_ring_look_ahead(scan.combiner, queue, ring);
    if (jr_warp() < 2) return;
    if (squads < jr_squad_warps) {
        jr_ring_fold_tiles(scan, squads);
    } else if (squads < 2 * jr_squad_warps) {
        const jr_output out = {(jr_u8 *)results + in.head * sizeof(jr_result), 0, call.count, in.head};
        jr_ring_scan_segments(scan, squads - jr_squad_warps, out);
    } else if (squads < 2 * jr_squad_warps + jr_markers) {
        jr_ring_mark(in, heads, call, queue, ring, jr_places, squads - 2 * jr_squad_warps);
    }
}
