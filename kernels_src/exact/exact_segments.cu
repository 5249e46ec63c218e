// segmented_exact: exact sums of consecutive segments, of equal lengths or by offsets. Bytes: every element once by
// 16-byte loads, wherever segments begin; one result per segment. Launches: one.
#include "exact/exact_segments.cuh"
#include "segmented/common/rows.cuh"

struct jr_exact_span : jr_tree_span {
    using jr_tree_span::jr_tree_span;
    __device__ __forceinline__ void summands(jr_summand (&x)[jr_tile_rows * jr_pack_elements], jr_u64 e,
                                             const jr_call &call, bool *any) const {
        jr_packs packs[jr_tile_rows];
        load_tile(packs, e);
#pragma unroll
        for (jr_u32 u = 0; u < jr_tile_rows; u++) {
            const jr_u64 index = first + e + (u * jr_warp_lanes + jr_lane()) * jr_pack_elements;
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++)
                x[u * jr_pack_elements + k] = jr_exact_summand(packs[u].item(k, index), call, any);
        }
    }
};

// Blocks that must fit on a multiprocessor: as many as have 768 threads together; of 320, the default, two. With the
// registers that these leave a thread the compiler keeps its tile of 32 summands in them; of 1024 threads it would not.
constexpr jr_u32 jr_exact_resident = JR_BLOCK < 768 ? 768 / JR_BLOCK : 1;

extern "C" __global__ void __launch_bounds__(JR_BLOCK, jr_exact_resident)
    jr_segmented_exact(const __grid_constant__ jr_cut in, const __grid_constant__ jr_segment_cut segments,
                       const jr_u32 together, void *out, const __grid_constant__ jr_call call) {
    jr_begin();
    jr_exact_segments(jr_rows<jr_exact_span>{in, segments, jr_segment_begin(segments, segments.count)}, segments,
                      together, out, call);
}
