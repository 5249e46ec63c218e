// bulk_copy of runs of equal keys: the ring of bulk_copy.cuh, whose tiles have keys beside their packs. The first squad
// finds the heads and counts them; the second one makes a result and a key at each head, puts them together in the places
// of its warps' elements and keys, and writes them one behind the other.
#pragma once

#include "scan/ring_runs.cuh"

#include "scan/ring_fold_heads.cuh"

static_assert(jr_ring_replaces, "contract: results must be as wide as the elements of one array");
static_assert(!JR_PLACED, "contract: the ring does not know places in runs");

// Where runs go, and what the second squad knows of a warp's part of a tile.
struct jr_ring_runs_out {
    jr_u8 *results;
    const jr_runs &runs;

    // Writes the result of run `run`, which is folded.
    __device__ __forceinline__ void put(const jr_reducer &reducer, jr_u64 run, const jr_accumulator &fold) const {
        reducer.write_one(results + run * sizeof(jr_result), fold, 1); // of as many as is asked for
    }
};

// Puts the results and keys of a thread's runs to those of its warp. At each head ends the run before it. taken: heads of
// the warp before the thread's. All packs of the tile are whole, and its keys are there.
__device__ __forceinline__ void jr_ring_gather_runs(const jr_ring_scan &scan, const jr_ring_share_of &share,
                                                    const jr_share_heads &heads, const JR_KEY *keys, jr_u32 taken,
                                                    jr_accumulator running, jr_result *results, JR_KEY *gathered) {
    const jr_u64 index = jr_pack_index(scan.in, share.at, scan.reducer.call.first);
    jr_packs packs[JR_UNROLL];
    jr_pack<JR_KEY> own_keys[JR_UNROLL];
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        packs[u].load_staged(scan.in, share.at + u, share.pack(u));
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) own_keys[u].elements[k] = keys[u * jr_pack_elements + k];
    }
    __syncwarp(); // all have read what results and keys will lie upon
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_u32 own = heads.of_pack(u);
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) {
            const jr_accumulator lifted = scan.reducer.lift(packs[u].item(k, index + u * jr_pack_elements));
            const bool head = own >> k & 1;
            if (head) {
                scan.reducer.write_one(results + taken, running, 1);
                gathered[taken] = own_keys[u].elements[k];
                taken++;
            }
            running = head ? lifted : scan.reducer.combine(running, lifted);
        }
    }
}

// Writes what a warp has put together, one behind the other. first: the number of its first head's run.
__device__ __forceinline__ void jr_ring_write_runs(const jr_ring_runs_out &out, jr_u64 first, jr_u32 count,
                                                   const jr_result *results, const JR_KEY *gathered) {
    jr_result *const to = (jr_result *)out.results + first - 1; // at a head ends the run before it
#pragma unroll 4
    for (jr_u32 r = jr_lane(); r < count; r += jr_warp_lanes)
        if (first + r > 0) to[r] = results[r];
    if (!out.runs.keys) return;
    JR_KEY *const keys = (JR_KEY *)out.runs.keys + first;
#pragma unroll 4
    for (jr_u32 r = jr_lane(); r < count; r += jr_warp_lanes) keys[r] = gathered[r];
}

// Writes the results and keys of a thread's runs where they belong. To the bit as the other way.
__device__ __forceinline__ void jr_ring_scatter_runs(const jr_ring_scan &scan, const jr_ring_share_of &share,
                                                     const jr_ring_beside &beside, jr_u32 thread,
                                                     const jr_ring_runs_out &out, jr_runs_before running) {
    jr_accumulator fold = running.of;
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const jr_u32 own = beside.of_pack(thread, u);
        const jr_part part(scan.in, scan.reducer.call.count, share.at + u);
#pragma unroll 1
        for (jr_u32 k = part.from; k < part.to; k++) {
            const jr_accumulator lifted = scan.reducer.lift(jr_ring_item(scan, share, u, part, k));
            const bool head = own >> k & 1;
            if (head) {
                const JR_KEY *const keys = (const JR_KEY *)scan.given.keys + scan.in.head;
                if (running.heads > 0) out.put(scan.reducer, running.heads - 1, fold);
                if (out.runs.keys) ((JR_KEY *)out.runs.keys)[running.heads] = keys[part.begin + k];
                running.heads++;
            }
            fold = head ? lifted : scan.reducer.combine(fold, lifted);
        }
    }
}

