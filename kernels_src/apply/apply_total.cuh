// The total of a row that threads hold in registers.
#pragma once

#include "apply/apply_row.cuh"

// The threads of a row: neighbouring lanes of a warp, or a block.
struct jr_row_lanes {
    jr_u32 lanes;

    __device__ __forceinline__ jr_accumulator combine(const jr_reducer &reducer, const jr_accumulator &acc) const {
        return jr_row_combine_lanes(reducer, acc, lanes);
    }
    // All of them get the greatest x, or the sum.
    template <class A> __device__ __forceinline__ A greatest(A x) const {
#pragma unroll 1
        for (jr_u32 distance = lanes / 2; distance > 0; distance /= 2)
            x = jr_maximum(x, __shfl_xor_sync(jr_full_mask, x, distance));
        return x;
    }
    template <class A> __device__ __forceinline__ A sum(A x) const {
#pragma unroll 1
        for (jr_u32 distance = lanes / 2; distance > 0; distance /= 2)
            x += __shfl_xor_sync(jr_full_mask, x, distance);
        return x;
    }
};
struct jr_row_block {
    jr_row_shared &shared;
    jr_u32 turn;

    __device__ __forceinline__ jr_accumulator combine(const jr_reducer &reducer, const jr_accumulator &acc) const {
        return jr_row_combine_block(reducer, acc, shared, turn);
    }
};

template <class O> struct jr_row_total {
    template <class G>
    static __device__ __forceinline__ jr_accumulator of(const jr_reducer &reducer, const jr_row_held &held,
                                                        const jr_row &row, jr_u32 own, jr_u32 threads,
                                                        const G &group) {
        return group.combine(reducer, held.fold(reducer, row, own, threads));
    }
};

#if JR_OPERATORS_STATISTICS && !JR_KEPT && JR_INPUTS == 1 && JR_UNROLL <= 4
// logsumexp: the greatest element first, so that no two sums of different scales are combined. Softmax of f32 on an H100,
// before and so: 65536 x 1000 323 and 257 us, 32768 x 4096 424 and 376; with 8 packs a thread, 8192 x 16384, 376 and 547.
template <class T, class A, class R> struct jr_row_total<jr_logsumexp<T, A, R>> {
    static constexpr jr_u32 warps = jr_row_warps;

    static __device__ __forceinline__ A greatest_of(A x, const jr_row_lanes &group) { return group.greatest(x); }
    static __device__ __forceinline__ A greatest_of(A x, const jr_row_block &group) {
        const jr_u32 from = threadIdx.x % jr_warp_lanes % jr_row_across;
        A *const room = (A *)group.shared.rooms[group.turn];
        x = jr_row_lanes{jr_warp_lanes}.greatest(x);
        if (warps == 1) return x;
        if (threadIdx.x % jr_warp_lanes == 0) room[threadIdx.x / jr_warp_lanes] = x;
        __syncthreads();
        return jr_row_lanes{jr_row_across}.greatest(from < warps ? room[from] : jr_limits<A>::lowest());
    }
    static __device__ __forceinline__ A others_of(A sum, jr_u32 equal, const jr_row_lanes &group) {
        return group.sum(sum) + (A)(group.sum(equal) - 1);
    }
    static __device__ __forceinline__ A others_of(A sum, jr_u32 equal, const jr_row_block &group) {
        const jr_row_lanes warp{jr_warp_lanes};
        const jr_u32 from = threadIdx.x % jr_warp_lanes % jr_row_across;
        A *const room = (A *)group.shared.rooms[group.turn] + warps; // others still read what lies before
        jr_u32 *const counts = group.shared.counts[group.turn];
        sum = warp.sum(sum), equal = warp.sum(equal);
        if (warps == 1) return sum + (A)(equal - 1);
        if (threadIdx.x % jr_warp_lanes == 0)
            room[threadIdx.x / jr_warp_lanes] = sum, counts[threadIdx.x / jr_warp_lanes] = equal;
        __syncthreads();
        return others_of(from < warps ? room[from] : A(0), from < warps ? counts[from] : 0,
                         jr_row_lanes{jr_row_across});
    }

    template <class G>
    static __device__ __forceinline__ jr_accumulator of(const jr_reducer &reducer, const jr_row_held &held,
                                                        const jr_row &row, jr_u32 own, jr_u32 threads,
                                                        const G &group) {
        A greatest = jr_limits<A>::lowest(), sum = 0;
        jr_u32 equal = 0;
        held.each(row, own, threads, [&](const jr_item &item) {
            greatest = jr_maximum(greatest, reducer.lift(item).greatest);
        });
        greatest = greatest_of(greatest, group);
        held.each(row, own, threads, [&](const jr_item &item) {
            const A x = reducer.lift(item).greatest, term = jr_exp(x - greatest); // without branches: fewer instructions
            sum += x == greatest ? A(0) : term;
            equal += x == greatest;
        });
        return {greatest, others_of(sum, equal, group)};
    }
};
#endif
