// apply_lanes: short rows; some lanes of a warp hold a row in registers. Bytes: every element once, every result once.
// Launches: one.
#include "apply/apply_total.cuh"

// size: a row has 1 << size lanes, at least as many as it has elements in no pack.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_apply_lanes(const __grid_constant__ jr_row_cut rows, const jr_u32 size, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u32 lanes = 1u << size, own = threadIdx.x & (lanes - 1), number = threadIdx.x % jr_warp_lanes >> size;
    const jr_u32 together = jr_warp_lanes >> size; // rows of a warp
    const jr_u64 warp = (jr_u64)blockIdx.x * (JR_BLOCK / jr_warp_lanes) + threadIdx.x / jr_warp_lanes;
    const jr_u64 step = (jr_u64)gridDim.x * (JR_BLOCK / jr_warp_lanes) * together;
#pragma unroll 1
    for (jr_u64 r = warp * together; r < rows.count; r += step) {
        // Lanes after the last row fold that row again, and write nothing.
        const bool writes = r + number < rows.count;
        const jr_row row(rows, writes ? r + number : rows.count - 1);
        jr_row_held held;
        jr_results results;
        held.load(row, own, lanes);
        const jr_accumulator total =
            jr_row_total<jr_asked>::of(reducer, held, row, own, lanes, jr_row_lanes{lanes});
        jr_row_finish(results, reducer, total, row.length);
        if (writes) held.apply(call, row, own, lanes, results);
    }
}
