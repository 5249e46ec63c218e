// Tiles of an exact sum: packs become summands; a missing or skipped element becomes a summand that changes nothing.
#pragma once

#include "exact/exact_collect.cuh"
#include "exact/exact_products.cuh"

// *any becomes true with a kept element.
__device__ __forceinline__ jr_summand jr_exact_summand(const jr_item &item, const jr_call &call, bool *any) {
    if (!jr_where(item, call)) return jr_exact_nothing<jr_summand>::value;
    *any = true;
    const JR_MAPPED value = jr_map(item, call);
    return jr_operator::summand_of(value);
}

// A summand is added to the digits piece by piece; returns its marks.
__device__ __noinline__ jr_u32 jr_exact_deposit(jr_exact_block &block, jr_summand x) {
    constexpr int pieces = jr_exact_digits > 160 ? 9 : jr_exact_is_long ? 5 : 3;
    const jr_exact_term term = jr_exact_term_of(x);
    const int place = term.exponent + jr_exact_base, at = place >> 4, by = place & 15;
    const jr_u64 low = term.low << by, carry = term.low >> 1 >> (63 - by);
    const jr_u64 middle = pieces > 5 ? term.high << by | carry : carry, high = term.high >> 1 >> (63 - by);
#pragma unroll
    for (int k = 0; k < pieces; k++) {
        const int piece = (int)((k < 4 ? low : k < 8 ? middle : high) >> (16 * (k & 3)) & 0xffff);
        if (piece) atomicAdd(&block.digits[at + k], term.negative ? -piece : piece);
    }
    return term.marks & ~JR_EXACT_ANY;
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

// What a block adds at a time: a whole tile, or the rows of packs that these leave to it.
struct jr_exact_portion {
    static constexpr jr_u32 most = JR_BLOCK * JR_UNROLL;
    jr_u64 pack;  // the first one
    jr_u32 count; // of packs; 0: there is no portion

    __device__ __forceinline__ explicit jr_exact_portion(jr_u64 tile) : pack(tile * most), count(most) {}
    // tile: of the block's; beyond its whole ones is its share of rows.
    __device__ __forceinline__ jr_exact_portion(const jr_cut &in, const jr_shares &shares, jr_u64 tile)
        : jr_exact_portion(tile) {
        if (tile < shares.tiles) return;
        const jr_u32 before = blockIdx.x < shares.longer ? blockIdx.x : shares.longer;
        const jr_u32 rows = tile < shares.tiles + gridDim.x ? shares.rows + (blockIdx.x < shares.longer) : 0;
        pack = (shares.tiles * JR_UNROLL + (jr_u64)blockIdx.x * shares.rows + before) * JR_BLOCK;
        count = rows * JR_BLOCK;
        if (count > 0 && in.pack_count - pack < count) count = (jr_u32)(in.pack_count - pack);
    }
    // True if this thread has a pack in row u.
    __device__ __forceinline__ bool has(jr_u32 u) const { return u * JR_BLOCK + threadIdx.x < count; }
};

struct jr_exact_adder {
    const jr_cut &in;
    const jr_call &call;
    jr_exact_block &block;
    jr_exact_sums sums;
    jr_u32 added, flushes; // summands per thread since the last flush; flushes since the last carry
    bool any;     // true if an element was kept

    __device__ __forceinline__ void start(void *room) {
        added = flushes = 0;
        any = false;
        sums.start(room);
    }
    __device__ __forceinline__ void end() {
        if (jr_selects) jr_exact_mark(block, any ? JR_EXACT_ANY : 0);
        sums.end(block);
    }

    // Add the thread's packs of a whole tile, or of any portion; the packs are JR_BLOCK apart. Whole tiles have a
    // function of their own, since testing each pack costs a quarter of the time that products of doubles take.
    __device__ __forceinline__ void add_tile(const jr_packs (&packs)[JR_UNROLL], jr_u64 tile) {
        jr_summand x[jr_exact_tile];
        summands(x, packs, jr_exact_portion(tile));
        add(x);
    }
    __device__ __forceinline__ void add_portion(const jr_packs (&packs)[JR_UNROLL], const jr_exact_portion &portion) {
        jr_summand x[jr_exact_tile];
        summands(x, packs, portion);
        if (portion.count < jr_exact_portion::most)
#pragma unroll
            for (jr_u32 i = 0; i < jr_exact_tile; i++)
                if (!portion.has(i / jr_pack_elements)) x[i] = jr_exact_nothing<jr_summand>::value;
        add(x);
    }
    // Adds the elements before and after all packs, at most 30: the first warp of block 0 deposits them in the digits.
    __device__ __forceinline__ void add_ends() {
        if (in.ends == 0 || blockIdx.x > 0 || threadIdx.x >= jr_warp_lanes) return;
        jr_u32 marks = 0;
        if (threadIdx.x < in.ends) {
            const jr_summand x = jr_exact_summand(jr_item_at(in, jr_end_at(in, threadIdx.x), call.first), call, &any);
            marks = jr_exact_deposit(block, x);
        }
        jr_exact_mark(block, marks);
    }

private:
    __device__ __forceinline__ void summands(jr_summand (&x)[jr_exact_tile], const jr_packs (&packs)[JR_UNROLL],
                                             const jr_exact_portion &portion) {
        const jr_u64 index = jr_pack_index(in, portion.pack + threadIdx.x, call.first);
#pragma unroll
        for (jr_u32 i = 0; i < jr_exact_tile; i++) {
            const jr_u32 u = i / jr_pack_elements, k = i % jr_pack_elements;
            bool kept = false;
            x[i] = jr_exact_summand(packs[u].item(k, index + u * JR_BLOCK * jr_pack_elements), call, &kept);
            any |= kept && portion.has(u);
        }
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
};
