// The state before a tile, in runs of exact sums. Only sums since the last run start matter: a block reads the number
// of run starts of all earlier tiles, and the sums of the last ones only. Reading the sums of all tiles took 10 to 20
// times as long (variances of 2^20 doubles in runs of 1 to 2^20, on an H100).
#pragma once

#include "scan/queue/runs_exact.cuh"

// How many run starts a thread, warp or block has found: in whole groups of JR_BLOCK tiles, and in the tiles after
// these.
struct jr_heads_found {
    jr_u64 whole, open, last; // last: see jr_run_marks
    jr_u32 from;              // 1 + the last tile in which a run starts; 0: no tile

    __device__ __forceinline__ void add(const jr_heads_found &other) {
        whole += other.whole;
        open += other.open;
        last = other.from > from ? other.last : last;
        from = other.from > from ? other.from : from;
    }
};
__device__ __forceinline__ jr_heads_found jr_found_in_warp(jr_heads_found mine) {
#pragma unroll 1
    for (jr_u32 bit = 1; bit < jr_warp_lanes; bit *= 2)
        mine.add({__shfl_xor_sync(jr_full_mask, mine.whole, bit), __shfl_xor_sync(jr_full_mask, mine.open, bit),
                  __shfl_xor_sync(jr_full_mask, mine.last, bit), __shfl_xor_sync(jr_full_mask, mine.from, bit)});
    return mine;
}

// A block's shared memory.
struct jr_exact_runs_room {
    jr_room<jr_run> totals[jr_block_warps], groups[jr_block_warps]; // of its warps
    jr_room<jr_run> start, passed;                                  // sums before its tile, and before the group
    jr_heads_found found[jr_block_warps];
    jr_u64 drawn;

    __device__ __forceinline__ static jr_run_words &at(jr_room<jr_run> &room) { return *(jr_run_words *)&room; }
};

// The state before a tile, and before the first group that is not whole. All threads have it, but only thread 0 the
// sums.
struct jr_exact_before {
    const jr_queue &queue;
    jr_u32 epoch;
    jr_exact_runs_room &room;
    jr_u32 passed; // tiles, a multiple of JR_BLOCK
    jr_u64 passed_heads, passed_last;
    jr_u64 heads, last; // before the tile

    // Reads the number of run starts of the tiles up to this one.
    __device__ __forceinline__ jr_heads_found look(jr_u32 tile) {
        constexpr jr_u32 together = 4;
        const jr_u32 whole = passed + (tile - passed) / JR_BLOCK * JR_BLOCK;
        jr_heads_found mine = {0, 0, 0, 0};
#pragma unroll 1
        for (jr_u32 first = passed + threadIdx.x; first < tile; first += together * JR_BLOCK) {
            jr_run_marks marks[together];
            jr_ask_marks(queue, first, tile, epoch, marks);
#pragma unroll
            for (jr_u32 n = 0; n < together; n++) {
                const jr_u32 at = first + n * JR_BLOCK;
                const jr_u64 here = at < tile ? marks[n].heads : 0;
                mine.add({at < whole ? here : 0, at < whole ? 0 : here, marks[n].last, here ? at + 1 : 0});
            }
        }
        jr_heads_found all = jr_found_in_warp(mine);
        if (jr_block_warps == 1) return all;
        __syncthreads(); // all have read what was found before
        if (jr_lane() == 0) room.found[jr_warp()] = all;
        __syncthreads();
        all = room.found[0];
#pragma unroll 1
        for (jr_u32 w = 1; w < jr_block_warps; w++) all.add(room.found[w]);
        return all;
    }

    // Folds the states of a warp, neighbours first; lane 0 has the result.
    __device__ __forceinline__ static void fold_lanes(jr_run_words &own, jr_run_words &other) {
#pragma unroll 1
        for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
            jr_sums_down(other, own, distance);
            if (jr_lane() % (2 * distance) == 0) jr_placed::append(jr_sums_of(own), jr_sums_of(other));
        }
    }

    // Folds the sums of a group's tiles from `first` on; thread 0 has the result.
    __device__ __forceinline__ void fold(jr_u32 group, jr_u32 first, jr_u32 tile, jr_run_words &own,
                                         jr_run_words &other) {
        const jr_u32 mine = group + threadIdx.x;
        if (first <= mine && mine < tile)
            jr_ask_sums(queue, mine, epoch, own);
        else
            jr_placed::clear(jr_sums_of(own));
        __syncwarp();
        fold_lanes(own, other);
        if (jr_block_warps == 1) return;
        __syncthreads(); // the group before has been read
        if (jr_lane() == 0) jr_copy_sums(room.at(room.groups[jr_warp()]), own);
        __syncthreads();
        if (jr_warp() > 0) return;
        if (jr_lane() < jr_block_warps)
            jr_copy_sums(own, room.at(room.groups[jr_lane()]));
        else
            jr_placed::clear(jr_sums_of(own));
        __syncwarp();
        fold_lanes(own, other);
    }

    // Finds the state before a tile; own, other: scratch. A block calls it for increasing tiles; all threads call it.
    __device__ __forceinline__ void find(jr_u32 tile, jr_run_words &own, jr_run_words &other) {
        jr_run_words &start = room.at(room.start), &before = room.at(room.passed);
        const jr_heads_found found = look(tile);
        const bool is_first = threadIdx.x == 0;
        const jr_u32 first = found.from ? found.from - 1 : passed;
        jr_u32 group = passed + (first - passed) / JR_BLOCK * JR_BLOCK;
        bool begins = found.from;
        if (is_first && !begins) jr_copy_sums(start, before);
#pragma unroll 1
        for (; group < tile; group += JR_BLOCK) {
            fold(group, first, tile, own, other);
            if (is_first && begins) jr_copy_sums(start, own);
            if (is_first && !begins) jr_placed::append(jr_sums_of(start), jr_sums_of(own));
            begins = false;
            if (is_first && tile - group >= JR_BLOCK) jr_copy_sums(before, start);
        }
        passed += (tile - passed) / JR_BLOCK * JR_BLOCK;
        passed_last = found.from ? found.last : passed_last;
        passed_heads += found.whole;
        heads = passed_heads + found.open;
        last = passed_last;
    }
};
