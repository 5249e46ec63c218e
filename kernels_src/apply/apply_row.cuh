// Rows of equal length: their elements as packs at 16-byte boundaries and single elements before and after them, what
// an expression gets of a row's totals, and its results.
#pragma once

#include "apply/apply_pack.cuh"
#include "fold/combine.cuh"

// Element k of a pack. A bf16 is the upper half of a float: of the word that holds two of them it takes one instruction.
template <class T, jr_u32 N> __device__ __forceinline__ const T &jr_row_value(const T (&elements)[N], jr_u32 k) {
    return elements[k];
}
template <jr_u32 N> __device__ __forceinline__ float jr_row_value(const jr_bf16 (&elements)[N], jr_u32 k) {
    if constexpr (N % 2 == 0) {
        const jr_u32 word = ((const jr_u32 *)elements)[k / 2];
        return __uint_as_float(k % 2 == 0 ? word << 16 : word & 0xffff0000u);
    } else {
        return elements[k];
    }
}

// The x of a pack.
struct jr_row_x {
    alignas(4) alignas(JR_X) JR_X elements[jr_pack_elements];

    // from: at a 16-byte boundary.
    __device__ __forceinline__ void load(const JR_X *from) {
        jr_row_pack<JR_X> pack;
#pragma unroll
        for (jr_u32 v = 0; v < pack.count; v++)
            pack.vectors[v] = jr_row_pack<JR_X>::as::load((const typename jr_row_pack<JR_X>::vector *)from + v);
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) elements[k] = pack.elements[k];
    }
};

#define JR_ROW_OTHER(other, member, type) jr_row_pack<type> member;
#define JR_ROW_LOAD(other, member, type)  others.member.load((const type *)more[other] + k);
#define JR_ROW_ITEM(other, member, type)  (type##_VALUE)jr_row_value(others.member.elements, e),
#define JR_ROW_ONE(other, member, type)   (type##_VALUE)((const type *)more[other])[k],
struct jr_row_others {
    JR_OTHERS(JR_ROW_OTHER)
};

// One row. Element k of it is x[k]; packs begin after `heads` elements, `tails` elements follow them.
struct jr_row {
    const JR_X *x;
    const void *more[JR_ARRAYS_MAX - 1]; // where the row begins in the others
    jr_applied *out;
    jr_u64 length, packs;
    jr_u32 heads, tails;

    __device__ __forceinline__ jr_row(const jr_row_cut &rows, jr_u64 r) {
        x = rows.x + r * rows.length;
        out = (jr_applied *)rows.out + r * rows.length;
        length = rows.length;
#define JR_ROW_MORE(other, member, type) more[other] = (const type *)rows.more[other] + r * rows.step[other];
        JR_OTHERS(JR_ROW_MORE)
        const jr_u32 beyond = (jr_u32)((jr_u64)x % 16 / sizeof(JR_X));
        heads = beyond > 0 ? jr_pack_elements - beyond : 0;
        if (heads > length) heads = (jr_u32)length;
        packs = (length - heads) / jr_pack_elements;
        tails = (jr_u32)(length - heads) % jr_pack_elements;
    }
    // The first element of pack p, and the i-th element that is in no pack.
    __device__ __forceinline__ jr_u64 first(jr_u64 p) const { return heads + p * jr_pack_elements; }
    __device__ __forceinline__ jr_u64 end(jr_u32 i) const {
        return i < heads ? i : heads + packs * jr_pack_elements + (i - heads);
    }
    __device__ __forceinline__ jr_u32 ends() const { return heads + tails; }

    __device__ __forceinline__ jr_item item(JR_X value, jr_u64 k) const {
        return {(JR_X_VALUE)value, JR_OTHERS(JR_ROW_ONE) k};
    }
    __device__ __forceinline__ void load_others(jr_row_others &others, jr_u64 k) const { JR_OTHERS(JR_ROW_LOAD) }

