// The fixed tree: which values are combined with which follows from the count of elements alone.
//
// The fold of n elements is that of the first 2^k, the greatest power of two below n, combined with that of the rest.
// So 2^j elements that begin at a multiple of 2^j are folded in one way, wherever data is cut into parts, chunks, tiles
// and lanes at such places: neither grid, block, unroll factor, algorithm nor address changes which operations are
// done, or their order. An element that `where` or the nan rule skips takes part as the operator's identity. Positions
// after the last element are not combined at all.
//
// Source of the shape: pairwise summation, as in N. Higham, "The Accuracy of Floating Point Summation" (1993); the same
// tree for any n in RFC 6962, 2.1.
#pragma once

#include "fold/chain.cuh"
#include "fold/spread.cuh"

constexpr jr_u32 jr_row_elements = jr_warp_lanes * jr_pack_elements;
constexpr jr_u32 jr_tile_rows = JR_UNROLL < 2 ? 1 : JR_UNROLL < 4 ? 2 : JR_UNROLL < 8 ? 4 : 8; // a power of two
constexpr jr_u32 jr_tile_elements = jr_tile_rows * jr_row_elements;

template <jr_u32 N> struct jr_log2 {
    static constexpr jr_u32 value = 1 + jr_log2<N / 2>::value;
};
template <> struct jr_log2<1> {
    static constexpr jr_u32 value = 0;
};

// Nodes of a warp that wait for what follows them, as a binary counter: bit k of `units`, the units so far, says that
// lane k has the node of 2^k of them. All lanes take part in all calls.
struct jr_waiting {
    jr_accumulator node;
    jr_u64 units;

    __device__ __forceinline__ void start(const jr_reducer &reducer) {
        node = reducer.identity();
        units = 0;
    }
    // Adds the node of the next 2^level units, or, last of all, of fewer elements than a unit has. value: lane 0's.
    __device__ __forceinline__ void add(const jr_reducer &reducer, jr_accumulator value, jr_u32 level) {
        value = jr_broadcast(value, 0);
        jr_u32 at = level;
#pragma unroll 1
        for (; units >> at & 1; at++) value = reducer.combine(jr_broadcast(node, at), value);
        if (jr_lane() == at) node = value;
        units += 1ull << level;
    }
    // All there is, in all lanes; the identity of nothing.
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &reducer) const {
        jr_accumulator value = reducer.identity();
        bool any = false;
#pragma unroll 1
        for (jr_u32 at = 0; units >> at; at++) {
            if (!(units >> at & 1)) continue;
            const jr_accumulator before = jr_broadcast(node, at);
            value = any ? reducer.combine(before, value) : before;
            any = true;
        }
        return value;
    }
};

// Combines N values per lane over the lanes of a warp, neighbours first; lane 0 has the results. place: the position of
// lane 0's first value; positions from `count` on are empty. each: distance in positions between neighbouring lanes'
// values.
template <jr_u32 N>
__device__ __forceinline__ void jr_combine_some(const jr_reducer &reducer, jr_accumulator (&values)[N], jr_u64 place,
                                                jr_u64 each, jr_u64 count) {
#pragma unroll 1
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
#pragma unroll
        for (jr_u32 n = 0; n < N; n++) {
            const jr_accumulator right = jr_shuffle_down(values[n], distance);
            if (place + (n * jr_warp_lanes + jr_lane() + distance) * each < count)
                values[n] = reducer.combine(values[n], right);
        }
    }
}

// Consecutive elements, from element `begin` of the input on.
struct jr_tree_span {
    const jr_cut &in;
    jr_u64 begin, count;
    jr_u64 readable; // elements of the input from `begin` on, count of them or more
    jr_u64 first;    // the index of element `begin`
    jr_u32 shift;    // elements from the 16-byte boundary before it; jr_pack_elements: none is an element's begin

    __device__ __forceinline__ jr_tree_span(const jr_cut &of, jr_u64 from, jr_u64 elements, jr_u64 left, jr_u64 index)
        : in(of), begin(from), count(elements), readable(left), first(index) {
        constexpr jr_u32 bytes = sizeof(JR_X);
        const jr_u32 beyond = (jr_u32)(jr_u64)at(0) % 16;
        shift = beyond == 0 ? 0 : bytes <= 8 && 16 % bytes == 0 ? beyond / bytes : jr_pack_elements;
    }
    __device__ __forceinline__ const JR_X *at(jr_u64 e) const { return in.packs + (long long)(begin + e - in.head); }
    __device__ __forceinline__ jr_item item(jr_u64 e) const {
        return jr_item_at(in, (long long)(begin + e - in.head), first - begin);
    }

