// wave for scans: one launch with one block per tile; the tile stays in registers from its loads to its results.
//
// Each block scans the tile of its own number, which it loads before anything else. Blocks start in that order, but
// CUDA does not guarantee it, nor that all blocks fit next to other work. To avoid deadlock, a block that has waited
// long for a tile's total folds the tile itself, to the same bits. That is impossible where results overwrite elements;
// then blocks draw tiles by tickets, as in single_pass.
//
// Two warps have other roles: one publishes the tile's total, one folds the totals of all earlier tiles; meanwhile the
// other warps scan rows. Slots are far apart (JR_WAVE_APART): every block reads the slots of the first tiles, which
// would delay writes to neighbouring words.
#pragma once

#include "scan/common/queue.cuh"
#include "scan/common/tile_results.cuh"

static_assert(JR_BLOCK >= 96, "contract: JR_BLOCK must be 96 or more: two warps of roles and one that scans");

constexpr jr_u32 jr_wave_threads = JR_WAVE_THREADS(JR_BLOCK), jr_wave_warps = jr_wave_threads / jr_warp_lanes;
constexpr jr_u32 jr_wave_row = jr_warp_lanes * JR_UNROLL, jr_wave_packs = jr_wave_warps * jr_wave_row; // packs
constexpr jr_u32 jr_wave_apart = JR_WAVE_APART(sizeof(jr_accumulator));
constexpr jr_u32 jr_wave_share = JR_WAVE_GROUP(sizeof(jr_accumulator), JR_BLOCK) / jr_warp_lanes; // slots a lane
constexpr jr_u32 jr_wave_group = jr_wave_share * jr_warp_lanes;

// Two blocks per multiprocessor, unless a thread would then spill registers.
constexpr jr_u32 jr_wave_registers = 24 + JR_UNROLL * ((jr_u32)sizeof(jr_packs) / 4 + 2 * jr_accumulator_words);
constexpr jr_u32 jr_wave_blocks =
    jr_result_pack_bytes == 16 && 65536 / (2 * JR_BLOCK) >= jr_wave_registers && jr_accumulator_words <= 2 ? 2 : 1;

// How often a block reads missing totals before it folds tiles itself, one each time: some milliseconds.
constexpr jr_u32 jr_wave_patience = 4096;

// The number of a thread's first pack in a tile. place: the tile's number in the data; warp: number of a scanning warp.
__device__ __forceinline__ long long jr_wave_pack(const jr_cut &in, jr_u64 place, jr_u32 warp) {
    return (long long)(place * jr_wave_packs + warp * jr_wave_row + jr_lane()) - (in.head > 0);
}

// The fold of a warp's rows, with one value per lane and row; lane 0 has the result. For an operator that commutes.
__device__ __forceinline__ jr_accumulator jr_wave_rows(const jr_reducer &reducer,
                                                       const jr_accumulator (&folded)[JR_UNROLL]) {
    jr_accumulator total[1] = {folded[0]};
#pragma unroll
    for (jr_u32 u = 1; u < JR_UNROLL; u++) total[0] = reducer.combine(total[0], folded[u]);
    jr_combine_lanes<jr_lane_steps<jr_accumulator>>(reducer, total);
    return total[0];
}

// The same fold, to the bit, of rows that are not in registers. It takes operators that do not commute, too, whose rows
// are folded in order. at: the lane's pack of the first row.
__device__ __forceinline__ jr_accumulator jr_wave_rows(const jr_reducer &reducer, const jr_cut &in, long long at) {
    jr_accumulator total[1];
#pragma unroll 1
    for (jr_u32 u = 0; u < JR_UNROLL; u++, at += jr_warp_lanes) {
        jr_accumulator row[1];
        if (jr_is_whole(in, at)) {
            jr_packs packs;
            packs.load(in, at);
            row[0] = jr_fold_whole((const jr_chains<jr_operator> *)0, reducer, packs,
                                   jr_pack_index(in, at, reducer.call.first));
        } else {
            row[0] = jr_fold_part(reducer, in, at);
        }
        if (!JR_COMMUTATIVE) jr_combine_lanes(reducer, row);
        total[0] = u == 0 ? row[0] : reducer.combine(total[0], row[0]);
    }
    if (JR_COMMUTATIVE) jr_combine_lanes(reducer, total);
    return total[0];
}

// Computes the total of a tile whose block has not published it yet, to the same bits. One warp calls it.
__device__ __forceinline__ jr_accumulator jr_wave_total(const jr_reducer &reducer, const jr_cut &in, jr_u64 place) {
    jr_accumulator totals[1] = {reducer.identity()};
#pragma unroll 1
    for (jr_u32 warp = 0; warp < jr_wave_warps; warp++) {
        const jr_accumulator total = jr_broadcast(jr_wave_rows(reducer, in, jr_wave_pack(in, place, warp)), 0);
        if (jr_lane() == warp) totals[0] = total;
    }
    jr_scan_lanes(reducer, totals);
    return jr_broadcast(totals[0], jr_wave_warps - 1);
}

