// What a thread keeps of var and std while it folds: merging moments takes a quotient each time, sums of differences from
// a pivot take none.
//
// The pivot is the first element. Whenever the count has doubled, it becomes the mean so far: then the sum of squares is at
// most three times that of the deviations from the mean, so that little cancels when the mean's share is taken off.
#pragma once

#include "fold/inputs.cuh"

struct jr_shifted {
    double pivot, sum, squares; // of x - pivot

    __device__ __forceinline__ void add(double x) {
        const double d = x - pivot;
        sum += d;
        squares = fma(d, d, squares);
    }
    // An infinite sum of squares stays infinite, as does the variance of what is so far apart.
    __device__ __forceinline__ double squares_less(double share) const {
        return squares - squares == 0 ? squares - share : squares;
    }
    // per: 1 / count.
    __device__ __forceinline__ void recentre(double count, double per) {
        const double mean = pivot + sum * per, by = mean - pivot, all = count * by;
        squares = squares_less(by * (2 * sum - all));
        sum -= all;
        pivot = mean;
    }
    __device__ __forceinline__ jr_moments moments(double count, double per) const {
        const double shift = sum * per, m2 = squares_less(sum * shift);
        return {count, pivot + shift, m2 < 0 ? 0 : m2};
    }
};

// The chains (fold/chain.cuh) of O: var or std.
template <class O> struct jr_shifted_chains {
    jr_shifted chain[JR_UNROLL];
    jr_u64 count, next; // elements so far, and at which count the pivot becomes their mean

    __device__ __forceinline__ void start(const jr_reducer &) {
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u] = {0, 0, 0};
        count = 0;
        next = 1;
    }
    // The first pack of all is taken.
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &, const jr_packs &packs, jr_u64, bool taken) {
        double x[jr_pack_elements];
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) x[k] = O::lift((JR_MAPPED)packs.item(k, 0).x, 0).mean;
        if (u == 0) {
            if (count == 0) put_pivot(x[0]);
            if (count >= next) recentre();
        }
        if (!taken) return;
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) chain[u].add(x[k]);
        count += jr_pack_elements;
    }
    __device__ __forceinline__ jr_moments end(const jr_reducer &) const {
        return count > 0 ? together().moments((double)count, 1 / (double)count) : O::identity();
    }

    __device__ __forceinline__ void put_pivot(double pivot) {
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++) chain[u].pivot = pivot;
    }
    __device__ __forceinline__ jr_shifted together() const {
        jr_shifted all = chain[0];
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) {
            all.sum += chain[u].sum;
            all.squares += chain[u].squares;
        }
        return all;
    }
    __device__ __forceinline__ void recentre() {
        chain[0] = together();
        chain[0].recentre((double)count, 1 / (double)count);
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) chain[u] = {chain[0].pivot, 0, 0};
        next = 2 * count;
    }
};
