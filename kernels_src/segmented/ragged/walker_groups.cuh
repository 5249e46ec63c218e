// The walker by lane groups folds many segments at once. A warp copies short segments to shared memory, where one lane
// or a few fold each. Longer ones are folded by lane groups, JR_UNROLL segments at a time each, by 16-byte loads from
// global memory. It takes operators that commute, and one input.
#pragma once

#include "segmented/common/room.cuh"
#include "segmented/ragged/walker.cuh"

constexpr jr_u64 jr_group_longest = 1024; // elements; a longer segment is worth a warp
constexpr jr_u32 jr_lane_longest = 128;   // elements; a longer segment would keep the other lanes waiting
constexpr jr_u32 jr_known_rows = 4;       // rows of 32 segments
constexpr jr_u32 jr_known_most = jr_known_rows * jr_warp_lanes;

// Where segments end, relative to the walker's position: lane l has the end of the l-th segment in each row of 32.
struct jr_known {
    jr_u32 to[jr_known_rows];

    // How many of `left` segments, before the first that is long or does not fit, are short and fit into n elements
    // together.
    __device__ __forceinline__ jr_u32 count_short(jr_u32 left, jr_u32 n) const {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
        jr_u32 before = 0, count = 0;
#pragma unroll
        for (jr_u32 r = 0; r < jr_known_rows; r++) {
            const jr_u32 below = __shfl_up_sync(jr_full_mask, to[r], 1), from = lane > 0 ? below : before;
            const bool fits = (r * jr_warp_lanes + lane < left) & (to[r] <= n) & (to[r] - from <= jr_lane_longest);
            const jr_u32 others = ~__ballot_sync(jr_full_mask, fits);
            count += count == r * jr_warp_lanes ? (jr_u32)__clz((int)__brev(others)) : 0;
            before = __shfl_sync(jr_full_mask, to[r], jr_warp_lanes - 1);
        }
        return count;
    }
};

// Loads an offset here: the compiler would move a plain load down to the next step, which needs it.
__device__ __forceinline__ jr_u64 jr_offset(const jr_u64 *from) {
    jr_u64 offset;
    asm volatile("ld.global.nc.b64 %0, [%1];" : "=l"(offset) : "l"(from));
    return offset;
}

struct jr_step_walker : jr_walker {
    typedef jr_element_room warp_room;
    jr_group group;
    jr_room_view room;
    jr_u64 begin; // of segment s

    __device__ __forceinline__ jr_step_walker(const jr_walker &walker, warp_room &own)
        : jr_walker(walker), group(reducer, in, jr_segment_begin(segments, 0), jr_segment_begin(segments, segments.count)),
          room{jr_shared_address(own.bytes)}, begin(jr_segment_begin(segments, s)) {}

    // Loads the ends of segments from `of` on: `rows` rows; further rows repeat the first.
    __device__ __forceinline__ void load(jr_u64 (&ends)[jr_known_rows], jr_u64 of, jr_u32 rows) const {
        const jr_u64 follow = segments.count - of, *offsets = segments.offsets + of, first = of * segments.length;
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
        const jr_u32 most = follow < jr_known_most ? (jr_u32)follow : jr_known_most;
        if (segments.offsets != nullptr) {
#pragma unroll
            for (jr_u32 r = 0; r < jr_known_rows; r++) {
                const jr_u32 own = (r < rows ? r * jr_warp_lanes : 0) + lane + 1;
                ends[r] = jr_offset(offsets + (own < most ? own : most));
            }
        } else {
#pragma unroll
            for (jr_u32 r = 0; r < jr_known_rows; r++) {
                const jr_u32 own = r * jr_warp_lanes + lane + 1;
                ends[r] = first + (own < most ? own : most) * segments.length;
            }
        }
    }
    __device__ __forceinline__ jr_known know(const jr_u64 (&ends)[jr_known_rows]) const {
        constexpr jr_u64 far = 1u << 30;
        jr_known known;
#pragma unroll
        for (jr_u32 r = 0; r < jr_known_rows; r++)
            known.to[r] = ends[r] - e < far ? (jr_u32)(ends[r] - e) : (jr_u32)far;
        return known;
    }

