// The queue: which tile a block scans next, and what lies before it.
//
// Blocks draw tiles by tickets in increasing order. Each block stores its tile's total in the tile's slot as soon as it
// has it, before it waits for anything, and folds the totals of all earlier tiles from their slots. So a launch cannot
// hang, whatever else runs on the device and however blocks are scheduled. The totals are folded in groups of JR_BLOCK
// tiles that begin at fixed tiles, so that the bits of a result depend only on block and unroll factor: a part that
// begins within a group gets the totals of the group's earlier tiles from the part before.
//
// A slot holds one accumulator as 32-bit words, each in a 64-bit word together with the launch's epoch: (epoch << 32) |
// word. A 64-bit store is single-copy atomic, so relaxed accesses are enough, and nothing is cleared between launches:
// the block that draws the last ticket increments the epoch, also in a captured graph. Source: PTX ISA, "Memory
// Consistency Model"; D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016), whose
// tiles publish prefixes as well and fold them in an order that differs from run to run.
//
// A scan of much data is cut into parts: each part is one launch with its own tiles. Where a part begins within a
// group, the group's earlier tiles (queue.begin of them) were scanned by earlier parts, and the tile numbers below
// count them: the part's own tiles have the numbers queue.begin, queue.begin + 1, ...
//
// A: the total of a tile, or of at most JR_BLOCK tiles. W: the fold of all earlier tiles, whose counters may be wider
// than A's; the reducer combines a W and an A into a W.
#pragma once

#include "fold/ordered.cuh"

// The parts of the workspace (layout: abi.h).
__device__ __forceinline__ jr_u64 *jr_queue_tickets(const jr_queue &queue) {
    return queue.workspace;
}
__device__ __forceinline__ jr_u64 *jr_queue_left(const jr_queue &queue) {
    return queue.workspace + JR_QUEUE_LEFT / sizeof(jr_u64);
}
// carry: the fold of all whole groups before a part. open: the totals of the tiles between these groups and the part.
// Part 0 reads neither; each other part reads its own, and each part writes those of the next one.
template <class A, class W = A> __device__ __forceinline__ W *jr_queue_carry(const jr_queue &queue, jr_u32 part) {
    static_assert(sizeof(W) <= JR_QUEUE_CARRY_BYTES(sizeof(A)), "queue: the host's carry is too small");
    return (W *)(queue.workspace + JR_QUEUE_CARRY(sizeof(A), part % 2) / sizeof(jr_u64));
}
template <class A> __device__ __forceinline__ A *jr_queue_open(const jr_queue &queue, jr_u32 part) {
    return (A *)(queue.workspace + JR_QUEUE_OPEN(sizeof(A), JR_BLOCK, part % 2) / sizeof(jr_u64));
}
template <class A> __device__ __forceinline__ jr_u64 *jr_queue_slot(const jr_queue &queue, jr_u32 tile) {
    return queue.workspace + JR_QUEUE_SLOTS(sizeof(A), JR_BLOCK) / sizeof(jr_u64) +
           (jr_u64)tile * (JR_SLOT_BYTES(sizeof(A)) / sizeof(jr_u64));
}

// Draws a ticket. Its upper half is the previous launch's epoch, its lower half the number of tickets drawn before it
// in this launch.
__device__ __forceinline__ jr_u64 jr_queue_draw(const jr_queue &queue) {
    jr_u64 ticket;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 1;" : "=l"(ticket) : "l"(jr_queue_tickets(queue)) : "memory");
    return ticket;
}

// The epoch of the launch of this ticket, which marks the words that it stores in slots; never 0, which marks a clear
// slot.
__device__ __forceinline__ jr_u32 jr_queue_epoch(jr_u64 ticket) {
    return (jr_u32)(ticket >> 32) + 1;
}

