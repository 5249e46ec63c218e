// Tiles: the data as consecutive blocks of packs in order, and a row of them for each thread block.
//
// The packs of the cut (types.cuh) are numbered from 0 on. The elements before them are pack -1, those after them are
// one more pack; both are partial. A tile is JR_BLOCK * JR_UNROLL consecutive packs: each warp takes 32 * JR_UNROLL
// consecutive ones, in JR_UNROLL rows of one pack per lane, so that every load is coalesced and the loads of a thread
// are independent of each other.
#pragma once

#include "core/bulk.cuh"
#include "fold/load.cuh"
#include "fold/ordered.cuh"

constexpr jr_u32 jr_tile_packs = JR_BLOCK * JR_UNROLL;

// The number of a thread's first pack in a tile; the others follow a row of 32 packs apart.
__device__ __forceinline__ long long jr_tile_pack(const jr_cut &in, jr_u64 tile) {
    const jr_u32 inside = jr_warp() * jr_warp_lanes * JR_UNROLL + jr_lane();
    return (long long)(tile * jr_tile_packs + inside) - (in.head > 0);
}

// True if a pack can be loaded by vectors. No pack can if no element is at a 16-byte boundary.
__device__ __forceinline__ bool jr_is_whole(const jr_cut &in, long long at) {
    return (jr_u64)at < in.pack_count;
}

// Loads a thread's packs. In place of a pack that is not whole it loads pack 0, whose elements are not used.
__device__ __forceinline__ void jr_load_tile(const jr_cut &in, long long at, jr_packs (&packs)[JR_UNROLL]) {
    if (in.pack_count == 0) return;
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const long long mine = at + u * jr_warp_lanes;
        packs[u].load(in, jr_is_whole(in, mine) ? mine : 0);
    }
}

// Prefetches a tile into the L2 cache while a block begins; allowed before the kernel may read what its predecessors
// wrote. place: number of the tile's first pack; each warp prefetches its own row of packs. It saves 0.3 us of 1.3 on
// an H200.
__device__ __forceinline__ void jr_fetch_tile(const jr_cut &in, jr_u64 place, jr_u32 row) {
#if __CUDA_ARCH__ >= 900
    const long long first = (long long)(place + jr_warp() * row) - (in.head > 0), begin = first < 0 ? 0 : first;
    const long long all = (long long)in.pack_count, end = first + row < all ? first + row : all;
    if (jr_lane() == 0 && begin < end)
        jr_bulk_fetch(in.packs + begin * jr_pack_elements, (jr_u32)(end - begin) * (jr_u32)sizeof(jr_pack<JR_X>));
#endif
}

// The elements of a pack that exist: from `from` on and before `to`. A pack at an end of the data lacks some.
struct jr_part {
    long long begin; // of the pack, in elements from packs[0] on
    jr_u32 from, to;

    __device__ jr_part(const jr_cut &in, jr_u64 count, long long at) {
        begin = at * jr_pack_elements;
        const long long left = (long long)(count - in.head) - begin;
        from = at < 0 ? jr_pack_elements - in.head : 0;
        to = left < 0 ? 0 : left > jr_pack_elements ? jr_pack_elements : (jr_u32)left;
    }
    __device__ jr_item item(const jr_cut &in, jr_u32 k, jr_u64 first) const { return jr_item_at(in, begin + k, first); }
};

// Folds a whole pack. index: of its first element. The first argument selects the way by its type: a pointer to an
// operator's chains, as these fold a pack (which differs for short integers); any other pointer, by pairs of
// neighbours.
__device__ __forceinline__ jr_accumulator jr_fold_whole(const void *, const jr_reducer &reducer, const jr_packs &packs,
                                                        jr_u64 index) {
    return jr_pairwise<jr_pack_elements>::fold(reducer, packs, 0, index);
}
#if JR_INPUTS == 1 && !JR_EXPRESSIONS && (JR_INTEGER_BYTES == 1 || JR_INTEGER_BYTES == 2)
template <class A>
__device__ __forceinline__ jr_accumulator jr_fold_whole(const jr_narrow_chains<A> *, const jr_reducer &,
                                                        const jr_packs &packs, jr_u64) {
    return jr_narrow_chains<A>::sum_of(packs);
}
#endif

// Folds the elements of a pack that is not whole.
__device__ __forceinline__ jr_accumulator jr_fold_part(const jr_reducer &reducer, const jr_cut &in, long long at) {
    const jr_part part(in, reducer.call.count, at);
    jr_accumulator folded = reducer.identity();
#pragma unroll 1
    for (jr_u32 k = part.from; k < part.to; k++)
        jr_take(reducer, folded, part.item(in, k, reducer.call.first));
    return folded;
}

// Folds each of a thread's packs. way: see jr_fold_whole.
template <class WAY>
__device__ __forceinline__ void jr_fold_tile(WAY way, const jr_reducer &reducer, const jr_cut &in, long long at,
                                             const jr_packs (&packs)[JR_UNROLL],
                                             jr_accumulator (&folded)[JR_UNROLL]) {
    const jr_u64 first = reducer.call.first;
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++) {
        const long long mine = at + u * jr_warp_lanes;
        if (jr_is_whole(in, mine)) {
            folded[u] = jr_fold_whole(way, reducer, packs[u], jr_pack_index(in, mine, first));
        } else {
            folded[u] = jr_fold_part(reducer, in, mine);
        }
    }
}

__device__ __forceinline__ void jr_fold_tile(const jr_reducer &reducer, const jr_cut &in, long long at,
                                             const jr_packs (&packs)[JR_UNROLL],
                                             jr_accumulator (&folded)[JR_UNROLL]) {
    jr_fold_tile((const void *)0, reducer, in, at, packs, folded);
}

// Makes the compiler extract elements of 1 byte from their words again where they are used next; else it would keep
// each in a register of its own until then.
__device__ __forceinline__ void jr_forget_elements(jr_packs &packs) {
    if constexpr (sizeof(JR_X) == 1) {
#pragma unroll
        for (jr_u32 w = 0; w < sizeof(packs.x) / 4; w++) asm volatile("" : "+r"(packs.x.word(w)) : : "memory");
    }
}