    // Can a tile that begins at element e be loaded by vectors? One that is shifted ends within a vector.
    __device__ __forceinline__ bool has_tile(jr_u64 e) const {
        const jr_u64 end = e + jr_tile_elements;
        return end <= count && shift < jr_pack_elements &&
               (shift == 0 || end + (jr_pack_elements - shift) <= readable);
    }
    __device__ __forceinline__ void load_tile(jr_packs (&packs)[jr_tile_rows], jr_u64 e) const {
        if (shift == 0)
#pragma unroll
            for (jr_u32 u = 0; u < jr_tile_rows; u++)
                jr_load(packs[u].x.elements, at(e + (u * jr_warp_lanes + jr_lane()) * jr_pack_elements));
        else if constexpr (sizeof(JR_X) <= 8 && 16 % sizeof(JR_X) == 0)
            load_shifted(packs, e);
#if JR_INPUTS > 1
        const jr_u64 from = begin + e - in.head; // index into in.more
        const jr_u32 aligned = from % jr_pack_elements == 0 ? in.aligned : 0;
#define JR_TREE_LOAD(other, member, type)                                                                              \
    jr_load_other(packs[u].member, (const type *)in.more[other] + (long long)from, u * jr_warp_lanes + jr_lane(),      \
                  aligned & 1 << other);
#pragma unroll
        for (jr_u32 u = 0; u < jr_tile_rows; u++) { JR_OTHERS(JR_TREE_LOAD) }
#endif
    }

    // Each lane loads the vector that its pack ends in, and gets the one before from the lane below: of the first lane
    // that is the last lane's of the row before.
    __device__ __forceinline__ void load_shifted(jr_packs (&packs)[jr_tile_rows], jr_u64 e) const {
        const JR_X *vectors = at(e) - shift;
        jr_pack<JR_X> before;
#pragma unroll
        for (jr_u32 w = 0; w < 4; w++) before.word(w) = 0;
        if (jr_lane() == 0) { // what lies before the input is not read
            if (begin + e >= shift)
                jr_load(before.elements, vectors);
            else
#pragma unroll
                for (jr_u32 k = 1; k < jr_pack_elements; k++)
                    if (k >= shift) before.elements[k] = vectors[k];
        }
#pragma unroll
        for (jr_u32 u = 0; u < jr_tile_rows; u++)
            jr_load(packs[u].x.elements, vectors + (u * jr_warp_lanes + jr_lane() + 1) * jr_pack_elements);
#pragma unroll
        for (jr_u32 u = 0; u < jr_tile_rows; u++) {
            jr_u32 words[8];
#pragma unroll
            for (jr_u32 w = 0; w < 4; w++) {
                const jr_u32 own = packs[u].x.word(w);
                const jr_u32 below = __shfl_sync(jr_full_mask, own, (jr_lane() + jr_warp_lanes - 1) % jr_warp_lanes);
                words[w] = jr_lane() == 0 ? before.word(w) : below;
                words[4 + w] = own;
                before.word(w) = below; // of the next row's first lane
            }
            shift_words(packs[u].x, words, shift * sizeof(JR_X));
        }
    }
    // The 16 bytes from byte `by` of words on.
    static __device__ __forceinline__ void shift_words(jr_pack<JR_X> &pack, jr_u32 (&words)[8], jr_u32 by) {
#pragma unroll
        for (jr_u32 w = 0; w < 6; w++) words[w] = by & 8 ? words[w + 2] : words[w];
#pragma unroll
        for (jr_u32 w = 0; w < 5; w++) words[w] = by & 4 ? words[w + 1] : words[w];
#pragma unroll
        for (jr_u32 w = 0; w < 4; w++)
            pack.word(w) = sizeof(JR_X) >= 4 ? words[w] : __funnelshift_r(words[w], words[w + 1], by % 4 * 8);
    }
    // Lane 0 has the fold of a tile.
    __device__ __forceinline__ jr_accumulator fold_tile(const jr_reducer &reducer, jr_u64 e) const {
        jr_packs packs[jr_tile_rows];
        jr_accumulator values[jr_tile_rows];
        load_tile(packs, e);
#pragma unroll
        for (jr_u32 u = 0; u < jr_tile_rows; u++)
            values[u] = jr_pairwise<jr_pack_elements>::fold(
                reducer, packs[u], 0, first + e + (u * jr_warp_lanes + jr_lane()) * jr_pack_elements);
        return jr_combine_share(reducer, values);
    }
};