// How many words of a slot are written and read two at a time: all, if slots begin at 16-byte boundaries.
template <class A> constexpr jr_u32 jr_slot_pairs = jr_bits<A>::count % 2 == 0 ? jr_bits<A>::count : 0;

template <class A>
__device__ __forceinline__ void jr_queue_put(const jr_queue &queue, jr_u32 tile, jr_u32 epoch, const A &total) {
    jr_bits<A> bits;
    bits.value = total;
    jr_u64 *const slot = jr_queue_slot<A>(queue, tile);
    const jr_u64 mark = (jr_u64)epoch << 32;
#pragma unroll
    for (jr_u32 w = 0; w < jr_slot_pairs<A>; w += 2)
        asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(slot + w), "l"(mark | bits.words[w]),
                     "l"(mark | bits.words[w + 1])
                     : "memory");
#pragma unroll(jr_unrolled_words<A>)
    for (jr_u32 w = jr_slot_pairs<A>; w < jr_bits<A>::count; w++)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(slot + w), "l"(mark | bits.words[w]) : "memory");
}

// Returns whether the total of a tile has been stored; overwrites `total` in any case.
template <class A>
__device__ __forceinline__ bool jr_queue_look(const jr_queue &queue, jr_u32 tile, jr_u32 epoch, jr_bits<A> &total) {
    const jr_u64 *const slot = jr_queue_slot<A>(queue, tile);
    jr_u64 words[jr_bits<A>::count];
    bool there = true;
#pragma unroll
    for (jr_u32 w = 0; w < jr_slot_pairs<A>; w += 2)
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(words[w]), "=l"(words[w + 1])
                     : "l"(slot + w)
                     : "memory");
#pragma unroll(jr_unrolled_words<A>)
    for (jr_u32 w = jr_slot_pairs<A>; w < jr_bits<A>::count; w++)
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(words[w]) : "l"(slot + w) : "memory");
#pragma unroll(jr_unrolled_words<A>)
    for (jr_u32 w = 0; w < jr_bits<A>::count; w++) {
        there &= (jr_u32)(words[w] >> 32) == epoch;
        total.words[w] = (jr_u32)words[w];
    }
    return there;
}

// The same for N neighbouring tiles, whose words are read two at a time where they fill 16 bytes. tile: a multiple of
// N.
template <class A, jr_u32 N>
__device__ __forceinline__ void jr_queue_look_at(const jr_queue &queue, jr_u32 tile, jr_u32 epoch,
                                                 jr_bits<A> (&totals)[N], jr_u32 (&there)[N]) {
    constexpr jr_u32 count = jr_bits<A>::count;
    if constexpr (count % 2 == 1 && N % 2 == 0) {
        const jr_u64 *const slots = jr_queue_slot<A>(queue, tile);
#pragma unroll
        for (jr_u32 s = 0; s < N; s++) there[s] = 1;
#pragma unroll
        for (jr_u32 i = 0; i < N * count; i += 2) {
            jr_u64 words[2];
            asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                         : "=l"(words[0]), "=l"(words[1])
                         : "l"(slots + i)
                         : "memory");
#pragma unroll
            for (jr_u32 w = 0; w < 2; w++) {
                totals[(i + w) / count].words[(i + w) % count] = (jr_u32)words[w];
                there[(i + w) / count] &= (jr_u32)(words[w] >> 32) == epoch;
            }
        }
    } else {
#pragma unroll
        for (jr_u32 s = 0; s < N; s++) there[s] = jr_queue_look(queue, tile + s, epoch, totals[s]);
    }
}

// Waits until the total of a tile has been stored, and returns it. Each thread may wait for another tile.
template <class A>
__device__ __forceinline__ A jr_queue_get(const jr_queue &queue, jr_u32 tile, jr_u32 epoch) {
    jr_bits<A> total;
#pragma unroll 1
    while (!jr_queue_look(queue, tile, epoch, total)) {
    }
    return total.value;
}

