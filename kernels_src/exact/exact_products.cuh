// Windows and bins of products of doubles: of two factors the product and what it rounds off are two doubles, whose sum is
// the product (an fma gives the second), wherever neither leaves the range of f64. They take three windows in a row, of 52
// bits each. What does not fit goes to the bins as an integer of 106 bits.
// Source of the split: T. Ogita, S. Rump, S. Oishi, "Accurate Sum and Dot Product" (2005), TwoProductFMA.
//
// All threads of a warp call these together.
#pragma once

#include "exact/exact_bins.cuh"
#include "exact/exact_windows.cuh"

// Columns of words as those of f64, with two lanes of a warp to each; a product takes seven of its digits.
template <> struct jr_exact_bins<jr_product> {
    static constexpr jr_u32 count = 235, bits = 18, flush_after = (1 << 12) / 8, lanes = jr_warp_lanes / 2,
                            column = count * lanes;
    static_assert(column * sizeof(int) <= 128 * JR_EXACT_THREAD_BYTES, "abi.h: JR_EXACT_THREAD_BYTES is too small");
    int *all, *own;
    jr_u32 marks;

    __device__ __forceinline__ void start(void *room) {
        all = (int *)room;
        own = all + threadIdx.x / jr_warp_lanes % (JR_BLOCK / 128) * column + threadIdx.x % lanes;
        marks = 0;
#pragma unroll 1
        for (jr_u32 i = threadIdx.x; i < JR_BLOCK / 128 * column / 4; i += JR_BLOCK) ((uint4 *)room)[i] = {};
    }
    // Called, and without the bins: of what they lie in nothing must leave the registers. Returns the product's marks.
    static __device__ __noinline__ jr_u32 add_one(int *own, double x, double y) {
        const jr_exact_term term = jr_exact_product(jr_exact_term_of(x), jr_exact_term_of(y));
        const jr_u32 place = (jr_u32)(term.exponent + 2148), digit = place / bits, by = place - digit * bits;
        const jr_u32 marked = jr_exact_marks_of(jr_product{x, y});
        if (!(term.low | term.high)) return marked; // of what is not finite, too
        const jr_u64 low = term.low << by, high = term.high << by | (term.low >> 1) >> (63 - by);
        const jr_u32 words[5] = {(jr_u32)low, (jr_u32)(low >> 32), (jr_u32)high, (jr_u32)(high >> 32), 0};
        const int sign = term.negative ? -1 : 0;
#pragma unroll
        for (jr_u32 k = 0; k < 7; k++) {
            const jr_u32 at = k * bits, piece = __funnelshift_r(words[at / 32], words[at / 32 + 1], at % 32) & 0x3ffff;
            atomicAdd(own + (digit + k) * lanes, ((int)piece ^ sign) - sign);
        }
        return marked;
    }
    template <jr_u32 N> __device__ __forceinline__ void add(const jr_product (&x)[N]) {
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) marks |= add_one(own, x[i].x, x[i].y);
    }
    // All threads, between barriers: a thread takes a digit of all columns.
    __device__ __forceinline__ void flush(jr_exact_block &block) {
        jr_exact_mark(block, marks);
        __syncthreads();
#pragma unroll 1
        for (jr_u32 digit = threadIdx.x; digit < count; digit += JR_BLOCK) {
            long long total = 0;
#pragma unroll 1
            for (jr_u32 k = 0; k < JR_BLOCK / 128 * lanes; k++) {
                int *const from = all + k / lanes * column + digit * lanes + (digit + k) % lanes; // skewed over the banks
                total += *from;
                *from = 0;
            }
            if (total != 0) jr_exact_put_one(block, total, (int)(bits * digit) + jr_exact_base - 2148);
        }
        __syncthreads();
    }
};

