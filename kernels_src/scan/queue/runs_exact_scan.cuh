// The scan of runs of exact sums, in place: what jr_scan_queue of single_pass.cuh does with jr_runs_scan.
#pragma once

#include "scan/queue/runs_exact_before.cuh"

// What a thread has of a tile.
struct jr_exact_tile {
    jr_packs packs[JR_UNROLL];
    jr_pack_heads heads[JR_UNROLL];
    jr_run_words own[JR_UNROLL], other, ahead; // the state of each pack; scratch; the state before a row of packs
};

struct jr_exact_runs_scan {
    const jr_reducer &reducer;
    const jr_runs &runs;
    jr_u8 *const results;
    const jr_head_finder finder;

    __device__ __forceinline__ void add(jr_run_words &to, const jr_item &item) const {
        jr_accumulator &sums = jr_sums_of(to);
#if JR_KEPT
        if (!jr_where(item, reducer.call)) return;
        const JR_MAPPED value = jr_map(item, reducer.call);
        if (!jr_left_out(value)) jr_placed::add(sums, value, item.i);
#else
        jr_take(reducer, sums, item);
#endif
    }
    __device__ __forceinline__ static jr_item item(const jr_cut &in, const jr_packs &packs, const jr_part &part,
                                                   long long at, jr_u32 k) {
        return jr_is_whole(in, at) ? packs.item(k, jr_pack_index(in, at, 0)) : part.item(in, k, 0);
    }

    // Writes the result of run number `run`, which ends before element `end`. JR_PLACED: the operator needs the run's
    // length.
    __device__ __forceinline__ void write_run(jr_u64 run, const jr_run_words &of, jr_u64 end) const {
        reducer.write_one(results + run * runs.result_bytes, jr_sums_of(of), JR_PLACED ? end - jr_last_of(of) : 1);
    }

    // Folds a pack's elements from its last head on (without a head: all of them), and counts its heads. mask: the
    // heads.
    __device__ __forceinline__ void fold(const jr_cut &in, const jr_packs &packs, long long at, jr_u32 mask,
                                         jr_run_words &to) const {
        const jr_part part(in, reducer.call.count, at);
        const jr_u32 from = mask ? 31 - __clz(mask) : part.from;
        jr_placed::clear(jr_sums_of(to));
        jr_mark(to, __popc(mask), mask ? item(in, packs, part, at, from).i : 0);
#pragma unroll 1
        for (jr_u32 k = from; k < part.to; k++) add(to, item(in, packs, part, at, k));
    }

    // Writes the results of the runs that end at the heads of a pack, and the keys of the runs that begin there.
    // running: the state of the tile before the pack; before: runs that begin before the tile. mask: not 0.
    __device__ __forceinline__ void write(const jr_cut &in, const jr_packs &packs, long long at, jr_u32 mask,
                                          jr_run_words &running, jr_u64 before) const {
        const jr_part part(in, reducer.call.count, at);
        const jr_u32 last = 31 - __clz(mask);
#pragma unroll 1
        for (jr_u32 k = part.from; k <= last; k++) {
            const jr_item here = item(in, packs, part, at, k);
            if (mask >> k & 1) {
                const jr_u64 run = before + running.value.heads;
                if (run > 0) write_run(run - 1, running, here.i);
                if (runs.keys) ((JR_KEY *)runs.keys)[run] = ((const JR_KEY *)finder.given.keys)[here.i];
                jr_placed::clear(jr_sums_of(running));
                jr_mark(running, running.value.heads + 1, here.i);
            }
            add(running, here);
        }
    }

    // Writes the runs of a warp's row of packs. own: the state of the lanes' packs up to this lane's; ahead: the state
    // before the row; running: scratch.
    __device__ __forceinline__ void write_row(const jr_cut &in, const jr_packs &packs, long long at, jr_u32 mask,
                                              const jr_run_words &own, const jr_run_words &ahead, jr_run_words &running,
                                              jr_u64 before) const {
        const jr_u32 heads_below = __shfl_up_sync(jr_full_mask, own.value.heads, 1);
        const jr_u64 last_below = JR_PLACED ? __shfl_up_sync(jr_full_mask, jr_last_of(own), 1) : 0;
        const jr_u32 lower = jr_lane() == 0 ? 0 : heads_below;
        if (!__any_sync(jr_full_mask, mask)) return;
        jr_sums_up(running, own, 1);
        if (mask) {
            if (jr_lane() == 0)
                jr_copy_sums(running, ahead);
            else if (lower == 0)
                jr_placed::prepend(jr_sums_of(running), jr_sums_of(ahead));
            jr_mark(running, ahead.value.heads + lower, lower ? last_below : jr_last_of(ahead));
            write(in, packs, at, mask, running, before);
        }
        __syncwarp();
    }

