// Bins: where summands go that do not fit a thread's windows. JR_EXACT_FLUSH summands a thread can be put until they
// must be flushed to the block's digits. Shared memory: JR_EXACT_THREAD_BYTES a thread (abi.h).
#pragma once

#include "exact/exact_block.cuh"

template <class F> struct jr_exact_bins;

// f32: 16 sums of doubles a thread, one for 16 exponents each. Bin k has multiples of 2^(16 k - base), at most 2^39 of them
// a summand: 2^12 are exact.
template <> struct jr_exact_bins<float> {
    static constexpr jr_u32 count = 16, flush_after = 1 << 12;
    double *own;

    __device__ __forceinline__ void start(void *room) {
        own = (double *)room + threadIdx.x;
#pragma unroll
        for (jr_u32 k = 0; k < count; k++) own[k * JR_BLOCK] = -0.0;
    }
    // By pairs, whose loads go together: where both go to one bin, the second one takes the first with it.
    template <jr_u32 N> __device__ __forceinline__ void add(const float (&x)[N]) {
        static_assert(N % 2 == 0, "a pack has an even number of floats");
#pragma unroll
        for (jr_u32 i = 0; i < N; i += 2) {
            double *const a = bin_of(x[i]), *const b = bin_of(x[i + 1]);
            const double in_a = *a, in_b = *b, p = (double)x[i], q = (double)x[i + 1];
            *a = in_a + p;
            *b = in_b + (a == b ? p + q : q);
        }
    }
    // All threads, between barriers: a warp takes a bin of all threads at a time.
    __device__ __forceinline__ void flush(jr_exact_block &block) { flush_all(own - threadIdx.x, block); }

private:
    __device__ __forceinline__ double *bin_of(float x) const {
        return own + (__float_as_uint(x) >> 27 & 15) * JR_BLOCK;
    }
    static __device__ __noinline__ void flush_all(double *bins, jr_exact_block &block) {
        constexpr jr_u32 each = JR_BLOCK / jr_warp_lanes;
        jr_u32 marks = 0;
#pragma unroll 1
        for (jr_u32 k = threadIdx.x / jr_warp_lanes; k < count; k += each) {
            const double anchor = jr_exact_anchor(16 * (int)k - jr_exact_base + 52);
            double *const from = bins + k * JR_BLOCK + threadIdx.x % jr_warp_lanes;
            double special = -0.0; // NaN or infinite if some are
            jr_u64 sum = 0 - each * jr_exact_bits(anchor);
            jr_u32 set = 0;        // is one not -0?
#pragma unroll
            for (jr_u32 t = 0; t < each; t++) {
                const double x = from[t * jr_warp_lanes];
                from[t * jr_warp_lanes] = -0.0;
                special += x;
                sum += jr_exact_bits(x + anchor);
                set |= ((jr_u32)__double2hiint(x) ^ 0x80000000) | (jr_u32)__double2loint(x);
            }
            marks |= (jr_exact_marks_of(special) & ~JR_EXACT_NOT_MINUS_ZERO) | (set ? JR_EXACT_NOT_MINUS_ZERO : 0);
            if (__any_sync(jr_full_mask, set != 0)) jr_exact_put(block, (long long)sum, 16 * (int)k);
        }
        jr_exact_mark(block, marks);
        __syncthreads();
    }
};

// f64: columns of words, shared by four warps; digit j of a column has 18 bits of a summand, which takes four. A lane has
// a column of its own, so that no two of a warp meet in a bank; the atomics return nothing, so nobody waits for them.
template <> struct jr_exact_bins<double> {
    static constexpr jr_u32 count = 118, bits = 18, flush_after = (1 << 12) / 4, column = count * jr_warp_lanes;
    int *all, *own;
    jr_u32 marks;
    double sum; // -0 as long as all are; not finite after a summand that is not

    __device__ __forceinline__ void start(void *room) {
        all = (int *)room;
        own = all + threadIdx.x / jr_warp_lanes % (JR_BLOCK / 128) * column + threadIdx.x % jr_warp_lanes;
        marks = 0;
        sum = -0.0;
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < JR_BLOCK / 128 * column / 4; i += JR_BLOCK) ((uint4 *)room)[i] = {};
    }
    __device__ __forceinline__ void add_one(double x) {
        const jr_u32 high = (jr_u32)__double2hiint(x), low = (jr_u32)__double2loint(x), field = high & 0x7ff00000;
        const jr_u32 least = field < 0x100000 ? field : 0x100000; // of a subnormal number 0
        const jr_u32 top = (high & 0xfffff) | least, exponent = (field - least) >> 20;
        const jr_u32 digit = (exponent * 3641) >> 16, by = exponent - digit * bits; // a division by 18
        const jr_u32 a = low << by, b = __funnelshift_l(low, top, by), c = __funnelshift_l(top, 0, by);
        const jr_u32 sign = (jr_u32)((int)high >> 31), mask = (1u << bits) - 1;
        // -x is all of its 72 bits turned, and 1: below the highest piece each bit that is turned is worth what it was.
        // Pieces that anchors take from x by additions of doubles are fewer instructions, but 2^28 elements of all exponents
        // took 499 us so on an H200, and not 478.
        const jr_u32 pieces[4] = {((a ^ sign) & mask) - sign, (__funnelshift_l(a, b, 14) ^ sign) & mask,
                                  (b >> 4 ^ sign) & mask, __funnelshift_l(b, c, 10) ^ sign};
        int *const at = (int *)((char *)own + digit * (jr_u32)(jr_warp_lanes * sizeof(int)));
        sum += x;
#pragma unroll
        for (jr_u32 k = 0; k < 4; k++) atomicAdd(at + k * jr_warp_lanes, (int)pieces[k]);
    }
    template <class S, jr_u32 N> __device__ __forceinline__ void add(const S (&x)[N]) {
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) add_one(jr_exact_value(x[i]));
        if (sum - sum == 0) return;
        sum = 1; // it may have overflown, too
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) marks |= jr_exact_marks_of(x[i]);
    }
    // All threads, between barriers: a thread takes a digit, or a part of the lanes of one, of all columns.
    __device__ __forceinline__ void flush(jr_exact_block &block) {
        constexpr jr_u32 lanes = jr_warp_lanes / (JR_BLOCK / 128);
        const jr_u32 digit = threadIdx.x % 128, first = threadIdx.x / 128 * lanes + digit; // skewed over the banks
        long long total = 0;
        jr_exact_mark(block, marks | (jr_exact_bits(sum) == 1ull << 63 ? 0 : JR_EXACT_NOT_MINUS_ZERO));
        __syncthreads();
        if (digit < count) {
#pragma unroll 1
            for (jr_u32 c = 0; c < JR_BLOCK / 128; c++) {
#pragma unroll
                for (jr_u32 k = 0; k < lanes; k++) {
                    int *const from = all + c * column + digit * jr_warp_lanes + (first + k) % jr_warp_lanes;
                    total += *from;
                    *from = 0;
                }
            }
        }
        if (total != 0) jr_exact_put_one(block, total, (int)(bits * digit) + 1);
        __syncthreads();
    }
};
template <> struct jr_exact_bins<jr_square> : jr_exact_bins<double> {};
