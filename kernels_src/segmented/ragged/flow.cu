// segmented_flow: segments of any lengths by offsets, for many elements: like segmented_walk, but bulk copies bring
// each warp's share to shared memory. Bytes: every element and every offset once, a few of both twice; one result per
// segment; two accumulators per block. Launches: this one, and segmented_join. It takes one array with elements of 4 or
// 8 bytes, accumulators that are not wider, and any operator that does not need indices. The bits are the same on every
// run.
#include "segmented/ragged/walker_flow.cuh"

#include "segmented/ragged/walk_block.cuh"

// Blocks that fit on a multiprocessor together: it has 227 KiB for them, and uses 1 KiB more for each.
constexpr jr_u32 jr_flow_resident = (227 << 10) / (jr_block_warps * (sizeof(jr_flow_room) + sizeof(jr_warp_rest)) + 1024);

// in: the input, cut without an end. out: the results. workspace: jr_block_rest's.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_flow_resident)
    jr_segmented_flow(const __grid_constant__ jr_cut in, void *out, void *workspace,
                      const __grid_constant__ jr_segment_cut segments, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_walk_block(in, out, workspace, segments, call);
}
