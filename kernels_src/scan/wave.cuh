// wave of scans: one launch with a block for each tile, which is in registers from its loads to its results.
//
// Blocks draw their tiles by tickets, as of single_pass, so that none waits for a tile that nobody has begun, whatever
// the order in which blocks come to run. Two warps have roles: one gives the tile's total away, one folds the totals of
// all tiles before it; the others scan rows meanwhile. Slots lie far apart (JR_WAVE_APART): every block asks for those of
// the first tiles, and would hold up what is written beside them.
#pragma once

#include "scan/queue.cuh"
#include "scan/tile_results.cuh"

static_assert(JR_BLOCK >= 96, "contract: JR_BLOCK must be 96 or more: two warps of roles and one that scans");

constexpr jr_u32 jr_wave_threads = JR_WAVE_THREADS(JR_BLOCK), jr_wave_warps = jr_wave_threads / jr_warp_lanes;
constexpr jr_u32 jr_wave_row = jr_warp_lanes * JR_UNROLL, jr_wave_packs = jr_wave_warps * jr_wave_row; // packs
constexpr jr_u32 jr_wave_apart = JR_WAVE_APART(sizeof(jr_accumulator));
constexpr jr_u32 jr_wave_share = JR_WAVE_GROUP(sizeof(jr_accumulator), JR_BLOCK) / jr_warp_lanes; // slots a lane
constexpr jr_u32 jr_wave_group = jr_wave_share * jr_warp_lanes;

// Two blocks a multiprocessor, unless a thread would then keep some of its registers in memory.
constexpr jr_u32 jr_wave_registers = 24 + JR_UNROLL * ((jr_u32)sizeof(jr_packs) / 4 + 2 * jr_accumulator_words);
constexpr jr_u32 jr_wave_blocks =
    jr_result_pack_bytes == 16 && 65536 / (2 * JR_BLOCK) >= jr_wave_registers && jr_accumulator_words <= 2 ? 2 : 1;

// Folds the totals of the tiles from `from` on, a group of them or up to `end`; lane 0 has it.
__device__ __forceinline__ jr_accumulator jr_wave_fold(const jr_reducer &reducer, const jr_queue &queue, jr_u32 from,
                                                       jr_u32 end, jr_u32 epoch) {
    const jr_u32 first = from + jr_lane() * jr_wave_share;
    jr_accumulator_bits seen[jr_wave_share];
    bool there[jr_wave_share], all;
#pragma unroll
    for (jr_u32 s = 0; s < jr_wave_share; s++) there[s] = first + s >= end;
#pragma unroll 1
    do {
        all = true;
#pragma unroll
        for (jr_u32 s = 0; s < jr_wave_share; s++)
            if (!there[s]) there[s] = jr_queue_look(queue, (first + s) * jr_wave_apart, epoch, seen[s]);
#pragma unroll
        for (jr_u32 s = 0; s < jr_wave_share; s++) all = all && there[s];
    } while (!__all_sync(jr_full_mask, all));
    jr_accumulator value[1] = {reducer.identity()};
#pragma unroll
    for (jr_u32 s = 0; s < jr_wave_share; s++)
        if (first + s < end) value[0] = reducer.combine(value[0], seen[s].value);
    jr_combine_lanes(reducer, value);
    return value[0];
}

// What stands before the first group of the launch.
__device__ __forceinline__ jr_accumulator jr_wave_start(const jr_reducer &reducer, const jr_queue &queue) {
    const jr_accumulator *const carry = jr_queue_carry<jr_accumulator>(queue, queue.part);
    return queue.part > 0 ? *carry : jr_with_initial(reducer, reducer.identity());
}

// Folds what stands before a tile; lane 0 has it.
__device__ __forceinline__ jr_accumulator jr_wave_before(const jr_reducer &reducer, const jr_queue &queue, jr_u32 tile,
                                                         jr_u32 epoch) {
    jr_accumulator before = jr_wave_start(reducer, queue);
#pragma unroll 1
    for (jr_u32 from = 0; from < tile; from += jr_wave_group)
        before = reducer.combine(before, jr_wave_fold(reducer, queue, from, tile, epoch));
    return before;
}

// Gives the totals of the group's tiles before the launch to those that wait for them.
__device__ __forceinline__ void jr_wave_resume(const jr_queue &queue, jr_u32 epoch) {
    const jr_accumulator *const open = jr_queue_open<jr_accumulator>(queue, queue.part);
    for (jr_u32 t = jr_lane(); t < queue.begin; t += jr_warp_lanes)
        jr_queue_put(queue, t * jr_wave_apart, epoch, open[t]);
}

// Leaves what the next part begins with. end: the tile behind the launch's last one.
__device__ __forceinline__ void jr_wave_suspend(const jr_reducer &reducer, const jr_queue &queue, jr_u32 end,
                                                jr_u32 epoch) {
    jr_accumulator *const open = jr_queue_open<jr_accumulator>(queue, queue.part + 1);
    const jr_u32 whole = end / jr_wave_group * jr_wave_group;
    const jr_accumulator before = jr_wave_before(reducer, queue, whole, epoch);
    if (jr_lane() == 0) *jr_queue_carry<jr_accumulator>(queue, queue.part + 1) = before;
    for (jr_u32 t = jr_lane(); t < end - whole; t += jr_warp_lanes)
        open[t] = jr_queue_get<jr_accumulator>(queue, (whole + t) * jr_wave_apart, epoch);
}

// What the warps tell each other.
struct jr_wave {
    jr_u64 drawn; // the ticket
    jr_room_of_one totals[jr_wave_warps], before;
};

enum { JR_TOTALS_ARE_THERE = 1, JR_ALL_IS_THERE = 2 }; // barriers

