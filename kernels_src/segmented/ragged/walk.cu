// segmented_walk: segments of any lengths; every warp has an equal share of the elements, wherever segments end.
//
// Bytes: every element and every offset once; one result per segment; two accumulators per block. Launches: this one,
// and segmented_join for the segments that several blocks share. A warp folds a long segment alone, by 16-byte loads
// like the flat reduction, and many shorter ones at once: up to 128 by lanes in shared memory, up to 32 by lane groups,
// or, where the order matters or there are several inputs, up to 32 by patches. Nothing depends on timing: the bits are
// the same on every run. Sources: the idea of equal shares: D. Merrill, M. Garland, "Merge-based Parallel Sparse
// Matrix-Vector Multiplication" (2016); of segmented scans: S. Sengupta et al., "Scan Primitives for GPU Computing".
#if JR_COMMUTATIVE && JR_INPUTS == 1 && !JR_ALL_ENDS
#include "segmented/ragged/walker_groups.cuh"
#else
#include "segmented/ragged/walker_patch.cuh"
#endif
#include "segmented/ragged/walk_block.cuh"

// Blocks that must fit on a multiprocessor, for 896 threads. With this bound the compiler uses 72 registers without
// spilling; half as many warps again as without it hide the latency of loads.
constexpr jr_u32 jr_walk_resident = JR_UNROLL <= 4 && sizeof(jr_accumulator) <= 4 && JR_BLOCK <= 128 ? 896 / JR_BLOCK : 1;

// in: the input, cut without an end. out: the results. workspace: jr_block_rest's.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_walk_resident)
    jr_segmented_walk(const __grid_constant__ jr_cut in, void *out, void *workspace,
                      const __grid_constant__ jr_segment_cut segments, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_walk_block(in, out, workspace, segments, call);
}
