// The walker by groups: up to 32 segments at once, of which groups of lanes fold JR_UNROLL each at a time, by 16-byte
// loads from where they lie. It takes operators that commute, and one input.
#pragma once

#include "groups.cuh"
#include "walker.cuh"

constexpr jr_u64 jr_group_longest = 1024; // elements; a longer segment is worth a warp

struct jr_warp_room {};

struct jr_step_walker : jr_walker {
    jr_group group;

    __device__ __forceinline__ jr_step_walker(const jr_walker &walker, jr_warp_room &)
        : jr_walker(walker), group(reducer, in, segments.begin(0), segments.begin(segments.count)) {}

    // Groups for `taken` segments of `elements` together: 4 loads a lane, where they are of equal length.
    static __device__ __forceinline__ jr_u32 choose_size(jr_u32 taken, jr_u32 elements) {
        constexpr jr_u32 most = 5;
        jr_u32 size = jr_group_least;
        while (size < most && elements > (taken * jr_pack_elements * 4) << size) size++;
        return size;
    }

    // The first `taken` segments of those that lanes know: `from` and `length` are of this lane's one, from e on.
    __device__ __forceinline__ void walk_groups(jr_u32 taken, jr_u64 first_begin, jr_u32 from, jr_u32 length) {
        const jr_u32 elements = __shfl_sync(jr_full_mask, from + length, taken - 1);
        group.resize(choose_size(taken, elements));
#pragma unroll 1
        for (jr_u32 at = group.number; at < taken + group.number; at += group.count * JR_UNROLL) {
            jr_accumulator acc[JR_UNROLL];
            jr_group_segments of;
            of.base = e;
#pragma unroll
            for (jr_u32 u = 0; u < JR_UNROLL; u++) {
                const jr_u32 slot = at + u * group.count;
                of.from[u] = __shfl_sync(jr_full_mask, from, slot % jr_warp_lanes);
                const jr_u32 known = __shfl_sync(jr_full_mask, length, slot % jr_warp_lanes);
                of.before[u] = slot == 0 ? e - first_begin : 0;
                of.length[u] = slot < taken ? known : 0;
                acc[u] = reducer.identity();
            }
            group.fold(acc, of);
            group.combine(acc);
#pragma unroll
            for (jr_u32 low = 0; low < JR_UNROLL; low += jr_group_writers) {
                const jr_u32 u = low + group.lane, slot = at + u * group.count;
                const jr_u32 rest_length = __shfl_sync(jr_full_mask, length, slot % jr_warp_lanes);
                jr_accumulator total = group.choose(acc, low, u);
                jr_u64 total_length = rest_length;
                if (slot == 0) {
                    total = reducer.combine(open, total);
                    total_length += e - first_begin;
                }
                if (group.lane < jr_group_writers && u < JR_UNROLL && slot < taken)
                    close(s + slot, total, total_length);
            }
        }
        open = reducer.identity();
        move(taken, e + elements);
    }

    __device__ __forceinline__ void step(jr_u64 begin, jr_u64 end, jr_u32 known) {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
        const jr_u64 from = begin > e ? begin : e;
        const jr_u64 first_begin = __shfl_sync(jr_full_mask, begin, 0);
        const jr_u32 left = __ballot_sync(jr_full_mask, lane >= known || end - from > jr_group_longest);
        const jr_u32 taken = left != 0 ? __ffs((int)left) - 1 : jr_warp_lanes;
        if (taken == 0)
            walk_long(first_begin, __shfl_sync(jr_full_mask, end, 0));
        else
            walk_groups(taken, first_begin, (jr_u32)(from - e), (jr_u32)(end - from));
    }
};
