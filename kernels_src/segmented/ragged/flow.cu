// segmented_flow: segments of any lengths by offsets, many elements in all: as segmented_walk, but that each warp's share
// flows through its shared memory.
//
// Bytes: every element and every offset once, a few of both twice, a result a segment; and two accumulators a block.
// Launches: this one, and segmented_join. It takes one array of 4 or 8 bytes an element, whose accumulators are no wider,
// and any operator that does not ask for places. The same bits on every run.
#include "segmented/ragged/walker_flow.cuh"

#include "segmented/ragged/walk_block.cuh"

// Blocks that have room beside each other on a multiprocessor, which has 227 KiB for them and takes 1 KiB for each.
constexpr jr_u32 jr_flow_resident = (227 << 10) / (jr_block_warps * (sizeof(jr_warp_room) + sizeof(jr_warp_rest)) + 1024);

// in: the input, cut without an end. out: the results. workspace: jr_block_rest's.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_flow_resident)
    jr_segmented_flow(const __grid_constant__ jr_cut in, void *out, void *workspace,
                      const __grid_constant__ jr_segment_cut segments, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_walk_block(in, out, workspace, segments, call);
}