template <jr_u32 THREADS> __device__ __forceinline__ void jr_arrive(jr_u32 barrier) {
    asm volatile("barrier.arrive %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}
template <jr_u32 THREADS> __device__ __forceinline__ void jr_meet(jr_u32 barrier) {
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "n"(THREADS) : "memory");
}

// ---- the two warps of roles ----

// The totals become the folds up to each warp's end; the last one is the tile's.
__device__ __forceinline__ void jr_wave_publish(const jr_reducer &reducer, const jr_queue &queue, jr_wave &wave) {
    jr_accumulator *const totals = (jr_accumulator *)wave.totals;
    jr_meet<jr_wave_threads + jr_warp_lanes>(JR_TOTALS_ARE_THERE);
    jr_accumulator value[1] = {jr_lane() < jr_wave_warps ? totals[jr_lane()] : reducer.identity()};
    jr_scan_lanes(reducer, value);
    if (jr_lane() == jr_wave_warps - 1)
        jr_queue_put(queue, (queue.begin + (jr_u32)wave.drawn) * jr_wave_apart, jr_queue_epoch(wave.drawn), value[0]);
    if (jr_lane() < jr_wave_warps) totals[jr_lane()] = value[0];
    jr_arrive<JR_BLOCK>(JR_ALL_IS_THERE);
}

__device__ __forceinline__ void jr_wave_look_back(const jr_reducer &reducer, const jr_queue &queue, jr_wave &wave) {
    const jr_u32 ticket = (jr_u32)wave.drawn, tile = queue.begin + ticket, epoch = jr_queue_epoch(wave.drawn);
    if (ticket == 0) jr_wave_resume(queue, epoch);
    const jr_accumulator before = jr_wave_before(reducer, queue, tile, epoch);
    if (jr_lane() == 0) *(jr_accumulator *)&wave.before = before;
    jr_meet<JR_BLOCK>(JR_ALL_IS_THERE);
    if (queue.goes_on && ticket + 1 == queue.tile_count) jr_wave_suspend(reducer, queue, tile + 1, epoch);
    __syncwarp();
    if (jr_lane() == 0) jr_queue_leave<jr_accumulator, true>(queue, wave.drawn);
}

// ---- the others ----

template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_wave_scan(const jr_reducer &reducer, const jr_cut &in, void *results,
                                             const jr_queue &queue, jr_u8 *stages, jr_wave &wave) {
    const jr_whole_scan<EXCLUSIVE> form{reducer, jr_output_of(in, results, stages, reducer.call.count)};
    const jr_u64 place = queue.first_tile + (jr_u32)wave.drawn; // of the tile in the data
    const long long at = (long long)(place * jr_wave_packs + jr_warp() * jr_wave_row + jr_lane()) - (in.head > 0);
    jr_accumulator *const totals = (jr_accumulator *)wave.totals;
    jr_packs packs[JR_UNROLL];
    jr_accumulator before[JR_UNROLL];
    jr_load_tile(in, at, packs);
    jr_fold_tile((const jr_chains<jr_operator> *)0, reducer, in, at, packs, before);
#if JR_COMMUTATIVE
    jr_accumulator total[1] = {before[0]}; // sooner there than by the rows
#pragma unroll
    for (jr_u32 u = 1; u < JR_UNROLL; u++) total[0] = reducer.combine(total[0], before[u]);
    jr_combine_lanes(reducer, total);
    if (jr_lane() == 0) totals[jr_warp()] = total[0];
    jr_arrive<jr_wave_threads + jr_warp_lanes>(JR_TOTALS_ARE_THERE);
    const jr_scanned_rows<jr_accumulator, JR_UNROLL> rows = jr_scan_rows(reducer, before);
#else
    const jr_scanned_rows<jr_accumulator, JR_UNROLL> rows = jr_scan_rows(reducer, before);
    if (jr_lane() == 0) totals[jr_warp()] = rows.total;
    jr_arrive<jr_wave_threads + jr_warp_lanes>(JR_TOTALS_ARE_THERE);
#endif
    jr_meet<JR_BLOCK>(JR_ALL_IS_THERE);
    jr_accumulator start = *(const jr_accumulator *)&wave.before;
    if (jr_warp() > 0) start = reducer.combine(start, totals[jr_warp() - 1]);
    jr_scan_behind(reducer, before, rows, start);
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) jr_forget_elements(packs[u]);
    jr_scan_tile(form, in, at, packs, before);
}

// in: the input. results: a result for each element; may be an input. queue: the tiles of this launch, a block each.
template <bool EXCLUSIVE>
__device__ __forceinline__ void jr_scan_wave(const jr_cut &in, void *results, const jr_queue &queue,
                                             const jr_call &call) {
    __shared__ jr_wave wave;
    __shared__ __align__(16) jr_u8 stages[jr_wave_warps * jr_stage_bytes];
    const jr_reducer reducer{{{}, call}};
    jr_begin_next();
    // Of each block the tile of its number, so that all come.
    if (jr_warp() < jr_wave_warps) jr_fetch_tile(in, (queue.first_tile + blockIdx.x) * jr_wave_packs, jr_wave_row);
    jr_begin_rest();
    if (threadIdx.x == JR_BLOCK - 1) wave.drawn = jr_queue_draw(queue);
    __syncthreads();
    if (jr_warp() == jr_wave_warps + 1)
        jr_wave_look_back(reducer, queue, wave);
    else if (jr_warp() == jr_wave_warps)
        jr_wave_publish(reducer, queue, wave);
    else
        jr_wave_scan<EXCLUSIVE>(reducer, in, results, queue, stages, wave);
}