    // Replaces the total of each of a block's warps with the fold up to it. One warp calls it; own, other: scratch.
    __device__ __forceinline__ static void scan_warps(jr_exact_runs_room &room, jr_run_words &own, jr_run_words &other) {
        const bool mine = jr_lane() < jr_block_warps;
        const jr_run_words &total = room.at(room.totals[mine ? jr_lane() : 0]);
        jr_copy_run(own, total);
        __syncwarp();
        jr_scan_run_lanes(own, other);
        if (mine) jr_copy_run(room.at(room.totals[jr_lane()]), own);
    }

    // Folds a tile. Then room.totals[w] is the state of the tile up to the end of warp w.
    __device__ __forceinline__ void fold_tile(const jr_cut &in, jr_u64 place, long long at, jr_exact_runs_room &room,
                                              jr_exact_tile &tile) const {
        jr_run_words &total = room.at(room.totals[jr_warp()]);
        jr_load_tile(in, at, tile.packs);
        finder.find(in, reducer.call, place, at, tile.heads);
#pragma unroll 1
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            fold(in, tile.packs[u], at + u * jr_warp_lanes, tile.heads[u].mask, tile.own[u]);
            __syncwarp();
            jr_scan_run_lanes(tile.own[u], tile.other);
            if (jr_lane() < jr_warp_lanes - 1) continue;
            if (u == 0)
                jr_copy_run(total, tile.own[0]);
            else
                jr_append_state(total, tile.own[u]);
        }
        __syncthreads();
        if (jr_block_warps == 1) return;
        if (jr_warp() == 0) scan_warps(room, tile.ahead, tile.other);
        __syncthreads();
    }

    // Writes the results of the runs that end in a tile, and the keys of the runs that begin in it.
    __device__ __forceinline__ void write_tile(const jr_cut &in, long long at, jr_exact_runs_room &room,
                                               const jr_exact_before &before, jr_exact_tile &tile) const {
        jr_run_words &ahead = tile.ahead;
        jr_copy_sums(ahead, room.at(room.start));
        jr_mark(ahead, 0, before.last);
        if (jr_warp() > 0) jr_append_state(ahead, room.at(room.totals[jr_warp() - 1]));
#pragma unroll 1
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            jr_run_words &own = tile.own[u];
            write_row(in, tile.packs[u], at + u * jr_warp_lanes, tile.heads[u].mask, own, ahead, tile.other, before.heads);
            if (u + 1 == JR_UNROLL) break;
            const jr_u32 heads = __shfl_sync(jr_full_mask, own.value.heads, jr_warp_lanes - 1);
            const jr_u64 last = __shfl_sync(jr_full_mask, jr_last_of(own), jr_warp_lanes - 1);
            jr_sums_from(own, own, jr_warp_lanes - 1);
            jr_mark(own, heads, last);
            jr_append_state(ahead, own);
        }
    }

    // Writes the last run's result and the number of runs. One thread calls it, in the block of the last tile; own:
    // scratch.
    __device__ __forceinline__ void end(jr_exact_runs_room &room, const jr_exact_before &before, jr_run_words &own) const {
        const jr_run_words &whole = room.at(room.totals[jr_block_warps - 1]);
        const jr_u64 heads = before.heads + whole.value.heads;
        jr_copy_sums(own, room.at(room.start));
        jr_mark(own, 0, before.last);
        jr_append_state(own, whole);
        write_run(heads - 1, own, reducer.call.count);
        if (runs.count) *runs.count = heads;
    }
};

