// Tiles of an exact sum: packs become summands, where there is no element or one that is left out those that change
// nothing.
#pragma once

#include "reduce/exact_collect.cuh"
#include "reduce/exact_products.cuh"

// *any becomes true with an element that is not left out.
__device__ __forceinline__ jr_summand jr_exact_summand(const jr_item &item, const jr_call &call, bool *any) {
    if (!jr_where(item, call)) return jr_exact_nothing<jr_summand>::value;
    *any = true;
    const JR_MAPPED value = jr_map(item, call);
    return jr_operator::summand_of(value);
}

constexpr jr_u32 jr_exact_carry_after = 64; // flushes: 16 spills of a warp, and as many deposits of bins

// A thread's windows, and the bins that take what does not fit them.
struct jr_exact_sums {
    jr_exact_windows<jr_summand> windows;
    jr_exact_bins<jr_summand> bins;
    bool used; // have the bins anything?

    __device__ __forceinline__ void start(void *room) {
        windows.restart();
        bins.start(room);
        used = false;
    }
    template <jr_u32 N> __device__ __forceinline__ void add(jr_exact_block &block, const jr_summand (&x)[N]) {
        if (windows.fits(block, x)) return;
        used = true;
        bins.add(x);
    }
    __device__ __forceinline__ void flush(jr_exact_block &block) {
        if (__syncthreads_or(used)) bins.flush(block);
    }
    __device__ __forceinline__ void end(jr_exact_block &block) {
        jr_exact_mark(block, windows.not_minus_zero ? JR_EXACT_NOT_MINUS_ZERO : 0);
        windows.spill(block);
        flush(block); // its vote is a barrier
    }
};

struct jr_exact_adder {
    const jr_cut &in;
    const jr_call &call;
    jr_exact_block &block;
    jr_exact_sums sums;
    jr_u32 added, flushes; // summands of a thread since the last flush; flushes since the last carry
    bool any;     // was there an element that is not left out?

    __device__ __forceinline__ void start(void *room) {
        added = flushes = 0;
        any = false;
        sums.start(room);
    }
    __device__ __forceinline__ void end() {
        if (jr_selects) jr_exact_mark(block, any ? JR_EXACT_ANY : 0);
        sums.end(block);
    }

    __device__ __forceinline__ void add(const jr_summand (&x)[jr_exact_tile]) {
        sums.add(block, x);
        added += jr_exact_tile;
        if (added <= jr_exact_bins<jr_summand>::flush_after - jr_exact_tile) return;
        sums.flush(block);
        added = 0;
        if (++flushes < jr_exact_carry_after) return;
        jr_exact_carry(block);
        flushes = 0;
    }
    // A whole tile: the packs that a thread has of it, JR_BLOCK apart from `at` on.
    __device__ __forceinline__ void add_tile(const jr_packs (&packs)[JR_UNROLL], jr_u64 at) {
        jr_summand x[jr_exact_tile];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) summands(x, packs[u], u, at + u * JR_BLOCK, any);
        add(x);
    }
    // What whole tiles leave: this block's share of rows of a pack a thread, and in block 0 the ends. One after the
    // other, so that the text of add() is there once.
    __device__ __forceinline__ void add_rest(const jr_shares &shares) {
        const jr_u32 rows = shares.rows + (blockIdx.x < shares.longer);
#pragma unroll 1
        for (jr_u32 step = 0; step < 2; step++) {
            jr_summand x[jr_exact_tile];
            if (step == 0 ? rows == 0 : blockIdx.x > 0 || in.ends == 0) continue;
            if (step == 0)
                load_rows(x, shares, rows);
            else
                load_end(x);
            add(x);
        }
    }

private:
    __device__ __forceinline__ void summands(jr_summand (&x)[jr_exact_tile], const jr_packs &packs, jr_u32 u, jr_u64 at,
                                             bool &kept) {
        const jr_u64 index = jr_pack_index(in, at, call.first);
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++)
            x[u * jr_pack_elements + k] = jr_exact_summand(packs.item(k, index), call, &kept);
    }
    __device__ __forceinline__ void load_rows(jr_summand (&x)[jr_exact_tile], const jr_shares &shares, jr_u32 rows) {
        const jr_u32 before = blockIdx.x < shares.longer ? blockIdx.x : shares.longer;
        const jr_u64 row = shares.tiles * JR_UNROLL + (jr_u64)blockIdx.x * shares.rows + before;
        const jr_u64 at = row * JR_BLOCK + threadIdx.x, end_of_rows = (row + rows) * JR_BLOCK;
        const jr_u64 end = end_of_rows < in.pack_count ? end_of_rows : in.pack_count;
        jr_packs packs[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u64 wanted = at + u * JR_BLOCK;
            packs[u].load(in, wanted < end ? wanted : in.pack_count - 1);
        }
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const bool taken = at + u * JR_BLOCK < end;
            bool kept = false;
            summands(x, packs[u], u, at + u * JR_BLOCK, kept);
            any |= taken && kept;
            if (taken) continue;
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++) x[u * jr_pack_elements + k] = jr_exact_nothing<jr_summand>::value;
        }
    }
    // Elements before and behind all packs: each of the first threads has one.
    __device__ __forceinline__ void load_end(jr_summand (&x)[jr_exact_tile]) {
#pragma unroll
        for (jr_u32 i = 0; i < jr_exact_tile; i++) x[i] = jr_exact_nothing<jr_summand>::value;
        if (threadIdx.x < in.ends)
            x[0] = jr_exact_summand(jr_item_at(in, jr_end_at(in, threadIdx.x), call.first), call, &any);
    }
};