    // Folds the first `taken` segments, n elements together from e on, in shared memory: one lane each; 2, 4 or 8 lanes
    // each if there are few segments.
    __device__ __forceinline__ void walk_lanes(jr_known known, jr_u32 taken, jr_u32 n) {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
        const jr_u32 size = taken > 16 ? 0 : taken > 8 ? 1 : taken > 4 ? 2 : 3, first = lane & ((1u << size) - 1);
        const jr_u32 phase = jr_room_load(room, group, e, n);
        jr_u32 before = 0;
#pragma unroll 1
        for (jr_u32 at = lane >> size; at < taken + (lane >> size); at += jr_warp_lanes) {
            const jr_u32 below = __shfl_up_sync(jr_full_mask, known.to[0], 1), row_from = lane > 0 ? below : before;
            before = __shfl_sync(jr_full_mask, known.to[0], jr_warp_lanes - 1);
            const jr_u32 from = __shfl_sync(jr_full_mask, row_from, lane >> size);
            const jr_u32 to = __shfl_sync(jr_full_mask, known.to[0], lane >> size);
            const jr_u32 length = at < taken ? to - from : 0;
            const jr_u64 passed = at == 0 ? e - begin : 0;
            jr_accumulator acc = jr_room_fold(room, reducer, phase + from, length, first, 1u << size, passed);
#pragma unroll 1
            for (jr_u32 distance = 1u << size >> 1; distance > 0; distance /= 2)
                acc = reducer.combine(acc, jr_shuffle_across(acc, distance));
            if (first == 0 && at < taken) close(s + at, acc, passed + length);
#pragma unroll
            for (jr_u32 r = 1; r < jr_known_rows; r++) known.to[r - 1] = known.to[r];
        }
        move(taken, e + n);
    }

    // The size of lane groups for `taken` segments of `elements` together: 4 loads per lane if the lengths are equal.
    static __device__ __forceinline__ jr_u32 choose_size(jr_u32 taken, jr_u32 elements) {
        constexpr jr_u32 most = 5;
        jr_u32 size = jr_group_least;
        while (size < most && elements > (taken * jr_pack_elements * 4) << size) size++;
        return size;
    }

    // Folds the first `taken` segments whose ends the lanes have: `from` (relative to e) and `length` are this lane's
    // segment's.
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

    // One step. ends: the ends of the segments from s on, in `rows` rows, at least one; when it returns, those of the
    // segments after this step's, which it loads before its own elements. Returns the number of their rows.
    __device__ __forceinline__ jr_u32 step(jr_u64 (&ends)[jr_known_rows], jr_u32 rows) {
        const jr_u32 lane = threadIdx.x % jr_warp_lanes;
        const jr_u64 left = last.s - s;
        const jr_u32 seen = rows < jr_known_rows ? rows * jr_warp_lanes : jr_known_most;
        const jr_u32 near = left < seen ? (jr_u32)left : seen;
        const jr_known known = know(ends);
        jr_u32 taken = known.count_short(near, jr_room_elements - jr_pack_elements);
        const jr_u32 row = taken > 0 ? (taken - 1) / jr_warp_lanes : 0;
        jr_u32 n = known.to[0];
#pragma unroll
        for (jr_u32 r = 1; r < jr_known_rows; r++) n = r == row ? known.to[r] : n;
        n = __shfl_sync(jr_full_mask, n, taken - 1);
        const bool lanes = taken > 0 && (taken >= jr_warp_lanes || taken == left || n > jr_room_elements / 2);
        const jr_u32 below = __shfl_up_sync(jr_full_mask, known.to[0], 1), from = lane > 0 ? below : 0;
        if (!lanes) {
            const jr_u32 others = ~__ballot_sync(jr_full_mask, lane < near && known.to[0] - from <= jr_group_longest);
            taken = others != 0 ? __ffs((int)others) - 1 : jr_warp_lanes;
        }
        const jr_u32 wanted = taken / jr_warp_lanes + 1;
        load(ends, s + (taken > 0 ? taken : 1), wanted);
        if (taken == 0)
            walk_long(begin, jr_segment_begin(segments, s < segments.count ? s + 1 : s));
        else if (lanes)
            walk_lanes(known, taken, n);
        else
            walk_groups(taken, begin, from, known.to[0] - from);
        begin = e;
        return wanted;
    }

    __device__ __forceinline__ void walk() {
        jr_u64 ends[jr_known_rows] = {};
        jr_u32 rows = jr_known_rows;
        load(ends, s, rows);
#pragma unroll 1
        while (s < last.s || e < last.e) rows = step(ends, rows);
    }
};
