// one_block for scans: a single block scans tile after tile of the data, as a block of three_pass scans its row.
#include "scan/rows/three_pass.cuh"

// in: the input. results: a result for each element; may be an input. deal: all tiles for one block. A grid of 1. A
// function of its own: of the same text in the kernel itself NVRTC puts instructions in another order.
__device__ __forceinline__ void jr_scan_alone(const jr_cut &in, void *results, const jr_deal &deal,
                                              const jr_call &call) {
    jr_begin_next();
    jr_fetch_tile(in, 0, jr_warp_lanes * JR_UNROLL);
    jr_begin_rest();
    jr_scan_row(in, results, nullptr, deal, call);
}

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_scan_one_block(const __grid_constant__ jr_cut in, void *results, const __grid_constant__ jr_deal deal,
                      const __grid_constant__ jr_call call) {
    jr_scan_alone(in, results, deal, call);
}
