// bulk_copy for runs of equal neighbouring keys: one launch leaves a key and a result for each, and how many there are.
//
// The ring of scan_bulk_copy.cu, whose tiles have keys as well as packs. The first squad compacts a tile's results and
// keys as if nothing preceded the tile; a warp publishes the tile's total; the second squad writes the compacted results
// once the number of earlier runs is known. The fold of everything before a tile only changes the tile's first result.
#include "scan/common/run_state.cuh"

// What a ring combines where runs are reduced: folds with the number of runs that begin in them. The ring's own files
// read it.
typedef jr_run jr_ring_total;
typedef jr_runs_before jr_ring_carried;
typedef jr_run_reducer jr_ring_combiner;
constexpr bool jr_ring_of_runs = true;

__device__ __forceinline__ jr_ring_carried jr_ring_begin(const jr_ring_combiner &combiner) {
    return {combiner.reducer.identity(), 0};
}

#include "scan/ring/ring_put_runs.cuh"

static_assert(jr_ring_replaces, "contract: results must be as wide as the elements of one array");
static_assert(!JR_PLACED, "contract: the ring does not know places in runs");

constexpr jr_u32 jr_runs_roles = JR_RUNS_ROLES(JR_BLOCK), jr_writers = jr_block_warps - jr_runs_roles - jr_squad_warps;

// ---- the second squad ----

// Where runs go.
struct jr_ring_runs_out {
    jr_u8 *results;
    const jr_runs &runs;

    // Writes the result of run `run`, which is folded.
    __device__ __forceinline__ void put(const jr_reducer &reducer, jr_u64 run, const jr_accumulator &fold) const {
        reducer.write_one(results + run * sizeof(jr_result), fold, 1);
    }
};

// Copies elements `from` and on, before `count`, from shared memory to `to`: the rows of one of the writing warps. Rows
// begin at multiples of 32 elements of the output, so that writes are coalesced.
template <class E>
__device__ __forceinline__ void jr_ring_write_rows(jr_u32 writer, E *to, const E *staged, int from, int count) {
    constexpr int rows = 4;
    const int skew = (int)((jr_u64)to / sizeof(E) % jr_warp_lanes);
#pragma unroll 1
    for (int r = (int)(writer * rows * jr_warp_lanes + jr_lane()) - skew; r < count;
         r += (int)(jr_writers * rows * jr_warp_lanes)) {
        E row[rows];
#pragma unroll
        for (int i = 0; i < rows; i++) {
            const int at = r + i * (int)jr_warp_lanes;
            if (at >= from && at < count) row[i] = staged[at];
        }
#pragma unroll
        for (int i = 0; i < rows; i++) {
            const int at = r + i * (int)jr_warp_lanes;
            if (at >= from && at < count) to[at] = row[i];
        }
    }
}

// Writes a tile's runs. start: the state before the tile; count: the number of its heads.
__device__ __forceinline__ void jr_ring_write_runs(const jr_ring_scan &scan, const jr_ring_runs_out &out, jr_u32 writer,
                                                   const jr_runs_put &put, const jr_runs_before &start, jr_u32 count) {
    const jr_accumulator open = start.of;
    jr_ring_write_rows(writer, (jr_result *)out.results + start.heads - 1, put.results, 1, (int)count);
    if (out.runs.keys) jr_ring_write_rows(writer, (JR_KEY *)out.runs.keys + start.heads, put.keys, 0, (int)count);
    if (writer + 1 == jr_writers && jr_lane() == 0 && count > 0 && start.heads > 0)
        out.put(scan.reducer, start.heads - 1, scan.reducer.combine(open, *put.first));
}

// Writes the last run's result and the number of runs. One thread calls it when everything before the last tile is
// folded.
__device__ __forceinline__ void jr_ring_end_runs(const jr_ring_scan &scan, const jr_ring_parts &parts,
                                                 const jr_ring_place &place, const jr_ring_runs_out &out) {
    const jr_runs_before before = *(const jr_runs_before *)&scan.ring.before[place.at];
    const jr_run last = *(const jr_run *)&parts.whole[place.at];
    const jr_runs_before all = scan.combiner.combine(before, last);
    const jr_accumulator fold = all.of;
    out.put(scan.reducer, all.heads - 1, fold);
    if (out.runs.count) *out.runs.count = all.heads;
}

