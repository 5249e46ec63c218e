// The queue: which tile a block scans next, and what lies before it.
//
// Tiles are drawn by tickets in increasing order. Each block leaves its tile's total in the tile's slot as soon as it has
// it, and folds the totals of all tiles before its own from there: no block waits for what another block has to wait for,
// so that nothing can hang, whatever else runs on the device and however blocks are scheduled. The totals are folded in
// groups of JR_BLOCK that begin at fixed tiles, so that the bits of a result depend on nothing but block and unroll
// factor: a part that begins within a group is given the totals of the group's tiles before it.
//
// A slot holds one accumulator as 32-bit words, each in a 64-bit word of its own beside the launch's epoch:
// (epoch << 32) | word. A 64-bit store is single-copy atomic, so relaxed accesses are enough, and nothing is cleared
// between launches: whoever draws the last ticket moves the epoch on, also in a captured graph. Source: PTX ISA, "Memory
// Consistency Model"; D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016), whose
// tiles publish prefixes as well and fold them in an order that differs from run to run.
//
// A: a tile's total, of no more than JR_BLOCK tiles. W: the fold of all tiles before one, which may count more than an A;
// the reducer's combine takes a W and an A to a W.
#pragma once

#include "fold/ordered.cuh"

// Where the parts of the workspace lie (abi.h).
__device__ __forceinline__ jr_u64 *jr_queue_tickets(const jr_queue &queue) {
    return queue.workspace;
}
__device__ __forceinline__ jr_u64 *jr_queue_left(const jr_queue &queue) {
    return queue.workspace + JR_QUEUE_LEFT / sizeof(jr_u64);
}
// The fold of all groups before the one that a part begins in, and the totals of that one's tiles before the part. A part
// reads its own and writes those of the next one.
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

// Draws a ticket: the epoch before the launch's in the upper half, in the lower one how many were drawn before.
__device__ __forceinline__ jr_u64 jr_queue_draw(const jr_queue &queue) {
    jr_u64 ticket;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], 1;" : "=l"(ticket) : "l"(jr_queue_tickets(queue)) : "memory");
    return ticket;
}

// What stands beside the words of a slot that was written by the launch of this ticket; never 0, as in a clear slot.
__device__ __forceinline__ jr_u32 jr_queue_epoch(jr_u64 ticket) {
    return (jr_u32)(ticket >> 32) + 1;
}

// Words of a slot that are written and read two at a time: all, where slots begin at 16-byte boundaries.
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

// Looks whether the total of a tile is there; writes all of `total` in any case.
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

// The same of N neighbouring tiles, whose words are read two at a time where they fill 16 bytes. tile: a multiple of N.
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

// Waits for the total of a tile.
template <class A>
__device__ __forceinline__ A jr_queue_get(const jr_queue &queue, jr_u32 tile, jr_u32 epoch) {
    jr_bits<A> total;
#pragma unroll 1
    while (!jr_queue_look(queue, tile, epoch, total)) {
    }
    return total.value;
}

// The fold of the first `count` tiles of a launch, a multiple of JR_BLOCK, and of what stands before them; thread 0 has
// it, all threads know the count.
template <class W> struct jr_passed {
    W sum;
    jr_u32 count;
};

// Folds what stands before a tile; thread 0 has it. Tiles come in increasing order. totals: two times jr_block_warps
// accumulators in shared memory. All threads take part.
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

// Gives the totals of the group's tiles before the launch to those that wait for them. The block with the first tile
// calls it, before it waits itself; all threads take part.
template <class A> __device__ __forceinline__ void jr_queue_resume(const jr_queue &queue, jr_u32 epoch) {
    if (threadIdx.x < queue.begin)
        jr_queue_put(queue, threadIdx.x, epoch, jr_queue_open<A>(queue, queue.part)[threadIdx.x]);
}

// Leaves what the next part begins with. end: the tile behind the launch's last one, whose block calls it; all threads
// take part. totals: as of jr_queue_before; a barrier must lie between the two.
template <class R, class A, class W>
__device__ __forceinline__ void jr_queue_suspend(const R &reducer, const jr_queue &queue, jr_u32 end, jr_u32 epoch,
                                                 jr_passed<W> &passed, jr_room<A> (&totals)[2][jr_block_warps]) {
    jr_queue_before(reducer, queue, end, epoch, passed, totals);
    const jr_u32 mine = passed.count + threadIdx.x;
    if (threadIdx.x == 0) *jr_queue_carry<A, W>(queue, queue.part + 1) = passed.sum;
    if (mine < end) jr_queue_open<A>(queue, queue.part + 1)[threadIdx.x] = jr_queue_get<A>(queue, mine, epoch);
}

// Makes the queue ready for the next launch. One thread of each block calls it, with its last ticket: the one that none
// is drawn behind moves the epoch on. Before an epoch would come again all slots are cleared, by the last block that
// leaves: one that was written by a launch so long ago would be taken for a new one. ONCE: a block draws a single ticket,
// not until there is no tile any more.
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
