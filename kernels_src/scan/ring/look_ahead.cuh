// The warp that looks ahead: it folds the totals of all tiles before each of its block's own.
#pragma once

#include "scan/common/scan_block.cuh"
#include "scan/ring/ring.cuh"

// Tiles of a group, of whose totals each lane has JR_AHEAD_SLOTS, and how many groups are read together. The more
// groups, the longer a read takes, and totals after the first missing one are of no use yet; but the groups must cover
// the tiles that start during a read. Measured on an H200, f64 of 2^27 elements, by 2 and 4 groups: 832 threads with 5
// loads 518 and 536 us, 576 threads, of smaller tiles, 531 and 519. On an H100, f64 of 2^27 elements, 832 threads, by
// 1, 2, 3 and 4 groups: 711, 713, 717 and 723 us, of 2^22 25.0, 24.3, 24.5 and 24.8; f32 of 2^24 elements, 640 threads,
// by 1 and 2 groups 47.1 and 46.4 us; runs of 64 f32 by keys of i32, 416 threads, by 2, 3 and 4 groups 757, 745 and 752
// us. Short elements with results of 8 bytes need more: on an H200, 2^28 of i8, 768 threads, by 2, 3 and 4 groups 658,
// 629 and 632 us, of i16, 1024 threads, 727, 677 and 670.
constexpr jr_u32 jr_ahead_slots = JR_AHEAD_SLOTS(sizeof(jr_ring_total)), jr_ahead_group = jr_ahead_slots * jr_warp_lanes;
constexpr bool jr_ahead_of_many = jr_ring_of_runs || (!JR_HEADS && sizeof(JR_X) <= 2);
constexpr jr_u32 jr_groups_of[] = {2, 2, jr_ahead_of_many ? 3 : 2, 2, 3}; // by words of a total
constexpr jr_u32 jr_groups_ahead =
    jr_bits<jr_ring_total>::count <= 4 ? jr_groups_of[jr_bits<jr_ring_total>::count] : 1;

// The fold of everything before the launch and of its first `count` tiles, which are whole groups.
struct jr_ahead {
    jr_ring_carried sum;
    jr_u32 count;
};

// The totals of a group that a warp has read so far.
struct jr_ahead_group_seen {
    jr_bits<jr_ring_total> slots[jr_ahead_slots]; // a lane's totals
    jr_u32 there[jr_ahead_slots];                 // 1: it has been read; after fold: the lanes that have read it

    // first: a group's first tile, which may be after the launch's end.
    __device__ __forceinline__ void look(const jr_queue &queue, jr_u32 first, jr_u32 end, jr_u32 epoch) {
        const jr_u32 from = first < end ? first : 0; // a group after the end: nothing that is read is used
        jr_queue_look_at(queue, from + jr_lane() * jr_ahead_slots, epoch, slots, there);
#pragma unroll
        for (jr_u32 s = 0; s < jr_ahead_slots; s++)
            there[s] = there[s] && first + jr_lane() * jr_ahead_slots + s < end;
    }

    // Replaces each of a lane's totals with the fold of its totals up to it, and returns the fold of all. A total that
    // is missing counts as the identity.
    __device__ __forceinline__ jr_ring_total fold(const jr_ring_combiner &reducer) {
        jr_ring_total folded = reducer.identity();
#pragma unroll
        for (jr_u32 s = 0; s < jr_ahead_slots; s++) {
            const jr_ring_total total = there[s] ? slots[s].value : reducer.identity();
            folded = s > 0 ? reducer.combine(folded, total) : total;
            slots[s].value = folded;
            there[s] = __ballot_sync(jr_full_mask, there[s]);
        }
        return folded;
    }

    __device__ __forceinline__ jr_u32 lanes() const {
        jr_u32 all = there[0];
#pragma unroll
        for (jr_u32 s = 1; s < jr_ahead_slots; s++) all &= there[s];
        return all;
    }

    // True if the totals of the group's first `tiles` tiles have been read.
    __device__ __forceinline__ bool has(jr_u32 tiles) const {
        const jr_u32 lane = tiles / jr_ahead_slots;
        bool has = (~lanes() & ((1u << lane) - 1)) == 0;
#pragma unroll
        for (jr_u32 s = 0; s + 1 < jr_ahead_slots; s++)
            has = has && (s >= tiles % jr_ahead_slots || (there[s] >> lane & 1));
        return has;
    }

    // Returns the fold of everything before a tile of the group. sum: of everything before the group; tile: number in
    // the group; scanned: the scan of the lanes' folds.
    __device__ __forceinline__ jr_ring_carried before(const jr_ring_combiner &reducer, const jr_ring_carried &sum,
                                                      jr_u32 tile, const jr_ring_total &scanned) const {
        const jr_u32 lane = tile / jr_ahead_slots, beside = tile % jr_ahead_slots;
        jr_ring_carried all = sum;
        const jr_ring_total lower = jr_broadcast(scanned, lane - 1);
        if (lane > 0) all = reducer.combine(all, lower);
#pragma unroll
        for (jr_u32 s = 0; s + 1 < jr_ahead_slots; s++) {
            const jr_ring_total own = jr_broadcast(slots[s].value, lane);
            if (s + 1 == beside) all = reducer.combine(all, own);
        }
        return all;
    }
};