__device__ __forceinline__ void jr_ring_write_tiles(const jr_ring_scan &scan, jr_ring_parts &parts, jr_u32 writer,
                                                    const jr_ring_runs_out &out) {
    jr_ring &ring = scan.ring;
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const jr_runs_put put(parts, place, scan.places + place.at * jr_place_bytes,
                              parts.keys[place.at] & jr_keys_shift);
        if (jr_runs_roles == 2) jr_ring_total_runs(scan, parts, place, tile);
        jr_bulk_wait(parts.put + place.at, place.parity);
        jr_bulk_wait(ring.folded + place.at, place.parity);
        jr_bulk_wait(ring.known + place.at, place.parity);
        const jr_run whole = *(const jr_run *)&parts.whole[place.at];
        jr_ring_write_runs(scan, out, writer, put, *(const jr_runs_before *)&ring.before[place.at], whole.heads);
        if (writer == 0 && jr_lane() == 0 && tile + 1 == scan.queue.tile_count && !scan.queue.goes_on)
            jr_ring_end_runs(scan, parts, place, out);
        jr_bulk_fence(); // the next copies may overwrite what was read
        jr_ring_release(ring, place);
    }
}

// ---- all roles ----

// As jr_scan_ring (scan_bulk_copy.cu). results: one for each run. given: the keys.
__device__ __forceinline__ void jr_ring_reduce_runs(const jr_cut &in, void *results, const jr_queue &queue,
                                                    const jr_heads &given, const jr_runs &runs, const jr_call &call) {
    extern __shared__ __align__(128) jr_u8 jr_places[];
    __shared__ jr_ring ring;
    __shared__ jr_ring_parts parts;
    const jr_reducer reducer{{{}, call}};
    const jr_ring_scan scan = {reducer, {reducer}, in, queue, given, ring, jr_places};
    jr_begin_next();
    if (threadIdx.x == 0) {
        for (jr_u32 s = 0; s < JR_STAGES; s++) {
            jr_bulk_init(parts.summed + s, jr_squad_warps);
            jr_bulk_init(parts.put + s, jr_squad_warps);
        }
        jr_ring_init(ring, jr_writers);
    }
    __syncthreads();
    jr_begin_rest();
    if (call.count == 0 && blockIdx.x == 0 && threadIdx.x == 0 && runs.count) *runs.count = 0;
    const jr_u32 warp = jr_warp() - jr_runs_roles;
    if (threadIdx.x == 0) {
        const jr_key_span second(in, given, call, jr_ring_pack(in, queue, 1));
        jr_ring_fill(in, queue, ring, jr_places, jr_runs_bringer{{in, given, call, ring}, queue, parts, second});
    }
    if (jr_warp() == 1) jr_ring_look_ahead(scan.combiner, queue, ring);
    if (jr_runs_roles > 2 && jr_warp() == 2) jr_ring_total_tiles(scan, parts);
    if (jr_warp() < jr_runs_roles) return;
    if (warp < jr_squad_warps)
        jr_ring_put_tiles(scan, parts, warp);
    else
        jr_ring_write_tiles(scan, parts, warp - jr_squad_warps, {(jr_u8 *)results, runs});
}

// in: the input. out: a result for each run. Any grid.
extern "C" __global__ void __launch_bounds__(JR_BLOCK, 1)
    jr_scan_bulk_copy_runs(const __grid_constant__ jr_cut in, void *out, const __grid_constant__ jr_queue queue,
                           const __grid_constant__ jr_heads heads, const __grid_constant__ jr_runs runs,
                           const __grid_constant__ jr_call call) {
    jr_ring_reduce_runs(in, out, queue, heads, runs, call);
}