// The fold of everything before the launch and of its first `count` tiles (a multiple of JR_BLOCK). Thread 0 has the
// fold, all threads the count.
template <class W> struct jr_passed {
    W sum;
    jr_u32 count;
};

// Folds everything before a tile; thread 0 has the result. A block calls it for increasing tiles; all threads call it.
// totals: 2 * jr_block_warps accumulators in shared memory.
template <class R, class A, class W>
__device__ __forceinline__ W jr_queue_before(const R &reducer, const jr_queue &queue, jr_u32 tile, jr_u32 epoch,
                                             jr_passed<W> &passed, jr_room<A> (&totals)[2][jr_block_warps]) {
    W before = passed.sum;
#pragma unroll 1
    for (jr_u32 parity = 0; passed.count < tile; parity ^= 1) {
        const jr_u32 mine = passed.count + threadIdx.x;
        A value[1] = {mine < tile ? jr_queue_get<A>(queue, mine, epoch) : reducer.identity()};
        const A group = jr_combine_block_ordered(reducer, value, (A *)totals[parity]);
        if (threadIdx.x == 0) before = reducer.combine(passed.sum, group);
        if (tile - passed.count < JR_BLOCK) break;
        passed.sum = before;
        passed.count += JR_BLOCK;
    }
    return before;
}

// Stores the totals of the first group's tiles before the launch in their slots, where blocks wait for them. All
// threads of the block with the first tile call it, before the block waits itself.
template <class A> __device__ __forceinline__ void jr_queue_resume(const jr_queue &queue, jr_u32 epoch) {
    if (threadIdx.x < queue.begin)
        jr_queue_put(queue, threadIdx.x, epoch, jr_queue_open<A>(queue, queue.part)[threadIdx.x]);
}

// Writes what the next part begins with. end: the number after the launch's last tile; all threads of that tile's block
// call it. totals: see jr_queue_before; there must be a barrier between the two calls.
template <class R, class A, class W>
__device__ __forceinline__ void jr_queue_suspend(const R &reducer, const jr_queue &queue, jr_u32 end, jr_u32 epoch,
                                                 jr_passed<W> &passed, jr_room<A> (&totals)[2][jr_block_warps]) {
    jr_queue_before(reducer, queue, end, epoch, passed, totals);
    const jr_u32 mine = passed.count + threadIdx.x;
    if (threadIdx.x == 0) *jr_queue_carry<A, W>(queue, queue.part + 1) = passed.sum;
    if (mine < end) jr_queue_open<A>(queue, queue.part + 1)[threadIdx.x] = jr_queue_get<A>(queue, mine, epoch);
}

// Makes the queue ready for the next launch. One thread of each block calls it, with the block's last ticket; the
// launch's last ticket increments the epoch. When the epochs are used up, the last block clears all slots, since a
// total of the first epochs would be taken for a new one. ONCE: each block draws a single ticket, instead of drawing
// until no tile is left.
template <class A, bool ONCE = false>
__device__ __forceinline__ void jr_queue_leave(const jr_queue &queue, jr_u64 ticket) {
    const jr_u32 epoch = jr_queue_epoch(ticket);
    if (epoch < JR_QUEUE_EPOCHS) {
        if ((jr_u32)ticket + 1 == queue.tile_count + (ONCE ? 0 : gridDim.x)) *jr_queue_tickets(queue) = (jr_u64)epoch << 32;
        return;
    }
    jr_u64 left;
    asm volatile("atom.acq_rel.gpu.global.add.u64 %0, [%1], 1;" : "=l"(left) : "l"(jr_queue_left(queue)) : "memory");
    if (left + 1 < gridDim.x) return;
    for (jr_u64 w = 0; w < (jr_u64)queue.slot_count * jr_bits<A>::count; w++) jr_queue_slot<A>(queue, 0)[w] = 0;
    *jr_queue_left(queue) = 0;
    *jr_queue_tickets(queue) = 0;
}