// What jr_queue_resume and jr_queue_suspend do for other scans: store the totals of the tiles before this part in their
// slots; write what the next part begins with. All threads call them.
__device__ __forceinline__ void jr_resume_runs(const jr_queue &queue, jr_u32 epoch) {
    const jr_run *const open = jr_queue_open<jr_run>(queue, queue.part);
#pragma unroll 1
    for (jr_u32 t = 0; t < queue.begin; t++) jr_put_total(queue, t, epoch, *(const jr_run_words *)(open + t));
}
__device__ __forceinline__ void jr_suspend_runs(const jr_queue &queue, jr_u32 end, jr_exact_before &before,
                                                jr_exact_tile &tile) {
    jr_runs_before *const carry = jr_queue_carry<jr_run, jr_runs_before>(queue, queue.part + 1);
    before.find(end, tile.other, tile.ahead);
    const jr_u32 mine = before.passed + threadIdx.x;
    if (threadIdx.x == 0) {
        jr_copy_in_place<jr_accumulator_words>((jr_u32 *)carry, before.room.at(before.room.passed).words);
        carry->heads = before.passed_heads;
#if JR_PLACED
        carry->last = before.passed_last;
#endif
    }
    if (mine >= end) return;
    jr_run_words &open = *(jr_run_words *)(jr_queue_open<jr_run>(queue, queue.part + 1) + threadIdx.x);
    jr_run_marks marks[1];
    jr_ask_sums(queue, mine, before.epoch, open);
    jr_ask_marks(queue, mine, end, before.epoch, marks);
    jr_mark(open, (jr_u32)marks[0].heads, marks[0].last);
}

// Reads the state before a part; before part 0 there are no runs.
__device__ __forceinline__ void jr_begin_runs(const jr_queue &queue, jr_exact_before &before) {
    const jr_runs_before *const carry = jr_queue_carry<jr_run, jr_runs_before>(queue, queue.part);
    jr_run_words &passed = before.room.at(before.room.passed);
    before.passed_heads = queue.part > 0 ? carry->heads : 0;
#if JR_PLACED
    before.passed_last = queue.part > 0 ? carry->last : 0;
#endif
    if (threadIdx.x > 0) return;
    if (queue.part > 0)
        jr_copy_in_place<jr_accumulator_words>(passed.words, (const jr_u32 *)carry);
    else
        jr_placed::clear(jr_sums_of(passed));
}

// in: the input. queue: the tiles of this launch. Any grid.
__device__ __forceinline__ void jr_scan_queue(const jr_exact_runs_scan &scan, const jr_cut &in,
                                              const jr_queue &queue) {
    __shared__ jr_room<jr_exact_runs_room> room_;
    jr_exact_runs_room &room = *(jr_exact_runs_room *)&room_;
    jr_exact_tile tile;
    jr_exact_before before = {queue, 0, room, 0, 0, 0, 0, 0};
    jr_begin_runs(queue, before);
    if (threadIdx.x == 0) room.drawn = jr_queue_draw(queue);
    __syncthreads();
    jr_u64 ticket = room.drawn;
    before.epoch = jr_queue_epoch(ticket);
#pragma unroll 1
    while ((jr_u32)ticket < queue.tile_count) {
        const jr_u32 number = queue.begin + (jr_u32)ticket;
        const jr_u64 place = queue.first_tile + (jr_u32)ticket; // of the tile in the data
        const long long at = jr_tile_pack(in, place);
        const bool ends = (jr_u32)ticket + 1 == queue.tile_count;
        if ((jr_u32)ticket == 0) jr_resume_runs(queue, before.epoch);
        scan.fold_tile(in, place, at, room, tile);
        jr_put_total(queue, number, before.epoch, room.at(room.totals[jr_block_warps - 1]));
        before.find(number, tile.other, tile.ahead);
        __syncthreads();
        if (ends && !queue.goes_on && threadIdx.x == 0) scan.end(room, before, tile.ahead);
        // Drawn no sooner: others would wait for a tile that this block has not begun. While it comes, results are written.
        if (threadIdx.x == 0) ticket = jr_queue_draw(queue);
        scan.write_tile(in, at, room, before, tile);
        if (threadIdx.x == 0) room.drawn = ticket;
        __syncthreads();
        ticket = room.drawn;
        if (ends && queue.goes_on) jr_suspend_runs(queue, number + 1, before, tile);
    }
    if (threadIdx.x == 0) jr_queue_leave<jr_run>(queue, ticket);
}
