// The walker by patches: up to 32 segments at once are brought to shared memory, each lane folds as many elements as
// any other, and lanes hand on what they leave open. It takes operators that do not commute, and any inputs.
#pragma once

#include "segmented/common/patch.cuh"
#include "segmented/ragged/walker.cuh"

// A warp's own shared memory.
struct jr_patch_memory {
    jr_u64 begins[jr_warp_lanes + 1]; // of the segments that end in the patch and have elements there; of the open one
    jr_u32 ends[jr_warp_lanes];       // bit k: a segment ends at the lane's k-th element
    __align__(16) unsigned char results[jr_warp_lanes * sizeof(jr_accumulator)];
    __align__(16) unsigned char patch[jr_patch_room * sizeof(JR_X)];
};

// The segments that end within one patch, one per lane.
struct jr_patch_ends {
    jr_u64 begin, end; // of this lane's segment
    jr_u32 count;      // of segments that end in the patch
    jr_u32 filled;     // lanes of them whose segment has elements in the patch
};

struct jr_step_walker : jr_walker {
    typedef jr_patch_memory warp_room;
    warp_room &room;

    __device__ __forceinline__ jr_step_walker(const jr_walker &walker, warp_room &own)
        : jr_walker(walker), room(own) {}

    // Tells lanes which of their elements end segments, and where the segments begin that end in the patch.
    __device__ __forceinline__ void mark(const jr_patch_ends &ends, jr_u64 open_begin, jr_u32 shift) {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
        room.ends[lane] = 0;
        if (lane == 0) room.begins[__popc(ends.filled)] = open_begin;
        if (ends.filled >> lane & 1) room.begins[__popc(ends.filled & ((1u << lane) - 1))] = ends.begin;
        __syncwarp();
        const jr_u32 final = (jr_u32)(ends.end - 1 - e);
        if (ends.filled >> lane & 1) atomicOr(&room.ends[final >> shift], 1u << (final & ((1u << shift) - 1)));
        __syncwarp();
    }

    // Folds this lane's elements of a patch of n elements; writes the results of segments to room.results in their
    // order. Returns the open fold after the patch.
    __device__ __forceinline__ jr_accumulator fold(const jr_patch &patch, jr_u32 n, jr_u32 shift) {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes, bits = room.ends[lane], count = __popc(bits);
        jr_accumulator *results = (jr_accumulator *)room.results;
        jr_u32 rank = count;
#pragma unroll
        for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
            const jr_u32 below = __shfl_up_sync(jr_full_mask, rank, distance);
            rank += lane >= distance ? below : 0;
        }
        rank -= count;
        const jr_u32 first = rank;
        jr_u64 begin = room.begins[rank];
        jr_accumulator acc = lane == 0 ? open : reducer.identity();
#pragma unroll 4
        for (jr_u32 k = 0; k < 1u << shift; k++) {
            const jr_u32 p = (lane << shift) + k;
            if (p >= n) break;
            jr_take(reducer, acc, patch.item(p, begin));
            if (bits >> k & 1) {
                results[rank++] = acc;
                acc = reducer.identity();
                begin = room.begins[rank];
            }
        }
        bool ends;
        const jr_accumulator before = jr_open_before(reducer, acc, count > 0, &ends);
        if (count > 0) results[first] = reducer.combine(before, results[first]);
        __syncwarp();
        return jr_broadcast(acc, jr_warp_lanes - 1);
    }

    // Segments of a patch: up to 32 ends, up to jr_patch_elements elements. known: lanes whose segments end in the
    // share.
    __device__ __forceinline__ void walk_patch(jr_u64 begin, jr_u64 end, jr_u32 known) {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
        const jr_u64 final = __shfl_sync(jr_full_mask, end, jr_warp_lanes - 1);
        const jr_u64 limit = known < jr_warp_lanes ? last.e : final;
        const jr_u64 to = limit - e < jr_patch_elements ? limit : e + jr_patch_elements;
        const jr_u32 n = (jr_u32)(to - e);
        jr_patch_ends ends = {begin, end};
        ends.count = __popc(__ballot_sync(jr_full_mask, lane < known && end <= to));
        ends.filled = __ballot_sync(jr_full_mask, lane < ends.count && end > begin && end > e);
        const jr_u64 last_end = __shfl_sync(jr_full_mask, end, ends.count > 0 ? ends.count - 1 : 0);
        const jr_u64 open_begin = ends.count > 0 ? last_end : __shfl_sync(jr_full_mask, begin, 0);
        // A segment whose elements all lie before the patch ends with what is open, and leaves nothing open.
        const jr_accumulator before = open;
        if (ends.count > 0 && !(ends.filled & 1)) open = reducer.identity();
        const jr_u32 share = (n + jr_warp_lanes - 1) / jr_warp_lanes;
        const jr_u32 shift = share > 1 ? 32 - __clz((int)(share - 1)) : 0;
        jr_patch patch = {in, (JR_X *)room.patch, e};
        patch.load(e, to);
        mark(ends, open_begin, shift);
        open = fold(patch, n, shift);
        if (lane < ends.count) {
            const bool filled = ends.filled >> lane & 1;
            const jr_u32 rank = __popc(ends.filled & ((1u << lane) - 1));
            const jr_accumulator empty = lane == 0 ? before : reducer.identity();
            close(s + lane, filled ? ((const jr_accumulator *)room.results)[rank] : empty, end - begin);
        }
        move(ends.count, to);
    }

    __device__ __forceinline__ void step(jr_u64 begin, jr_u64 end, jr_u32 known) {
        const jr_u64 first_begin = __shfl_sync(jr_full_mask, begin, 0);
        const jr_u64 first_end = __shfl_sync(jr_full_mask, end, 0);
        const jr_u64 stop = known > 0 ? first_end : last.e;
        if (JR_COMMUTATIVE && stop - e > jr_patch_elements / 2)
            walk_long(first_begin, first_end);
        else
            walk_patch(begin, end, known);
    }

    // Lanes know a segment each.
    __device__ __forceinline__ void walk() {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
#pragma unroll 1
        while (s < last.s || e < last.e) {
            const jr_u64 left = last.s - s;
            const jr_u32 known = left < jr_warp_lanes ? (jr_u32)left : jr_warp_lanes;
            const jr_u64 own = s + lane < segments.count ? s + lane : segments.count;
            const jr_u64 end = jr_segment_begin(segments, own < segments.count ? own + 1 : own);
            const jr_u64 below = __shfl_up_sync(jr_full_mask, end, 1);
            step(lane > 0 ? below : jr_segment_begin(segments, own), end, known);
        }
    }
};