// Writes what is known when all tiles are folded: the last run's result, and how many there are. One thread calls it, of
// whom the last tile's start is known.
__device__ __forceinline__ void jr_ring_end_runs(const jr_ring_scan &scan, const jr_ring_place &place,
                                                 const jr_ring_runs_out &out) {
    const jr_runs_before before = *(const jr_runs_before *)&scan.ring.before[place.at];
    const jr_run last = *(const jr_run *)&scan.ring.warps[place.at][jr_squad_warps - 1];
    const jr_runs_before all = scan.combiner.combine(before, last);
    const jr_accumulator fold = all.of;
    out.put(scan.reducer, all.heads - 1, fold);
    if (out.runs.count) *out.runs.count = all.heads;
}

__device__ __forceinline__ void jr_ring_write_tiles(const jr_ring_scan &scan, jr_u32 warp, const jr_ring_runs_out &out) {
    const jr_u32 thread = warp * jr_warp_lanes + jr_lane(), inside = warp * jr_warp_lanes * jr_share_elements;
    jr_ring &ring = scan.ring;
#pragma unroll 1
    for (jr_ring_place place = {0, 0};; place.advance()) {
        jr_bulk_wait(ring.full + place.at, place.parity);
        const jr_u32 tile = ring.tile[place.at];
        if (tile == jr_no_tile) break;
        const long long first = jr_ring_pack(scan.in, scan.queue, tile);
        jr_u8 *const staged = scan.places + place.at * jr_place_bytes;
        const jr_ring_share_of share = {first + thread * JR_UNROLL,
                                        staged + thread * (jr_u32)(JR_UNROLL * sizeof(jr_pack<JR_X>))};
        const jr_ring_beside beside(staged);
        const jr_key_span span(scan.in, scan.given, scan.reducer.call, first);
        const jr_runs_before start = jr_ring_start(scan.combiner, ring, place, warp);
        const jr_runs_before before =
            jr_lane() == 0 ? start : scan.combiner.combine(start, *(const jr_run *)&beside.folds[thread - 1]);
        const jr_run whole = *(const jr_run *)&beside.folds[thread | (jr_warp_lanes - 1)];
        if (span.there) {
            jr_result *const results = (jr_result *)staged + inside;
            JR_KEY *const keys = (JR_KEY *)(beside.keys + span.shift) + inside;
            const jr_accumulator running = before.of;
            jr_share_heads heads;
            heads.load(beside, thread);
            jr_ring_gather_runs(scan, share, heads, keys + jr_lane() * jr_share_elements,
                                (jr_u32)(before.heads - start.heads), running, results, keys);
            __syncwarp();
            jr_ring_write_runs(out, start.heads, whole.heads, results, keys);
        } else {
            jr_ring_scatter_runs(scan, share, beside, thread, out, before);
        }
        if (threadIdx.x == 2 * jr_warp_lanes + jr_squad_threads && tile + 1 == scan.queue.tile_count &&
            !scan.queue.goes_on)
            jr_ring_end_runs(scan, place, out);
        jr_bulk_begin(); // copies will lie upon what was put together
        jr_ring_release(ring, place);
    }
}

// ---- all roles ----

// As jr_scan_ring (bulk_copy.cuh). results: one for each run. given: the keys.
__device__ __forceinline__ void jr_ring_reduce_runs(const jr_cut &in, void *results, const jr_queue &queue,
                                                    const jr_heads &given, const jr_runs &runs, const jr_call &call) {
    extern __shared__ __align__(128) jr_u8 jr_places[];
    __shared__ jr_ring ring;
    const jr_reducer reducer{{{}, call}};
    const jr_ring_scan scan = {reducer, {reducer}, in, queue, given, ring, jr_places};
    jr_begin_next();
    if (threadIdx.x == 0) jr_ring_init(ring);
    __syncthreads();
    jr_begin_rest();
    if (call.count == 0 && blockIdx.x == 0 && threadIdx.x == 0 && runs.count) *runs.count = 0;
    const jr_u32 squads = jr_warp() - 2;
    if (threadIdx.x == 0) jr_ring_fill(in, queue, ring, jr_places, jr_ring_bringer{in, given, call, ring});
    if (jr_warp() == 1) jr_ring_look_ahead(scan.combiner, queue, ring);
    if (jr_warp() < 2) return;
    if (squads < jr_squad_warps)
        jr_ring_fold_tiles(scan, squads);
    else if (squads < 2 * jr_squad_warps)
        jr_ring_write_tiles(scan, squads - jr_squad_warps, {(jr_u8 *)results, runs});
}
