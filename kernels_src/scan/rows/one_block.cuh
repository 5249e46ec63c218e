// one_block of scans: a single block marches along the data, as one of three_pass does along its row.
#pragma once

#include "scan/rows/three_pass.cuh"

// in: the input. results: a result for each element; may be an input. deal: all tiles for one block. A grid of 1.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_alone(const jr_cut &in, void *results, const jr_deal &deal,
                                              const jr_call &call) {
    jr_begin_next();
    jr_fetch_tile(in, 0, jr_warp_lanes * JR_UNROLL);
    jr_begin_rest();
    jr_scan_row<EXCLUSIVE>(in, results, nullptr, deal, call);
}
