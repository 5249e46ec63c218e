// The total of a row that threads hold in registers.
#pragma once

#include "apply/apply_row.cuh"
#if JR_OPERATORS_STATISTICS
#include "fold/moments.cuh"
#endif

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

#if JR_OPERATORS_STATISTICS && !JR_KEPT && JR_INPUTS == 1
// A term of the sum, 1 at most: where elements and results have 2 bytes, by the device's own function.
__device__ __forceinline__ double jr_row_exp(double x) { return jr_exp(x); }
__device__ __forceinline__ float jr_row_exp(float x) {
    if constexpr (sizeof(JR_X) > 2 || sizeof(jr_applied) > 2) return jr_exp(x);
    float made;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(made) : "f"(x * 1.44269504f));
    return made;
}

// logsumexp: the greatest element first, so that no two sums of different scales are combined. Softmax of f32 on an H100,
// before and so: 65536 x 1000 323 and 257 us, 32768 x 4096 424 and 376; with 8 packs a thread, 8192 x 16384, 376 and 547.
// With 8 packs of 2-byte elements it has 29 instructions an element instead of 41.
template <class T, class A, class R, bool FEW> struct jr_row_logsumexp {
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
            const A x = reducer.lift(item).greatest, term = jr_row_exp(x - greatest); // without branches: fewer instructions
            sum += x == greatest ? A(0) : term;
            equal += x == greatest;
        });
        return {greatest, others_of(sum, equal, group)};
    }
};
template <class T, class A, class R> struct jr_row_logsumexp<T, A, R, false> {
    template <class G>
    static __device__ __forceinline__ jr_accumulator of(const jr_reducer &reducer, const jr_row_held &held,
                                                        const jr_row &row, jr_u32 own, jr_u32 threads,
                                                        const G &group) {
        return group.combine(reducer, held.fold(reducer, row, own, threads));
    }
};
template <class T, class A, class R>
struct jr_row_total<jr_logsumexp<T, A, R>> : jr_row_logsumexp<T, A, R, (JR_UNROLL <= 4 || sizeof(JR_X) == 2)> {};
#endif

#if JR_OPERATORS_STATISTICS && !JR_KEPT && JR_INPUTS == 1 && !JR_SKIP_NAN && !jr_selects
// var and std, alone or after the mean: sums of differences from the row's first element (fold/moments.cuh), which is all
// that threads exchange.
struct jr_row_shifted {
    static __device__ __forceinline__ void add_lanes(jr_shifted &sums, jr_u32 lanes) {
#pragma unroll 1
        for (jr_u32 distance = lanes / 2; distance > 0; distance /= 2) {
            sums.sum += __shfl_xor_sync(jr_full_mask, sums.sum, distance);
            sums.squares += __shfl_xor_sync(jr_full_mask, sums.squares, distance);
        }
    }
    static __device__ __forceinline__ void add(jr_shifted &sums, const jr_row_lanes &group) {
        add_lanes(sums, group.lanes);
    }
    static __device__ __forceinline__ void add(jr_shifted &sums, const jr_row_block &group) {
        const jr_u32 from = threadIdx.x % jr_warp_lanes % jr_row_across;
        double *const room = (double *)group.shared.rooms[group.turn];
        add_lanes(sums, jr_warp_lanes);
        if (jr_row_warps == 1) return;
        if (threadIdx.x % jr_warp_lanes == 0) {
            room[threadIdx.x / jr_warp_lanes * 2] = sums.sum;
            room[threadIdx.x / jr_warp_lanes * 2 + 1] = sums.squares;
        }
        __syncthreads();
        sums.sum = from < jr_row_warps ? room[from * 2] : 0;
        sums.squares = from < jr_row_warps ? room[from * 2 + 1] : 0;
        add_lanes(sums, jr_row_across);
    }
    // x: of an item, as a double.
    template <class G, class F>
    static __device__ __forceinline__ jr_shifted of(const jr_row_held &held, const jr_row &row, jr_u32 own,
                                                    jr_u32 threads, const G &group, const F &x) {
        jr_shifted sums = {row.length > 0 ? x(row.item(row.x[0], 0)) : 0, 0, 0};
        held.each(row, own, threads, [&](const jr_item &item) { sums.add(x(item)); });
        add(sums, group);
        return sums;
    }
};
template <class O> struct jr_row_moments {
    template <class G>
    static __device__ __forceinline__ jr_accumulator of(const jr_reducer &reducer, const jr_row_held &held,
                                                        const jr_row &row, jr_u32 own, jr_u32 threads, const G &group) {
        return jr_row_shifted::of(held, row, own, threads, group,
                                  [&](const jr_item &item) { return reducer.lift(item).mean; })
            .moments((double)row.length, 1.0 / (double)row.length);
    }
};
template <class T, class A, class R> struct jr_row_total<jr_var<T, A, R>> : jr_row_moments<jr_var<T, A, R>> {};
template <class T, class A, class R> struct jr_row_total<jr_std<T, A, R>> : jr_row_moments<jr_std<T, A, R>> {};

template <class O> struct jr_row_mean_and_moments {
    template <class G>
    static __device__ __forceinline__ typename O::accumulator of(const jr_reducer &reducer, const jr_row_held &held,
                                                                 const jr_row &row, jr_u32 own, jr_u32 threads,
                                                                 const G &group) {
        const jr_shifted sums = jr_row_shifted::of(held, row, own, threads, group, [&](const jr_item &item) {
            const typename O::accumulator one = reducer.lift(item);
            const double x = one.first;
            return x;
        });
        const double count = (double)row.length;
        return {fma(sums.pivot, count, sums.sum), sums.moments(count, 1.0 / count)};
    }
};
template <class T, class R, class U, class B, class S>
struct jr_row_total<jr_both<jr_mean<T, double, R>, jr_var<U, B, S>>>
    : jr_row_mean_and_moments<jr_both<jr_mean<T, double, R>, jr_var<U, B, S>>> {};
template <class T, class R, class U, class B, class S>
struct jr_row_total<jr_both<jr_mean<T, double, R>, jr_std<U, B, S>>>
    : jr_row_mean_and_moments<jr_both<jr_mean<T, double, R>, jr_std<U, B, S>>> {};
#endif