// Folds the elements of a span by a warp; all lanes have the result, the identity of nothing. SPAN: count, item(e),
// has_tile(e), fold_tile(reducer, e). What fills no tile is taken a warp's width at a time, a unit of `waiting`.
template <class SPAN> __device__ __forceinline__ jr_accumulator jr_fold_tree(const jr_reducer &reducer, const SPAN &span) {
    constexpr jr_u32 together = 8; // loads of a lane at a time
    jr_waiting waiting;
    waiting.start(reducer);
    jr_u64 e = 0;
#pragma unroll 1
    for (; span.has_tile(e); e += jr_tile_elements)
        waiting.add(reducer, span.fold_tile(reducer, e), jr_log2<jr_tile_elements / jr_warp_lanes>::value);
#pragma unroll 1
    for (; e < span.count; e += together * jr_warp_lanes) {
        jr_accumulator values[together];
#pragma unroll
        for (jr_u32 n = 0; n < together; n++) {
            const jr_u64 at = e + n * jr_warp_lanes + jr_lane();
            values[n] = reducer.lift(span.item(at < span.count ? at : span.count - 1));
        }
        jr_combine_some(reducer, values, e, 1, span.count);
#pragma unroll
        for (jr_u32 n = 0; n < together; n++)
            if (e + n * jr_warp_lanes < span.count) waiting.add(reducer, values[n], 0);
    }
    return waiting.end(reducer);
}

constexpr jr_u32 jr_tree_warps = 1u << jr_log2<jr_block_warps>::value; // of a block, a power of two: so many share an array

// Combines what the first jr_tree_warps warps of a block have, warp w of the units from w * each on, of `count`; thread
// 0 has the result, the identity of nothing. totals: jr_tree_warps accumulators in shared memory. All threads take part.
__device__ __forceinline__ jr_accumulator jr_combine_tree_warps(const jr_reducer &reducer, const jr_accumulator &value,
                                                               jr_accumulator *totals, jr_u64 each, jr_u64 count) {
    if (jr_lane() == 0 && jr_warp() < jr_tree_warps) totals[jr_warp()] = value;
    __syncthreads();
    jr_accumulator values[1] = {value};
    if (jr_warp() > 0) return value;
    if (jr_lane() < jr_tree_warps) values[0] = totals[jr_lane()];
    // A lane without a warp has a position after all others.
    jr_combine_some(reducer, values, 0, each, each * jr_tree_warps < count ? each * jr_tree_warps : count);
    return values[0];
}

// The least power of two by which `parts` of it reach `count`; least: a power of two.
__device__ __forceinline__ jr_u64 jr_tree_share(jr_u64 count, jr_u32 parts, jr_u64 least) {
    jr_u64 share = least;
#pragma unroll 1
    while (share * parts < count) share *= 2;
    return share;
}

// Folds nodes of equal size, but for the last one, by a block; thread 0 has the result. totals: as above.
__device__ __forceinline__ jr_accumulator jr_fold_nodes(const jr_reducer &reducer, const jr_accumulator *nodes,
                                                       jr_u64 count, jr_accumulator *totals) {
    constexpr jr_u32 quad = 4, unit = quad * jr_warp_lanes;
    const jr_u64 share = jr_tree_share(count, jr_tree_warps, unit), begin = jr_warp() * share;
    const jr_u64 end = begin + share < count ? begin + share : count;
    jr_waiting waiting;
    waiting.start(reducer);
#pragma unroll 1
    for (jr_u64 i = begin; i < end && jr_warp() < jr_tree_warps; i += unit) {
        const jr_u64 at = i + jr_lane() * quad;
        jr_accumulator four[quad];
#pragma unroll
        for (jr_u32 k = 0; k < quad; k++) four[k] = nodes[at + k < end ? at + k : end - 1];
        if (at + 1 < end) four[0] = reducer.combine(four[0], four[1]);
        if (at + 3 < end) four[2] = reducer.combine(four[2], four[3]);
        jr_accumulator value[1] = {at + 2 < end ? reducer.combine(four[0], four[2]) : four[0]};
        jr_combine_some(reducer, value, i, quad, end);
        waiting.add(reducer, value[0], 0);
    }
    return jr_combine_tree_warps(reducer, waiting.end(reducer), totals, share, count);
}