// Sizes of products are compared by their upper words, as floats: what is 2^1017 or more is NaN. What an fma rounds off of
// a product of 2^-960 or more is a double.
template <> struct jr_exact_windows<jr_product> {
    static constexpr jr_u32 in_a_row = 16, greatest_exponent = 980, least_field = 1023 - 960;
    jr_exact_window first, second, third;
    bool not_minus_zero, failed;
    float limit;
    jr_u32 skip;
    int raises;

    __device__ __forceinline__ void restart() {
        first = second = third = {0, 0, 0};
        not_minus_zero = failed = false;
        limit = 0;
        skip = 0;
        raises = 0;
    }
    __device__ __forceinline__ void spill(jr_exact_block &block) {
        first.spill(block);
        second.spill(block);
        third.spill(block);
    }
    // Half of the N summands below 2^exponent go to each chain, with what they round off. The second window takes as
    // many rests of the first window (at most half a unit of it) and as many rounding errors (less than a quarter).
    __device__ __forceinline__ void raise(jr_u32 greatest) {
        constexpr int log = jr_exact_log(jr_exact_tile);
        const int wanted = (int)(greatest >> 20) - 1021 + (raises < 10 ? raises : 10);
        const int exponent = wanted < -940 ? -940 : wanted;
        raises++;
        limit = __uint_as_float((jr_u32)(exponent + 1023) << 20);
        first.g = exponent + log - 52;
        second.g = first.g + log - 52;
        third.g = second.g + log - 52;
    }
    template <jr_u32 N>
    __device__ __forceinline__ bool fits_three(const jr_product (&x)[N], const double (&products)[N]) {
        double upper[2] = {first.anchor(), first.anchor()}, middle[2] = {second.anchor(), second.anchor()};
        double lower[2] = {third.anchor(), third.anchor()};
        jr_u32 rest = 0;
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) {
            const double off = __fma_rn(x[i].x, x[i].y, -products[i]);
            rest |= jr_exact_nonzero(jr_exact_into(middle[i % 2], -jr_exact_into(upper[i % 2], products[i])));
            rest |= jr_exact_nonzero(jr_exact_into(lower[i % 2], -jr_exact_into(middle[i % 2], off)));
        }
        if (__any_sync(jr_full_mask, rest != 0)) return false;
#pragma unroll
        for (jr_u32 k = 0; k < 2; k++) {
            first.take(upper[k]);
            second.take(middle[k]);
            third.take(lower[k]);
        }
        return true;
    }
    __device__ __forceinline__ bool failing() {
        if (failed) skip = in_a_row;
        failed = true;
        return false;
    }
    // Is a product too small for what it rounds off, and not 0 as a factor is?
    template <jr_u32 N>
    __device__ __forceinline__ bool underflows(const jr_product (&x)[N], const double (&products)[N]) {
        const float least_taken = __uint_as_float(least_field << 20);
        float least = least_taken;
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) least = fminf(least, jr_exact_upper(products[i]));
        if (!__any_sync(jr_full_mask, least < least_taken)) return false;
        bool found = false;
#pragma unroll
        for (jr_u32 i = 0; i < N; i++)
            found |= jr_exact_upper(products[i]) < least_taken && x[i].x != 0 && x[i].y != 0;
        return __any_sync(jr_full_mask, found);
    }
    template <jr_u32 N> __device__ __forceinline__ bool fits(jr_exact_block &block, const jr_product (&x)[N]) {
        if (skip > 0) {
            skip--;
            return false;
        }
        double products[N];
        float greatest = 0;
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) {
            products[i] = __dmul_rn(x[i].x, x[i].y);
            greatest = jr_exact_greater(greatest, jr_exact_upper(products[i]));
        }
        const bool rises = __any_sync(jr_full_mask, !(greatest < limit));
        const jr_u32 most = rises ? __reduce_max_sync(jr_full_mask, __float_as_uint(greatest)) : 0;
        if (most >= (greatest_exponent + 1023) << 20 || underflows(x, products)) return failing();
        if (rises || first.count >= jr_exact_spill_after) spill(block);
        if (rises) raise(most);
        if (!fits_three(x, products)) return failing();
        failed = false;
        if (greatest != 0) not_minus_zero = true;
        else
#pragma unroll
            for (jr_u32 i = 0; i < N; i++) not_minus_zero |= jr_exact_marks_of(products[i]) != 0;
        return true;
    }
};