// Writes what the next part begins with. end: the number after the launch's last tile, in or after the open group.
__device__ __forceinline__ void jr_ring_suspend(const jr_ring_combiner &reducer, const jr_queue &queue, jr_u32 end,
                                                jr_u32 epoch, const jr_ahead &ahead) {
    const jr_u32 open = end - ahead.count;
    jr_ring_total value[1] = {reducer.identity()};
#pragma unroll
    for (jr_u32 s = 0; s < jr_ahead_slots; s++) {
        const jr_u32 mine = jr_lane() * jr_ahead_slots + s;
        if (mine >= open) continue;
        const jr_ring_total total = jr_queue_get<jr_ring_total>(queue, ahead.count + mine, epoch);
        jr_queue_open<jr_ring_total>(queue, queue.part + 1)[mine] = total;
        value[0] = s > 0 ? reducer.combine(value[0], total) : total;
    }
    __syncwarp();
    jr_scan_lanes(reducer, value);
    const jr_ring_carried whole = reducer.combine(ahead.sum, jr_broadcast(value[0], jr_warp_lanes - 1));
    jr_ring_carried *const carry = jr_queue_carry<jr_ring_total, jr_ring_carried>(queue, queue.part + 1);
    if (jr_lane() == 0) *carry = open == jr_ahead_group ? whole : ahead.sum;
}

// Looks at the slots of some groups at once, folds the totals of each from its first tile on, and hands out what stands
// before each of the block's tiles as it passes them. What is folded with what is said by tiles alone: which totals were
// there at which look changes no bit.
__device__ __forceinline__ void jr_ring_look_ahead(const jr_ring_combiner &reducer, const jr_queue &queue, jr_ring &ring) {
    jr_ring_place place = {0, 0}, last = {0, 0};
    jr_bulk_wait(ring.drawn, 0);
    jr_u32 drawn = ring.tile[0], tile = 0; // the last one that was handed out
    const jr_u32 epoch = ring.epoch, end = queue.begin + queue.tile_count;
    const bool none = drawn == jr_no_tile;
    const jr_ring_carried *const carry = jr_queue_carry<jr_ring_total, jr_ring_carried>(queue, queue.part);
    jr_ahead ahead = {queue.part > 0 ? *carry : jr_ring_begin(reducer), 0};
    for (jr_u32 t = jr_lane(); drawn == 0 && t < queue.begin; t += jr_warp_lanes)
        jr_queue_put(queue, t, epoch, jr_queue_open<jr_ring_total>(queue, queue.part)[t]);
    __syncwarp();
#pragma unroll 1
    while (drawn != jr_no_tile) {
        jr_ahead_group_seen seen[jr_groups_ahead];
        jr_ring_total value[jr_groups_ahead];
#pragma unroll
        for (jr_u32 g = 0; g < jr_groups_ahead; g++) seen[g].look(queue, ahead.count + g * jr_ahead_group, end, epoch);
#pragma unroll
        for (jr_u32 g = 0; g < jr_groups_ahead; g++) value[g] = seen[g].fold(reducer);
        jr_scan_lanes(reducer, value);
        bool passes = true;
#pragma unroll
        for (jr_u32 g = 0; g < jr_groups_ahead; g++) {
#pragma unroll 1
            while (passes && drawn != jr_no_tile && queue.begin + drawn - ahead.count < jr_ahead_group) {
                const jr_u32 inside = queue.begin + drawn - ahead.count; // of the group
                passes = seen[g].has(inside);
                if (!passes) break;
                const jr_ring_carried all = seen[g].before(reducer, ahead.sum, inside, value[g]);
                if (jr_lane() == 0) {
                    *(jr_ring_carried *)&ring.before[place.at] = all;
                    jr_bulk_arrive(ring.known + place.at);
                }
                tile = drawn;
                last = place;
                place.advance();
                jr_bulk_wait(ring.drawn + place.at, place.parity);
                drawn = ring.tile[place.at];
            }
            passes = passes && drawn != jr_no_tile && seen[g].lanes() == jr_full_mask;
            const jr_ring_total whole = jr_broadcast(value[g], jr_warp_lanes - 1);
            if (passes) ahead = {reducer.combine(ahead.sum, whole), ahead.count + jr_ahead_group};
        }
    }
    if (!none) jr_bulk_wait(ring.folded + last.at, last.parity); // nobody of the block writes to a slot any more
    if (!none && queue.goes_on && tile + 1 == queue.tile_count) jr_ring_suspend(reducer, queue, end, epoch, ahead);
    __syncwarp();
    if (jr_lane() == 0) jr_queue_leave<jr_ring_total>(queue, ring.ticket);
}
