// The block of a walk: each of its warps has a share, and the block combines their rests. The walker is declared before
// this file is included: jr_step_walker, whose warp_room is a warp's shared memory.
#pragma once

// Combines the rests of a block's warps; the first warp calls it, with one lane per warp's rest.
__device__ __forceinline__ void jr_join_warps(const jr_reducer &reducer, const jr_segment_cut &segments, void *out,
                                              jr_warp_rest *rests, const jr_block_rest &block) {
    const jr_u32 lane = threadIdx.x;
    const bool one = lane < jr_block_warps;
    const jr_warp_rest &rest = rests[one ? lane : 0];
    jr_accumulator open = one ? *(const jr_accumulator *)&rest.open : reducer.identity();
    bool ends;
    const jr_accumulator before = jr_open_before(reducer, open, one && rest.closed, &ends);
    // Two lanes may write: lane 0 jr_no_segment, then another one a segment number.
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

// A block's part of a walk. in: the input, cut into packs only. out: the results. workspace: see jr_block_rest.
__device__ __forceinline__ void jr_walk_block(const jr_cut &in, void *out, void *workspace,
                                              const jr_segment_cut &segments, const jr_call &call) {
#if JR_SHARED_DYNAMIC
    extern __shared__ __align__(16) unsigned char jr_dynamic_shared[];
    jr_step_walker::warp_room *const rooms = (jr_step_walker::warp_room *)jr_dynamic_shared;
    jr_warp_rest *const rests = (jr_warp_rest *)(rooms + jr_block_warps);
    static_assert(sizeof(jr_step_walker::warp_room) % alignof(jr_warp_rest) == 0, "walk: rests are not aligned after the rooms");
#else
    __shared__ jr_step_walker::warp_room rooms[jr_block_warps];
    __shared__ jr_warp_rest rests[jr_block_warps];
    static_assert(sizeof rooms + sizeof rests <= 49152, "walk: more shared memory than every device has");
#endif
    const jr_reducer reducer{{{}, call}};
    const jr_walk line(segments);
    const jr_u32 warp = threadIdx.x / jr_warp_lanes;
    const jr_u64 at = ((jr_u64)blockIdx.x * jr_block_warps + warp) * line.share;
    jr_place first, end;
    line.find(at, at + line.share, first, end);
    jr_warp_rest &rest = rests[warp];
    if (threadIdx.x % jr_warp_lanes == 0) {
        rest.head_segment = jr_no_segment;
        rest.closed = 0;
        rest.begins_inside = first.inside;
    }
    __syncwarp();
    jr_step_walker walker({reducer, in, segments, out, rest, first.s, first.e, end, first.inside, reducer.identity()},
                          rooms[warp]);
    walker.walk();
    if (threadIdx.x % jr_warp_lanes == 0) *(jr_accumulator *)&rest.open = walker.open;
    __syncthreads();
    if (threadIdx.x < jr_warp_lanes) jr_join_warps(reducer, segments, out, rests, jr_block_rest(workspace, gridDim.x));
}
