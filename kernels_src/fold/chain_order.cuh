// Chains of minima and maxima of f64: plain comparisons, half the instructions of ranks (limits.cuh). What these leave
// out, NaNs and the order of zeros, is noted for all chains together and made up for at the end.
#pragma once

template <class R, int SIGN> struct jr_chains<jr_extremum<double, double, R, SIGN>> {
    double chain[JR_UNROLL];
    jr_u32 signs; // the sign bit: does one element have it (minima), or do all (maxima)?
    jr_u32 nans;  // 1: there was one

    static __device__ __forceinline__ double better(double a, double b) { return (SIGN ? a < b : b < a) ? b : a; }
    __device__ __forceinline__ void start(const jr_reducer &) {
        signs = SIGN ? jr_full_mask : 0;
        nans = 0;
#pragma unroll
        for (jr_u32 u = 0; u < JR_UNROLL; u++)
            chain[u] = SIGN ? jr_limits<double>::lowest() : jr_limits<double>::highest();
    }
    // Whether the pack is taken makes no difference: one that is not is another one twice.
    __device__ __forceinline__ void fold(jr_u32 u, const jr_reducer &, const jr_packs &packs, jr_u64, bool) {
        const double a = packs.x.elements[0], b = packs.x.elements[1];
        const jr_u32 high[2] = {(jr_u32)__double2hiint(a), (jr_u32)__double2hiint(b)};
        chain[u] = better(chain[u], better(a, b));
        signs = SIGN ? signs & high[0] & high[1] : signs | high[0] | high[1];
        asm("{\n\t.reg .pred is_nan;\n\tsetp.nan.f64 is_nan, %1, %2;\n\t@is_nan mov.u32 %0, 1;\n\t}"
            : "+r"(nans)
            : "d"(a), "d"(b));
    }
    __device__ __forceinline__ jr_accumulator end(const jr_reducer &) const {
        double total = chain[0];
#pragma unroll
        for (jr_u32 u = 1; u < JR_UNROLL; u++) total = better(total, chain[u]);
        // A minimum of 0 has no negative elements beside it, but maybe zeros with a sign; a maximum the other way round.
        if (total == 0) total = signs >> 31 ? -0.0 : 0.0;
        if (nans) total = jr_limits<double>::nan();
        return jr_rank<double, SIGN>::of(total);
    }
};
