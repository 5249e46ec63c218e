// Windows: a thread's registers, in which most summands are added at the speed of plain additions, exactly or not at all.
//
// A window is a double a = 1.5 * 2^(g + 52) plus an exact multiple of 2^g. A tile of N summands below `limit` keeps a in
// its binade if g is high enough; then in
//     u = a + x, q = u - a, r = x - q
// q is what the window took of x, and r the rest, all of them exact. The rests go to a second window 53 bits below. If
// all rests in a warp are 0, the window took the tile exactly: the bits of a minus the anchor's are an integer, and are
// added as such. A tile that fails is added to the bins instead (exact_bins.cuh); after a second failure, some tiles in
// a row go to the bins without a trial. Source of the exact split: T. Dekker, "A Floating-Point Technique for Extending
// the Available Precision" (1971); of the anchors: J. Demmel, Y. Hida, "Fast and Accurate Floating Point Summation"
// (2004).
//
// All threads of a warp call these functions together.
#pragma once

#include "exact/exact_block.cuh"

constexpr jr_u32 jr_exact_tile = JR_UNROLL * jr_pack_elements; // summands of a thread

// The least k with 2^k >= n.
__device__ constexpr int jr_exact_log(jr_u32 n) {
    int k = 0;
    while ((1u << k) < n) k++;
    return k;
}

// The windows for one type of summands: restart(), fits() and spill(); raise() makes room for a greater summand.
template <class F> struct jr_exact_windows;

// One window: the sums of its bits, and how they get to the digits.
struct jr_exact_window {
    jr_u64 total; // sum of the bits of the windows that were taken
    jr_u32 count; // how many were taken
    int g;

    __device__ __forceinline__ double anchor() const { return jr_exact_anchor(g + 52); }
    __device__ __forceinline__ void spill(jr_exact_block &block) {
        if (count == 0) return;
        jr_exact_put(block, (long long)(total - count * jr_exact_bits(anchor())), g + jr_exact_base);
        total = 0;
        count = 0;
    }
    __device__ __forceinline__ void take(double window) {
        total += jr_exact_bits(window);
        count++;
    }
};

// Adds x to a window; returns the negated rest, so that a rest of 0 is never -0.
__device__ __forceinline__ double jr_exact_into(double &window, double x) {
    const double next = window + x, taken = next - window;
    window = next;
    return taken - x;
}
// The same for a square, with one rounding each; its root is converted here, so that no register keeps the double over
// the rare path.
__device__ __forceinline__ double jr_exact_into(double &window, jr_square x) {
    asm volatile("" : "+f"(x.root));
    const double root = x.root, next = __fma_rn(root, root, window), taken = next - window;
    window = next;
    return __fma_rn(-root, root, taken);
}
__device__ __forceinline__ jr_u32 jr_exact_nonzero(double rest) {
    return (jr_u32)__double2hiint(rest) | (jr_u32)__double2loint(rest);
}

__device__ __forceinline__ float jr_exact_greater(float a, float b) { // NaN if one of them is
    float greater;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(greater) : "f"(a), "f"(b));
    return greater;
}

// The upper word of |x|, as a float that orders like |x|; above 2^1017 it is NaN.
__device__ __forceinline__ float jr_exact_upper(double x) {
    return fabsf(__uint_as_float((jr_u32)__double2hiint(x)));
}
// The greatest of N, in this form.
template <jr_u32 N> __device__ __forceinline__ float jr_exact_greatest(const double (&x)[N]) {
    float greatest = 0;
#pragma unroll
    for (jr_u32 i = 0; i < N; i++) greatest = jr_exact_greater(greatest, jr_exact_upper(x[i]));
    return greatest;
}
template <jr_u32 N> __device__ __forceinline__ float jr_exact_greatest(const jr_square (&x)[N]) {
    float two[2] = {0, 0}; // two chains, for latency
#pragma unroll
    for (jr_u32 i = 0; i < N; i++) two[i % 2] = jr_exact_greater(two[i % 2], fabsf(x[i].root));
    return jr_exact_upper(jr_exact_value(jr_square{jr_exact_greater(two[0], two[1])}));
}