    // Folds the pack whose first element is k, pairwise.
    template <jr_u32 FROM, jr_u32 N>
    static __device__ __forceinline__ jr_accumulator fold_part(const jr_reducer &reducer, const jr_row_x &held,
                                                               const jr_row_others &others, jr_u64 k) {
        if constexpr (N == 1) {
            constexpr jr_u32 e = FROM;
            return reducer.lift({(JR_X_VALUE)jr_row_value(held.elements, e), JR_OTHERS(JR_ROW_ITEM) k + e});
        } else {
            return reducer.combine(fold_part<FROM, N / 2>(reducer, held, others, k),
                                   fold_part<FROM + N / 2, N / 2>(reducer, held, others, k));
        }
    }
    __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_row_x &held, jr_u64 k) const {
        jr_row_others others;
        load_others(others, k);
        return fold_part<0, jr_pack_elements>(reducer, held, others, k);
    }

    // Writes the results of that pack.
    __device__ __forceinline__ void apply(const jr_call &call, const jr_row_x &held, jr_u64 k,
                                          const jr_results &results) const {
        jr_row_others others;
        jr_row_pack<jr_applied> made;
        load_others(others, k);
#pragma unroll
        for (jr_u32 e = 0; e < jr_pack_elements; e++)
            made.elements[e] = jr_apply({(JR_X_VALUE)jr_row_value(held.elements, e), JR_OTHERS(JR_ROW_ITEM) k + e}, results,
                                        (long long)length, call);
        made.store(out + k);
    }
    __device__ __forceinline__ void apply_one(const jr_call &call, JR_X value, jr_u64 k,
                                              const jr_results &results) const {
        out[k] = jr_apply(item(value, k), results, (long long)length, call);
    }
};

// ---- what an expression gets of a row's totals: results of operators at multiples of JR_RESULT_STRIDE ----

template <class O> struct jr_row_result {
    static __device__ __forceinline__ auto of(const typename O::accumulator &total, jr_u64 count, const jr_call &call) {
        return jr_finished(O::finish(total, count + JR_INITIAL, call.ddof), count, call);
    }
};
#if JR_OPERATORS_STATISTICS && !jr_finishes
// logsumexp is not rounded to one number, so that x - r has no greater error for large x.
template <class A> struct jr_row_logarithm {
    static __device__ __forceinline__ jr_log_sum<A> of(const jr_scaled_sum<A> &total) {
        return {total.greatest, jr_log_of_1_and(total.others) + (total.greatest - total.greatest)};
    }
};
template <class T, class A, class R> struct jr_row_result<jr_logsumexp<T, A, R>> {
    static __device__ __forceinline__ auto of(const jr_scaled_sum<A> &total, jr_u64, const jr_call &) {
        return jr_row_logarithm<A>::of(total);
    }
};
template <class T, class A, class R> struct jr_row_result<jr_numbers<jr_logsumexp<T, A, R>>> {
    static __device__ __forceinline__ auto of(const jr_scaled_sum<A> &total, jr_u64, const jr_call &) {
        return jr_row_logarithm<A>::of(total);
    }
};
#endif

template <class O> struct jr_row_results {
    static __device__ __forceinline__ void put(jr_u8 *at, const typename O::accumulator &total, jr_u64 count,
                                               const jr_call &call) {
        const auto result = jr_row_result<O>::of(total, count, call);
        *(decltype(jr_row_result<O>::of(total, count, call)) *)at = result;
    }
};
#if JR_OPERATORS_STATISTICS
template <class O, class P> struct jr_row_results<jr_both<O, P>> {
    static __device__ __forceinline__ void put(jr_u8 *at, const typename jr_both<O, P>::accumulator &total,
                                               jr_u64 count, const jr_call &call) {
        const jr_aligned<typename O::accumulator> first = total.first;
        const jr_aligned<typename P::accumulator> rest = total.rest;
        jr_row_results<O>::put(at, first, count, call);
        jr_row_results<P>::put(at + JR_RESULT_STRIDE, rest, count, call);
    }
};
#endif

__device__ __forceinline__ void jr_row_finish(jr_results &results, const jr_reducer &reducer,
                                              const jr_accumulator &total, jr_u64 count) {
    const jr_accumulator all = jr_with_initial(reducer, total);
#if JR_KEPT
    const jr_asked::accumulator of = all.of;
    jr_row_results<jr_asked>::put(results.place, of, count, reducer.call);
#else
    jr_row_results<jr_asked>::put(results.place, all, count, reducer.call);
#endif
}