// What a warp that folds totals knows of its launch.
struct jr_wave_look {
    const jr_reducer &reducer;
    const jr_cut &in;
    const jr_queue &queue;
    const jr_u32 epoch;

    __device__ __forceinline__ bool look(jr_u32 tile, jr_accumulator_bits &total) const {
        return jr_queue_look(queue, tile * jr_wave_apart, epoch, total);
    }
    // Publishes the total of a tile in place of its block, which has not published it for long. All lanes call it.
    __device__ __forceinline__ void help(jr_u32 tile) const {
        const jr_accumulator total = tile < queue.begin
                                         ? jr_queue_open<jr_accumulator>(queue, queue.part)[tile]
                                         : jr_wave_total(reducer, in, queue.first_tile + (tile - queue.begin));
        if (jr_lane() == 0) jr_queue_put(queue, tile * jr_wave_apart, epoch, total);
    }
};

// Waits for the totals of a group's tiles, from tile `from` on and before `end`, and folds them; lane 0 has the result.
// Each lane reads all its totals at once, also those it has already, in whose place it reads the group's first one
// again: with a condition around each load, the compiler would make one load wait for another. With eight totals a lane,
// small scans took 0.3 us longer than with four.
__device__ __forceinline__ jr_accumulator jr_wave_fold(const jr_wave_look &wave, jr_u32 from, jr_u32 end) {
    const jr_u32 first = from + jr_lane() * jr_wave_share, left = first < end ? end - first : 0;
    const jr_u32 all = (1u << jr_wave_share) - 1;
    jr_accumulator_bits seen[jr_wave_share];
    jr_u32 there = left < jr_wave_share ? all << left & all : 0; // one bit per total that is known; those after the end
                                                                 // count as known
#pragma unroll 1
    for (jr_u32 asked = 1;; asked++) {
        jr_accumulator_bits now[jr_wave_share];
        jr_u32 come = 0;
#pragma unroll
        for (jr_u32 s = 0; s < jr_wave_share; s++)
            come |= (jr_u32)wave.look(there >> s & 1 ? from : first + s, now[s]) << s;
#pragma unroll
        for (jr_u32 s = 0; s < jr_wave_share; s++)
            if (!(there >> s & 1)) seen[s] = now[s];
        there |= come;
        if (__all_sync(jr_full_mask, there == all)) break;
        if (asked >= jr_wave_patience && (wave.queue.flags & JR_QUEUE_BY_INDEX)) {
            const jr_u32 lanes = __ballot_sync(jr_full_mask, there != all), lane = __ffs(lanes) - 1;
            wave.help(__shfl_sync(jr_full_mask, first + __ffs(~there) - 1, lane)); // the first tile that is missing
        }
    }
    const jr_reducer &reducer = wave.reducer;
    jr_accumulator value[1] = {reducer.identity()};
#pragma unroll
    for (jr_u32 s = 0; s < jr_wave_share; s++)
        if (s < left) value[0] = reducer.combine(value[0], seen[s].value);
    jr_combine_lanes<jr_lane_steps<jr_accumulator>>(reducer, value);
    return value[0];
}

// The fold of everything before the first group of the launch's tiles.
__device__ __forceinline__ jr_accumulator jr_wave_start(const jr_reducer &reducer, const jr_queue &queue) {
    const jr_accumulator *const carry = jr_queue_carry<jr_accumulator>(queue, queue.part);
    return queue.part > 0 ? *carry : jr_with_initial(reducer, reducer.identity());
}

// Folds everything before a tile; lane 0 has the result.
__device__ __forceinline__ jr_accumulator jr_wave_before(const jr_wave_look &wave, jr_u32 tile) {
    jr_accumulator before = jr_wave_start(wave.reducer, wave.queue);
#pragma unroll 1
    for (jr_u32 from = 0; from < tile; from += jr_wave_group)
        before = wave.reducer.combine(before, jr_wave_fold(wave, from, tile));
    return before;
}

// Stores the totals of the first group's tiles before the launch in their slots, where blocks wait for them.
__device__ __forceinline__ void jr_wave_resume(const jr_queue &queue, jr_u32 epoch) {
    const jr_accumulator *const open = jr_queue_open<jr_accumulator>(queue, queue.part);
    for (jr_u32 t = jr_lane(); t < queue.begin; t += jr_warp_lanes)
        jr_queue_put(queue, t * jr_wave_apart, epoch, open[t]);
}

// Writes what the next part begins with. end: the number after the launch's last tile.
__device__ __forceinline__ void jr_wave_suspend(const jr_wave_look &wave, jr_u32 end) {
    const jr_queue &queue = wave.queue;
    jr_accumulator *const open = jr_queue_open<jr_accumulator>(queue, queue.part + 1);
    const jr_u32 whole = end / jr_wave_group * jr_wave_group;
    const jr_accumulator before = jr_wave_before(wave, whole);
    if (jr_lane() == 0) *jr_queue_carry<jr_accumulator>(queue, queue.part + 1) = before;
    for (jr_u32 t = jr_lane(); t < end - whole; t += jr_warp_lanes)
        open[t] = jr_queue_get<jr_accumulator>(queue, (whole + t) * jr_wave_apart, wave.epoch);
}