constexpr jr_u32 jr_exact_spill_after = 2048; // so many windows add up to less than 2^63 units

// f32: one window; a tile that it does not take is tried with two, whose bits reach from the first one's 52 bits to the
// least subnormal of most data; in the end the bins.
template <> struct jr_exact_windows<float> {
    enum mode_type { ONE, TWO, BINS };
    static constexpr jr_u32 in_a_row = 16; // tiles that are not tried
    jr_exact_window first, second;
    bool not_minus_zero;
    float limit;
    jr_u32 skip;
    int mode, raises;

    __device__ __forceinline__ void restart() {
        first = second = {0, 0, 0};
        not_minus_zero = false;
        limit = 0;
        skip = 0;
        mode = ONE;
        raises = 0;
    }
    __device__ __forceinline__ void spill(jr_exact_block &block) {
        first.spill(block);
        second.spill(block);
    }
    // Makes room for a greater summand. The margin grows with every call, so that calls stay few.
    __device__ __forceinline__ void raise(jr_u32 greatest) {
        constexpr int log = jr_exact_log(jr_exact_tile);
        const int wanted = (int)(greatest >> 23) - 125 + (raises < 6 ? raises : 6);
        const int exponent = wanted < -100 ? -100 : wanted > 128 ? 128 : wanted;
        raises++;
        limit = exponent >= 128 ? __uint_as_float(0x7f800000) : __uint_as_float((jr_u32)(exponent + 127) << 23);
        first.g = exponent + log - 52;
        second.g = first.g + log - 52 > -150 ? first.g + log - 52 : -150;
    }
    // True if a summand is so small that the windows would take few of its bits: a trial would fail. A summand of 0
    // decides nothing.
    template <jr_u32 N> __device__ __forceinline__ bool is_wide(const float (&x)[N]) {
        constexpr int few = 12;
        float own = fabsf(x[0]);
#pragma unroll
        for (jr_u32 i = 1; i < N; i++) own = fminf(own, fabsf(x[i]));
        const jr_u32 least = __reduce_min_sync(jr_full_mask, __float_as_uint(own));
        return least != 0 && (int)(least >> 23) - 150 + few < second.g;
    }
    template <jr_u32 N> __device__ __forceinline__ bool fits_one(const float (&x)[N]) {
        double chains[2] = {first.anchor(), first.anchor()};
        jr_u32 rest = 0;
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) rest |= jr_exact_nonzero(jr_exact_into(chains[i % 2], (double)x[i]));
        if (__any_sync(jr_full_mask, rest != 0)) return false;
        first.take(chains[0]);
        first.take(chains[1]);
        return true;
    }
    template <jr_u32 N> __device__ __forceinline__ bool fits_two(const float (&x)[N]) {
        double chains[2] = {first.anchor(), first.anchor()}, lower = second.anchor();
        jr_u32 rest = 0;
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) {
            float y = x[i];
            asm volatile("" : "+f"(y)); // converted again, rather than kept as a double over the rare path
            rest |= jr_exact_nonzero(jr_exact_into(lower, -jr_exact_into(chains[i % 2], (double)y)));
        }
        if (__any_sync(jr_full_mask, rest != 0)) return false;
        first.take(chains[0]);
        first.take(chains[1]);
        second.take(lower);
        return true;
    }
    // Sends a tile to the bins; `others`: also the tiles after it, which are expected to fail, too.
    __device__ __forceinline__ bool passing(bool others) {
        if (others) skip = in_a_row;
        mode = BINS;
        return false;
    }
    template <jr_u32 N> __device__ __forceinline__ bool fits(jr_exact_block &block, const float (&x)[N]) {
        if (skip > 0 && mode == BINS) {
            skip--;
            return false;
        }
        float two[2] = {0, 0}; // two chains, for latency
#pragma unroll
        for (jr_u32 i = 0; i < N; i++) two[i % 2] = jr_exact_greater(two[i % 2], fabsf(x[i]));
        const float greatest = jr_exact_greater(two[0], two[1]);
        const bool again = mode != ONE;
        const bool rises = __any_sync(jr_full_mask, !(greatest < limit));
        const jr_u32 most = rises ? __reduce_max_sync(jr_full_mask, __float_as_uint(greatest)) : 0;
        if (most >= 0x7f800000) return passing(mode == BINS);
        if (rises || first.count >= jr_exact_spill_after) spill(block);
        if (rises) raise(most);
        if (skip == 0 && mode != BINS && fits_one(x))
            mode = ONE;
        else {
            const bool wide = rises && is_wide(x);
            if (wide || !fits_two(x)) return passing(wide || again);
            skip = skip > 0 ? skip - 1 : again ? in_a_row : 0;
            mode = TWO;
        }
        if (greatest != 0) not_minus_zero = true;
        else
#pragma unroll
            for (jr_u32 i = 0; i < N; i++) not_minus_zero |= jr_exact_marks_of(x[i]) != 0;
        return true;
    }
};

