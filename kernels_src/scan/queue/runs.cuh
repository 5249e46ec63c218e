// Runs: neighbouring elements with equal keys, each of which has one result and one key. The state of the scan is the
// fold of the elements since the last run start, inclusive, and the number of run starts (heads), which numbers the
// runs.
//
// The thread that finds a run start writes its key, and the result of the run that ends before it; the last run's
// result is written when all tiles are folded.
#pragma once

#include "scan/common/run_state.cuh"
#include "scan/queue/single_pass.cuh"

struct jr_runs_scan {
    typedef jr_run accumulator;
    typedef jr_runs_before carried;
    const jr_reducer &reducer;
    const jr_runs &runs;
    jr_u8 *const results;
    const jr_run_reducer taker;
    jr_head_finder finder;
    jr_pack_heads heads[JR_UNROLL];

    __device__ __forceinline__ const jr_run_reducer &combiner() const { return taker; }
    __device__ __forceinline__ carried start() const { return {reducer.identity(), 0 JR_LAST(0)}; }
    // What stands before a tile, its heads not counted: in a tile they are counted from 0 on.
    __device__ __forceinline__ jr_run carry(const carried &before) const { return {before.of, 0 JR_LAST(before.last)}; }

    // Finds the heads of a tile. All threads take part.
    __device__ __forceinline__ void begin(const jr_cut &in, jr_u64 tile, long long at) {
        finder.find(in, reducer.call, tile, at, heads);
    }

    // Writes the result of a run that ends before element `end`.
    template <class STATE> __device__ __forceinline__ void write_run(jr_u64 run, const STATE &of, jr_u64 end) const {
        const jr_accumulator total = of.of;
#if JR_PLACED
        const jr_u64 count = end - of.last;
#else
        const jr_u64 count = 1; // any count but 0: the operator does not need it
#endif
        reducer.write_one(results + run * runs.result_bytes, total, count);
    }

    // Item k of a pack. before: runs that begin before the tile.
    template <bool WRITES>
    __device__ __forceinline__ void take(jr_run &running, const jr_item &item, bool head, jr_u64 before) const {
        if (WRITES && head) {
            const jr_u64 run = before + running.heads;
            if (run > 0) write_run(run - 1, running, item.i);
            if (runs.keys) ((JR_KEY *)runs.keys)[run] = ((const JR_KEY *)finder.given.keys)[item.i];
        }
        running = taker.take(running, reducer.lift(item), head, item.i);
    }
    template <bool WRITES>
    __device__ __forceinline__ void take_pack(jr_run &running, const jr_cut &in, long long at, const jr_packs &packs,
                                              jr_u32 mask, jr_u64 before) const {
        if (jr_is_whole(in, at)) {
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++)
                take<WRITES>(running, packs.item(k, jr_pack_index(in, at, 0)), mask >> k & 1, before);
        } else {
            const jr_part part(in, reducer.call.count, at);
#pragma unroll 1
            for (jr_u32 k = part.from; k < part.to; k++)
                take<WRITES>(running, part.item(in, k, 0), mask >> k & 1, before);
        }
    }

    // Folds each of a thread's packs.
    __device__ __forceinline__ void fold(const jr_cut &in, long long at, const jr_packs (&packs)[JR_UNROLL],
                                         jr_run (&folded)[JR_UNROLL]) const {
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            folded[u] = taker.identity();
            take_pack<false>(folded[u], in, at + u * jr_warp_lanes, packs[u], heads[u].mask, 0);
        }
    }
    // Writes what ends and begins in a tile. before: of each of a thread's packs the fold of all that stands before it.
    __device__ __forceinline__ void write(const jr_cut &in, long long at, const jr_packs (&packs)[JR_UNROLL],
                                          const jr_run (&before)[JR_UNROLL], const carried &start) const {
        const jr_u64 runs_before = start.heads;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            jr_run running = before[u];
            if (heads[u].mask)
                take_pack<true>(running, in, at + u * jr_warp_lanes, packs[u], heads[u].mask, runs_before);
        }
    }
    // Writes what is known only when all tiles are folded: the result of the last run, from `before` and the last
    // tile's state `last`.
    __device__ __forceinline__ void end(const carried &before, const jr_run &last) const {
        const carried all = taker.combine(before, last);
        write_run(all.heads - 1, all, reducer.call.count);
        if (runs.count) *runs.count = all.heads;
    }
};
