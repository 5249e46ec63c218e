// bulk_copy of scans of segments: the ring of scan_bulk_copy.cu, whose tiles also have heads (segment starts). The first
// squad finds the heads, and goes along the elements up to the folds of a warp's shares; the second one only once more
// from there on.
#include "scan/common/segmented.cuh"

// What a ring combines where segments are scanned, each for itself: folds with a flag whether a segment starts in them.
// The ring's own files read it.
typedef jr_headed jr_ring_total, jr_ring_carried;
typedef jr_headed_reducer jr_ring_combiner;
constexpr bool jr_ring_of_runs = false;

__device__ __forceinline__ jr_ring_carried jr_ring_begin(const jr_ring_combiner &combiner) {
    return {jr_with_initial(combiner.reducer, combiner.reducer.identity()), 0};
}

#include "scan/ring/ring_fold_heads.cuh"

static_assert(jr_ring_replaces, "contract: results must be as wide as the elements of one array");
static_assert(!JR_PLACED, "contract: the ring does not know places in segments");

// Makes results of a pack's items. heads: of the pack.
__device__ __forceinline__ jr_segmented_scan::step_of_pack
jr_ring_step(const jr_ring_scan &scan, const jr_pack_heads &heads) {
    return {scan.reducer, scan.combiner, heads};
}

// Scans a thread's packs, of a tile of whole ones, to where they lie.
__device__ __forceinline__ void jr_ring_scan_whole_share(const jr_ring_scan &scan, const jr_ring_share_of &share,
                                                         const jr_share_heads &heads, jr_headed running) {
    const jr_u64 index = jr_pack_index(scan.in, share.at, scan.reducer.call.first);
    jr_packs packs[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) packs[u].load_staged(scan.in, share.at + u, share.pack(u));
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_pack_heads own = {heads.of_pack(u), 0};
        const auto step = jr_ring_step(scan, own);
        jr_results results;
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++)
            results.elements[k] = step(running, packs[u].item(k, index + u * jr_pack_elements), k);
#pragma unroll
        for (jr_u32 v = 0; v < jr_result_pack_bytes / 16; v++) ((uint4 *)share.pack(u))[v] = results.vectors[v];
    }
}

// The same of any tile.
__device__ __forceinline__ void jr_ring_scan_share(const jr_ring_scan &scan, const jr_ring_share_of &share,
                                                   const jr_ring_beside &beside, jr_u32 thread, jr_headed running) {
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_pack_heads own = {beside.of_pack(thread, u), 0};
        const auto step = jr_ring_step(scan, own);
        const jr_part part(scan.in, scan.reducer.call.count, share.at + u);
        jr_result *const results = (jr_result *)share.pack(u);
#pragma unroll 1
        for (jr_u32 k = part.from; k < part.to; k++)
            results[k] = step(running, jr_ring_item(scan, share, u, part, k), k);
    }
}

__device__ __forceinline__ void jr_ring_scan_segments(const jr_ring_scan &scan, jr_u32 warp, const jr_output &out) {
    const jr_u32 thread = warp * jr_warp_lanes + jr_lane();
    const bool aligned = (jr_u64)out.packs % 16 == 0;
    jr_ring &ring = scan.ring;
    jr_ring_held held = {0, false};
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(scan.in, scan.queue, tile), at = first + warp * jr_warp_packs;
        jr_u8 *const staged = scan.places + place.at * jr_place_bytes;
        jr_u8 *const part = staged + warp * jr_warp_packs * (jr_u32)sizeof(jr_pack<JR_X>);
        const jr_ring_share_of share = {first + thread * JR_UNROLL,
                                        staged + thread * (jr_u32)(JR_UNROLL * sizeof(jr_pack<JR_X>))};
        const jr_ring_beside beside(staged);
        jr_headed before = jr_ring_start(scan.combiner, ring, place, warp);
        jr_share_heads heads;
        heads.load(beside, thread);
        if (jr_lane() > 0) before = scan.combiner.combine(before, *(const jr_headed *)&beside.folds[thread - 1]);
        if (aligned && first >= 0 && first + jr_ring_packs <= (long long)scan.in.pack_count) {
            jr_ring_scan_whole_share(scan, share, heads, before);
            jr_ring_bring_out(ring, place, held, out.packs + at * jr_result_pack_bytes, part);
        } else {
            jr_ring_scan_share(scan, share, beside, thread, before);
            __syncwarp();
            jr_ring_store(out, at, part);
            jr_ring_give_back(ring, held);
            jr_ring_release(ring, place);
        }
    }
    jr_ring_give_back(ring, held);
}

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