// f64, and squares of f32: both windows from the start. Sizes are compared by their upper words.
template <> struct jr_exact_windows<double> {
    static constexpr jr_u32 in_a_row = 16, greatest_exponent = 980;
    jr_exact_window first, second;
    bool not_minus_zero, failed;
    float limit;
    jr_u32 skip;
    int raises;

    __device__ __forceinline__ void restart() {
        first = second = {0, 0, 0};
        not_minus_zero = failed = false;
        limit = 0;
        skip = 0;
        raises = 0;
    }
    __device__ __forceinline__ void spill(jr_exact_block &block) {
        first.spill(block);
        second.spill(block);
    }
    __device__ __forceinline__ void raise(jr_u32 greatest) {
        constexpr int log = jr_exact_log(jr_exact_tile);
        const int wanted = (int)(greatest >> 20) - 1021 + (raises < 10 ? raises : 10);
        const int exponent = wanted < -960 ? -960 : wanted;
        raises++;
        limit = __uint_as_float((jr_u32)(exponent + 1023) << 20);
        first.g = exponent + log - 52;
        second.g = first.g + log - 53;
    }
    template <class S, jr_u32 N> __device__ __forceinline__ bool fits_two(const S (&x)[N]) {
        double upper[2] = {first.anchor(), first.anchor()}, lower[2] = {second.anchor(), second.anchor()};
        jr_u32 rest = 0;
#pragma unroll
        for (jr_u32 i = 0; i < N; i++)
            rest |= jr_exact_nonzero(jr_exact_into(lower[i % 2], -jr_exact_into(upper[i % 2], x[i])));
        if (__any_sync(jr_full_mask, rest != 0)) return false;
#pragma unroll
        for (jr_u32 k = 0; k < 2; k++) {
            first.take(upper[k]);
            second.take(lower[k]);
        }
        return true;
    }
    __device__ __forceinline__ bool failing() {
        if (failed) skip = in_a_row;
        failed = true;
        return false;
    }
    template <class S, jr_u32 N> __device__ __forceinline__ bool fits(jr_exact_block &block, const S (&x)[N]) {
        if (skip > 0) {
            skip--;
            return false;
        }
        const float greatest = jr_exact_greatest(x);
        const bool rises = __any_sync(jr_full_mask, !(greatest < limit));
        const jr_u32 most = rises ? __reduce_max_sync(jr_full_mask, __float_as_uint(greatest)) : 0;
        if (most >= (greatest_exponent + 1023) << 20) return failing();
        if (rises || first.count >= jr_exact_spill_after) spill(block);
        if (rises) raise(most);
        if (!fits_two(x)) return failing();
        failed = false;
        if (greatest != 0) not_minus_zero = true;
        else
#pragma unroll
            for (jr_u32 i = 0; i < N; i++) not_minus_zero |= jr_exact_marks_of(x[i]) != 0;
        return true;
    }
};
template <> struct jr_exact_windows<jr_square> : jr_exact_windows<double> {};
