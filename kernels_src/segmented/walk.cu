// segmented_walk: segments of any lengths; every warp has an equal share of the elements, wherever segments end.
//
// Bytes: every element and every offset once, a result a segment; and two accumulators a block. Launches: this one, and
// segmented_join for the segments that lie in several blocks. A warp takes a long segment alone, by 16-byte loads as
// the flat reduction does, and of shorter ones many at once: up to 128 by lanes in shared memory, up to 32 by groups of
// lanes, or, where the order matters or there are several inputs, up to 32 by patches. Nothing depends on timing: the
// same bits on every run. Sources: the idea of equal shares: D. Merrill, M. Garland, "Merge-based Parallel Sparse
// Matrix-Vector Multiplication" (2016); of segmented scans: S. Sengupta et al., "Scan Primitives for GPU Computing".
#if JR_COMMUTATIVE && JR_INPUTS == 1 && !JR_ALL_ENDS
#include "segmented/walker_groups.cuh"
#else
#include "segmented/walker_patch.cuh"
#endif

// Combines what the warps of a block have left; the first warp, a lane a warp.
__device__ __forceinline__ void jr_join_warps(const jr_reducer &reducer, const jr_segment_cut &segments, void *out,
                                              jr_warp_rest *rests, const jr_block_rest &block) {
    const jr_u32 lane = threadIdx.x;
    const bool one = lane < jr_block_warps;
    const jr_warp_rest &rest = rests[one ? lane : 0];
    jr_accumulator open = one ? *(const jr_accumulator *)&rest.open : reducer.identity();
    bool ends;
    const jr_accumulator before = jr_open_before(reducer, open, one && rest.closed, &ends);
    // Two lanes may write: this one the segment number, another one none.
    if (lane == 0) block.head_segments[blockIdx.x] = jr_no_segment;
    __syncwarp();
    if (one && rest.head_segment != jr_no_segment) {
        const jr_u64 s = rest.head_segment;
        const jr_accumulator total = reducer.combine(before, *(const jr_accumulator *)&rest.head);
        if (ends || !rests[0].begins_inside) {
            jr_segment_write(reducer, segments, out, s, total, jr_segment_begin(segments, s + 1) - jr_segment_begin(segments, s));
        } else {
            block.head_segments[blockIdx.x] = s;
            block.heads[blockIdx.x] = total;
        }
    }
    if (lane == jr_warp_lanes - 1) block.tails[blockIdx.x] = open;
}

// Blocks that must fit on a multiprocessor, for 896 threads: told so, the compiler keeps to 72 registers without
// spilling, and as many warps again as half of those that it would leave room for hide what each waits for.
constexpr jr_u32 jr_walk_resident = JR_UNROLL <= 4 && sizeof(jr_accumulator) <= 4 && JR_BLOCK <= 128 ? 896 / JR_BLOCK : 1;

// in: the input, cut without an end. out: the results. workspace: jr_block_rest's.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_walk_resident)
    jr_segmented_walk(const __grid_constant__ jr_cut in, void *out, void *workspace,
                      const __grid_constant__ jr_segment_cut segments, const __grid_constant__ jr_call call) {
    jr_begin();
#if JR_SHARED_DYNAMIC
    extern __shared__ __align__(16) unsigned char jr_dynamic_shared[];
    jr_warp_room *const rooms = (jr_warp_room *)jr_dynamic_shared;
    jr_warp_rest *const rests = (jr_warp_rest *)(rooms + jr_block_warps);
    static_assert(sizeof(jr_warp_room) % alignof(jr_warp_rest) == 0, "walk: rests are not aligned behind the rooms");
#else
    __shared__ jr_warp_room rooms[jr_block_warps];
    __shared__ jr_warp_rest rests[jr_block_warps];
    static_assert(sizeof rooms + sizeof rests <= 49152, "walk: more shared memory than every device has");
#endif
    const jr_reducer reducer{{{}, call}};
    const jr_walk line(segments);
    const jr_u32 warp = threadIdx.x / jr_warp_lanes;
    const jr_u64 at = ((jr_u64)blockIdx.x * jr_block_warps + warp) * line.share;
    const jr_place first = line.find(at);
    jr_warp_rest &rest = rests[warp];
    if (threadIdx.x % jr_warp_lanes == 0) {
        rest.head_segment = jr_no_segment;
        rest.closed = 0;
        rest.begins_inside = first.inside;
    }
    __syncwarp();
    const jr_place end = line.find(at + line.share);
    jr_step_walker walker({reducer, in, segments, out, rest, first.s, first.e, end, first.inside, reducer.identity()},
                          rooms[warp]);
    walker.walk();
    if (threadIdx.x % jr_warp_lanes == 0) *(jr_accumulator *)&rest.open = walker.open;
    __syncthreads();
    if (threadIdx.x < jr_warp_lanes) jr_join_warps(reducer, segments, out, rests, jr_block_rest(workspace, gridDim.x));
}