// Combines the accumulators of 1 << size neighbouring lanes; all of them have the total. All lanes of the warp take
// part.
__device__ __forceinline__ jr_accumulator jr_row_combine_lanes(const jr_reducer &reducer, jr_accumulator acc,
                                                               jr_u32 lanes) {
#pragma unroll 1
    for (jr_u32 distance = lanes / 2; distance > 0; distance /= 2)
        acc = reducer.combine(acc, jr_shuffle_across(acc, distance));
    return acc;
}

constexpr jr_u32 jr_row_warps = JR_BLOCK / jr_warp_lanes;
// Neighbouring lanes that read what all warps of a block left: a power of two.
constexpr jr_u32 jr_row_across = jr_row_warps > 16 ? 32 : jr_row_warps > 8 ? 16 : jr_row_warps > 4 ? 8 : jr_row_warps > 2 ? 4 : jr_row_warps;

// What the warps of a block have of two rows: while some still read what is there of one, others write that of the next.
struct jr_row_shared {
    __align__(16) unsigned char rooms[2][jr_row_warps * sizeof(jr_accumulator)];
    jr_u32 counts[2][jr_row_warps];
};

// Combines the accumulators of a block; all threads have the total. turn: 0 and 1 in turns.
__device__ __forceinline__ jr_accumulator jr_row_combine_block(const jr_reducer &reducer, jr_accumulator acc,
                                                               jr_row_shared &shared, jr_u32 turn) {
    const jr_u32 lane = threadIdx.x % jr_warp_lanes, from = lane % jr_row_across;
    acc = jr_row_combine_lanes(reducer, acc, jr_warp_lanes);
    if (jr_row_warps == 1) return acc;
    jr_accumulator *const cache = (jr_accumulator *)shared.rooms[turn];
    if (lane == 0) cache[threadIdx.x / jr_warp_lanes] = acc;
    __syncthreads();
    acc = from < jr_row_warps ? cache[from] : reducer.identity();
    return jr_row_combine_lanes(reducer, acc, jr_row_across);
}

// ---- a row in registers: thread `own` of `threads` has packs own, own + threads, ... and an element of the ends ----

struct jr_row_held {
    jr_row_x packs[JR_UNROLL];
    JR_X one;

    __device__ __forceinline__ void load(const jr_row &row, jr_u32 own, jr_u32 threads) {
        const jr_u32 count = (jr_u32)row.packs;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (own + u * threads < count) packs[u].load(row.x + row.first(own + u * threads));
        if (own < row.ends()) one = row.x[row.end(own)];
    }
    __device__ __forceinline__ jr_accumulator fold(const jr_reducer &reducer, const jr_row &row, jr_u32 own,
                                                   jr_u32 threads) const {
        const jr_u32 count = (jr_u32)row.packs;
        jr_accumulator acc = reducer.identity();
        if (own < row.ends()) acc = reducer.lift(row.item(one, row.end(own)));
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (own + u * threads < count)
                acc = reducer.combine(acc, row.fold(reducer, packs[u], row.first(own + u * threads)));
        return acc;
    }
#if JR_INPUTS == 1
    // Calls take(item) for each element.
    template <class F>
    __device__ __forceinline__ void each(const jr_row &row, jr_u32 own, jr_u32 threads, const F &take) const {
        const jr_u32 count = (jr_u32)row.packs;
        if (own < row.ends()) take(row.item(one, row.end(own)));
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) {
            if (own + u * threads >= count) continue;
            const jr_u64 k = row.first(own + u * threads);
#pragma unroll
            for (jr_u32 e = 0; e < jr_pack_elements; e++) take({(JR_X_VALUE)jr_row_value(packs[u].elements, e), k + e});
        }
    }
#endif
    __device__ __forceinline__ void apply(const jr_call &call, const jr_row &row, jr_u32 own, jr_u32 threads,
                                          const jr_results &results) const {
        const jr_u32 count = (jr_u32)row.packs;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            if (own + u * threads < count) row.apply(call, packs[u], row.first(own + u * threads), results);
        if (own < row.ends()) row.apply_one(call, one, row.end(own), results);
    }
};