// What the warps exchange in shared memory. Each member is a variable of its own: next to an accumulator inside a
// struct the compiler would read neighbouring words, too.
struct jr_wave {
    jr_u64 *drawn; // the ticket
    jr_accumulator *totals, *before;
};

enum { JR_TOTALS_ARE_THERE = 1, JR_ALL_IS_THERE = 2, JR_TICKET_IS_THERE = 3 }; // barriers

template <jr_u32 THREADS> __device__ __forceinline__ void jr_arrive(jr_u32 barrier) {
    asm volatile("barrier.arrive %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}
template <jr_u32 THREADS> __device__ __forceinline__ void jr_meet(jr_u32 barrier) {
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}

// ---- the two warps of roles ----

// The role of one warp: waits for the totals of the scanning warps, replaces each with the fold up to that warp's end,
// and publishes the last one, which is the tile's total.
__device__ __forceinline__ void jr_wave_publish(const jr_reducer &reducer, const jr_queue &queue, jr_u32 tile,
                                                const jr_wave &wave) {
    jr_accumulator *const totals = wave.totals;
    jr_meet<jr_wave_threads + jr_warp_lanes>(JR_TOTALS_ARE_THERE);
    jr_accumulator value[1] = {jr_lane() < jr_wave_warps ? totals[jr_lane()] : reducer.identity()};
    jr_scan_lanes(reducer, value);
    if (jr_lane() == jr_wave_warps - 1)
        jr_queue_put(queue, (queue.begin + tile) * jr_wave_apart, jr_queue_epoch(*wave.drawn), value[0]);
    if (jr_lane() < jr_wave_warps) totals[jr_lane()] = value[0];
    jr_arrive<JR_BLOCK>(JR_ALL_IS_THERE);
}

// The role of the other warp: folds everything before the tile for the scanning warps. For the launch's first tile it also
// resumes, for the last one it suspends.
__device__ __forceinline__ void jr_wave_look_back(const jr_reducer &reducer, const jr_cut &in, const jr_queue &queue,
                                                  jr_u32 tile, const jr_wave &wave) {
    const jr_wave_look look = {reducer, in, queue, jr_queue_epoch(*wave.drawn)};
    const jr_u32 inside = queue.begin + tile; // number of the tile, with those of earlier parts: see queue.cuh
    if (tile == 0) jr_wave_resume(queue, look.epoch);
    const jr_accumulator before = jr_wave_before(look, inside);
    if (jr_lane() == 0) *wave.before = before;
    jr_meet<JR_BLOCK>(JR_ALL_IS_THERE);
    if (queue.goes_on && tile + 1 == queue.tile_count) jr_wave_suspend(look, inside + 1);
    __syncwarp();
    if (jr_lane() == 0) jr_queue_leave<jr_accumulator, true>(queue, *wave.drawn);
}

// ---- the scanning warps ----

// Folds a warp's rows of the tile, waits for the fold of everything before them, and writes their results.
__device__ __forceinline__ void jr_wave_scan(const jr_reducer &reducer, const jr_cut &in, void *results,
                                             jr_u64 place, jr_u8 *stages, const jr_wave &wave) {
    const jr_whole_scan form{reducer, jr_output_of(in, results, stages, reducer.call.count)};
    const long long at = jr_wave_pack(in, place, jr_warp());
    jr_accumulator *const totals = wave.totals;
    jr_packs packs[JR_UNROLL];
    jr_accumulator before[JR_UNROLL];
    jr_load_tile(in, at, packs);
    jr_fold_tile((const jr_chains<jr_operator> *)0, reducer, in, at, packs, before);
#if JR_COMMUTATIVE // the total is known sooner by a fold of its own than by the scan of the rows
    const jr_accumulator total = jr_wave_rows(reducer, before);
    if (jr_lane() == 0) totals[jr_warp()] = total;
    jr_arrive<jr_wave_threads + jr_warp_lanes>(JR_TOTALS_ARE_THERE);
    const jr_scanned_rows<jr_accumulator, JR_UNROLL> rows = jr_scan_rows(reducer, before);
#else
    const jr_scanned_rows<jr_accumulator, JR_UNROLL> rows = jr_scan_rows(reducer, before);
    if (jr_lane() == 0) totals[jr_warp()] = rows.total;
    jr_arrive<jr_wave_threads + jr_warp_lanes>(JR_TOTALS_ARE_THERE);
#endif
    jr_meet<JR_BLOCK>(JR_ALL_IS_THERE);
    jr_accumulator start = *wave.before;
    if (jr_warp() > 0) start = reducer.combine(start, totals[jr_warp() - 1]);
    jr_scan_behind(reducer, before, rows, start);
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) jr_forget_elements(packs[u]);
    jr_scan_tile(form, in, at, packs, before);
}
