// The warp that looks ahead: it folds the totals of all tiles before each of its block's own.
#pragma once

#include "scan/block.cuh"
#include "scan/ring.cuh"

// Groups of a warp's lanes that are looked at together.
constexpr jr_u32 jr_groups_ahead = jr_accumulator_words <= 2 ? 6 : jr_accumulator_words <= 4 ? 3 : 1;

// What was folded of the totals: those of the first `count` tiles, a multiple of a warp's lanes, and all before them.
struct jr_ahead {
    jr_accumulator sum;
    jr_u32 count;
};

// Leaves what the next part begins with. end: the tile behind the launch's last one, in or behind the group that is open.
__device__ __forceinline__ void jr_ring_suspend(const jr_reducer &reducer, const jr_queue &queue, jr_u32 end,
                                                jr_u32 epoch, const jr_ahead &ahead) {
    const jr_u32 mine = ahead.count + jr_lane(), open = end - ahead.count;
    jr_accumulator value[1] = {mine < end ? jr_queue_get<jr_accumulator>(queue, mine, epoch) : reducer.identity()};
    if (jr_lane() < open) jr_queue_open<jr_accumulator>(queue, queue.part + 1)[jr_lane()] = value[0];
    jr_scan_lanes(reducer, value);
    const jr_accumulator whole = reducer.combine(ahead.sum, jr_broadcast(value[0], jr_warp_lanes - 1));
    jr_accumulator *const carry = jr_queue_carry<jr_accumulator>(queue, queue.part + 1);
    if (jr_lane() == 0) *carry = open == jr_warp_lanes ? whole : ahead.sum;
}

// Looks at the slots of some groups at once, folds the totals of each from its first tile on, and hands out what stands
// before each of the block's tiles as it passes them. What is folded with what is said by tiles alone: which totals were
// there at which look changes no bit.
__device__ __forceinline__ void jr_ring_look_ahead(const jr_reducer &reducer, const jr_queue &queue, jr_ring &ring) {
    jr_ring_place place = {0, 0}, last = {0, 0};
    jr_bulk_wait(ring.drawn, 0);
    jr_u32 drawn = ring.tile[0], tile = 0; // the last one that was handed out
    const jr_u32 epoch = ring.epoch, end = queue.begin + queue.tile_count;
    const bool none = drawn == jr_no_tile;
    const jr_accumulator *const carry = jr_queue_carry<jr_accumulator>(queue, queue.part);
    jr_ahead ahead = {queue.part > 0 ? *carry : jr_with_initial(reducer, reducer.identity()), 0};
    if (drawn == 0 && jr_lane() < queue.begin)
        jr_queue_put(queue, jr_lane(), epoch, jr_queue_open<jr_accumulator>(queue, queue.part)[jr_lane()]);
#pragma unroll 1
    while (drawn != jr_no_tile) {
        jr_accumulator_bits seen[jr_groups_ahead];
        jr_accumulator value[jr_groups_ahead];
        jr_u32 there[jr_groups_ahead];
#pragma unroll
        for (jr_u32 g = 0; g < jr_groups_ahead; g++) {
            const jr_u32 mine = ahead.count + g * jr_warp_lanes + jr_lane();
            there[g] = jr_queue_look(queue, mine < end ? mine : end - 1, epoch, seen[g]) && mine < end;
        }
#pragma unroll
        for (jr_u32 g = 0; g < jr_groups_ahead; g++) {
            value[g] = reducer.identity();
            if (there[g]) value[g] = seen[g].value;
            there[g] = __ballot_sync(jr_full_mask, there[g]);
        }
        jr_scan_lanes(reducer, value);
        bool passes = true;
#pragma unroll
        for (jr_u32 g = 0; g < jr_groups_ahead; g++) {
#pragma unroll 1
            while (passes && drawn != jr_no_tile && queue.begin + drawn - ahead.count < jr_warp_lanes) {
                const jr_u32 before = queue.begin + drawn - ahead.count; // tiles of the group
                const jr_accumulator sum = jr_broadcast(value[g], before - 1);
                passes = (~there[g] & ((1u << before) - 1)) == 0;
                if (!passes) break;
                const jr_accumulator all = before > 0 ? reducer.combine(ahead.sum, sum) : ahead.sum;
                if (jr_lane() == 0) {
                    *(jr_accumulator *)&ring.before[place.at] = all;
                    jr_bulk_arrive(ring.known + place.at);
                }
                tile = drawn;
                last = place;
                place.advance();
                jr_bulk_wait(ring.drawn + place.at, place.parity);
                drawn = ring.tile[place.at];
            }
            passes = passes && drawn != jr_no_tile && there[g] == jr_full_mask;
            const jr_accumulator whole = jr_broadcast(value[g], jr_warp_lanes - 1);
            if (passes) ahead = {reducer.combine(ahead.sum, whole), ahead.count + jr_warp_lanes};
        }
    }
    if (!none) jr_bulk_wait(ring.folded + last.at, last.parity); // nobody of the block writes to a slot any more
    if (!none && queue.goes_on && tile + 1 == queue.tile_count) jr_ring_suspend(reducer, queue, end, epoch, ahead);
    __syncwarp();
    if (jr_lane() == 0) jr_queue_leave<jr_accumulator>(queue, ring.ticket);
}
