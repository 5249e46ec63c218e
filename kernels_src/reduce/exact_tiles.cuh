// Tiles of an exact sum: packs become summands, -0 where there is no element, which changes nothing.
#pragma once

#include "reduce/exact_collect.cuh"

__device__ __forceinline__ jr_summand jr_exact_summand(const jr_item &item, const jr_call &call) {
    const JR_MAPPED value = jr_map(item, call);
    return jr_operator::summand_of(value);
}

struct jr_exact_adder {
    const jr_cut &in;
    const jr_call &call;
    jr_exact_block &block;
    jr_exact_windows<jr_summand> windows;
    jr_u32 added; // summands of a thread since the last flush

    __device__ __forceinline__ void add(const jr_summand (&x)[jr_exact_tile]) {
        windows.add(block, x);
        added += jr_exact_tile;
        if (added <= jr_exact_bins<jr_summand>::flush_after - jr_exact_tile) return;
        windows.flush(block);
        added = 0;
    }
    // Packs that a thread has of a tile, `step` apart from `at` on; those from `end` on are not there.
    __device__ __forceinline__ void add_packs(const jr_packs (&packs)[JR_UNROLL], jr_u64 at, jr_u32 step, jr_u64 end) {
        jr_summand x[jr_exact_tile];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u64 index = jr_pack_index(in, at + u * step, call.first);
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++) {
                const jr_summand summand = jr_exact_summand(packs[u].item(k, index), call);
                x[u * jr_pack_elements + k] = at + u * step < end ? summand : (jr_summand)-0.0;
            }
        }
        add(x);
    }
    // Elements before and behind all packs: each of block 0's first threads has one.
    __device__ __forceinline__ void add_ends() {
        if (blockIdx.x > 0 || in.ends == 0) return;
        jr_summand x[jr_exact_tile];
#pragma unroll
        for (jr_u32 i = 0; i < jr_exact_tile; i++) x[i] = -0.0;
        if (threadIdx.x < in.ends)
            x[0] = jr_exact_summand(jr_item_at(in, jr_end_at(in, threadIdx.x), call.first), call);
        add(x);
    }
    // This block's share of what whole tiles leave: rows of a pack a thread.
    __device__ __forceinline__ void add_rest(const jr_shares &shares) {
        const jr_u32 block_index = blockIdx.x, rows = shares.rows + (block_index < shares.longer);
        const jr_u32 before = block_index < shares.longer ? block_index : shares.longer;
        if (rows == 0) return;
        const jr_u64 row = shares.tiles * JR_UNROLL + (jr_u64)block_index * shares.rows + before;
        const jr_u64 at = row * JR_BLOCK + threadIdx.x, end_of_rows = (row + rows) * JR_BLOCK;
        const jr_u64 end = end_of_rows < in.pack_count ? end_of_rows : in.pack_count;
        jr_packs packs[JR_UNROLL];
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            const jr_u64 wanted = at + u * JR_BLOCK;
            packs[u].load(in, wanted < end ? wanted : in.pack_count - 1);
        }
        add_packs(packs, at, JR_BLOCK, end);
    }
};
