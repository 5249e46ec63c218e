// atomic: each block folds its share and combines it into one total with an atomic; the last block to come finishes.
//
// Source: the atomic sum of PyCUDA courses ("works, but slowly"), one atomic a block instead of one an element.
#include "fold/combine.cuh"
#include "fold/load.cuh"

// The total: one accumulator in global memory, into which any block combines at any time, in one atomic where there is
// one for the operator.
//
// It holds the accumulator's bits, exclusive-or those of the identity: cleared memory is the identity of every operator,
// and a minimum (and) of the accumulators is a maximum (or) of unsigned totals. Floats are not: sums of f32 by atomics in
// global memory make zeros of subnormals (PTX ISA, "atom"), so only those of f64 are native. Their total holds the sum as
// it is, begun at +0: it is -0 where no block had anything else.
constexpr jr_u32 jr_total_words = jr_accumulator_words < 2 ? 2 : jr_accumulator_words;

struct jr_total {
    jr_u32 arrived; // blocks
    jr_u32 lock;    // 1: a block works on the bits
    jr_u64 seen;    // of sums of f64: 1 when a block had something else than -0
    union {
        jr_u64 bits;
        jr_u32 words[jr_total_words];
    };
};
static_assert(sizeof(jr_total) == JR_TOTAL_BYTES(sizeof(jr_accumulator)), "total: not of the host's size");

enum jr_total_way { jr_way_add, jr_way_add_f64, jr_way_or, jr_way_xor, jr_way_maximum, jr_way_exchange, jr_way_lock };

// Is A an integer?
template <class A> __device__ constexpr bool jr_is_whole() {
    return A(1) / A(2) == A(0);
}
// How an operator is applied to a total, by the operators that it is one of.
__device__ constexpr jr_total_way jr_way_of(const void *) {
    return sizeof(jr_accumulator) <= 8 ? jr_way_exchange : jr_way_lock;
}
template <class T, class A, class R> __device__ constexpr jr_total_way jr_way_of(const jr_sum<T, A, R> *) {
    return jr_is_whole<A>() ? jr_way_add : sizeof(A) == 8 ? jr_way_add_f64 : jr_way_exchange;
}
template <class T, class A, class R> struct jr_and; // defined only where it is the operator, or one of them
template <class T, class A, class R> struct jr_or;
template <class T, class A, class R> struct jr_xor;
template <class T, class A, class R> __device__ constexpr jr_total_way jr_way_of(const jr_and<T, A, R> *) {
    return jr_way_or;
}
template <class T, class A, class R> __device__ constexpr jr_total_way jr_way_of(const jr_or<T, A, R> *) {
    return jr_way_or;
}
template <class T, class A, class R> __device__ constexpr jr_total_way jr_way_of(const jr_xor<T, A, R> *) {
    return jr_way_xor;
}
template <class T, class A, class R, int SIGN> struct jr_extremum; // as above
template <class T, class A, class R, int SIGN>
__device__ constexpr jr_total_way jr_way_of(const jr_extremum<T, A, R, SIGN> *) {
    return jr_is_whole<jr_accumulator>() ? jr_way_maximum : jr_way_exchange;
}
#if JR_OPERATORS_STATISTICS
// Its identity is 0, which is not the least value of a signed integer.
template <class T, class A, class R> __device__ constexpr jr_total_way jr_way_of(const jr_norminf<T, A, R> *) {
    return jr_way_exchange;
}
#endif
constexpr jr_total_way jr_way = jr_way_of((const jr_operator *)0);

constexpr jr_u64 jr_minus_zero = 1ull << 63;

// What word w of a total's accumulator is where the total's is clear.
__device__ __forceinline__ jr_u32 jr_cleared(const jr_accumulator_bits &identity, jr_u32 w) {
    return jr_way == jr_way_add_f64 ? 0 : identity.words[w];
}

// An accumulator to and from the bits of a total.
__device__ __forceinline__ jr_accumulator jr_total_decode(const jr_reducer &reducer,
                                                         const jr_u32 (&words)[jr_total_words]) {
    jr_accumulator_bits identity, bits;
    identity.value = reducer.identity();
#pragma unroll(jr_unrolled_words<jr_accumulator>)
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) bits.words[w] = words[w] ^ jr_cleared(identity, w);
    return bits.value;
}
__device__ __forceinline__ void jr_total_encode(const jr_reducer &reducer, jr_accumulator value,
                                                jr_u32 (&words)[jr_total_words]) {
    jr_accumulator_bits identity, bits;
    identity.value = reducer.identity();
    bits.value = value;
    words[1] = 0;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
    for (jr_u32 w = 0; w < jr_accumulator_words; w++) words[w] = bits.words[w] ^ jr_cleared(identity, w);
}
__device__ __forceinline__ jr_u64 jr_total_encode(const jr_reducer &reducer, jr_accumulator value) {
    jr_u32 words[jr_total_words];
    jr_total_encode(reducer, value, words);
    return (jr_u64)words[1] << 32 | words[0];
}

// Compare and swap until nobody came in between.
__device__ __forceinline__ void jr_total_exchange(const jr_reducer &reducer, jr_total *total, jr_accumulator value) {
    jr_u64 seen = *(volatile jr_u64 *)&total->bits, expected;
    do {
        const jr_u32 words[jr_total_words] = {(jr_u32)seen, (jr_u32)(seen >> 32)};
        expected = seen;
        seen = atomicCAS(&total->bits, expected,
                         jr_total_encode(reducer, reducer.combine(jr_total_decode(reducer, words), value)));
    } while (seen != expected);
}

// Reads all words, past caches that do not see other blocks' stores.
__device__ __forceinline__ jr_accumulator jr_total_read(const jr_reducer &reducer, jr_total *total) {
    jr_u32 words[jr_total_words];
#pragma unroll
    for (jr_u32 w = 0; w < jr_total_words; w++) words[w] = ((volatile jr_u32 *)total->words)[w];
    return jr_total_decode(reducer, words);
}

// One thread of a block at a time waits here, so nobody waits for a lane of its own warp.
__device__ __forceinline__ void jr_total_locked(const jr_reducer &reducer, jr_total *total, jr_accumulator value) {
    jr_u32 words[jr_total_words];
    while (atomicCAS(&total->lock, 0, 1) != 0) {}
    __threadfence();
    jr_total_encode(reducer, reducer.combine(jr_total_read(reducer, total), value), words);
#pragma unroll
    for (jr_u32 w = 0; w < jr_total_words; w++) ((volatile jr_u32 *)total->words)[w] = words[w];
    __threadfence();
    atomicExch(&total->lock, 0);
}

// Combines a block's value into the total. One thread of a block.
__device__ __forceinline__ void jr_total_combine(const jr_reducer &reducer, jr_total *total, jr_accumulator value) {
    if (jr_way == jr_way_exchange) return jr_total_exchange(reducer, total, value);
    if (jr_way == jr_way_lock) return jr_total_locked(reducer, total, value);
    const jr_u64 bits = jr_total_encode(reducer, value);
    if (jr_way == jr_way_add) atomicAdd(&total->bits, bits);
    if (jr_way == jr_way_add_f64) {
        atomicAdd((double *)&total->bits, __longlong_as_double((long long)bits));
        if (bits != jr_minus_zero) *(volatile jr_u64 *)&total->seen = 1;
    }
    if (jr_way == jr_way_or) atomicOr(&total->bits, bits);
    if (jr_way == jr_way_xor) atomicXor(&total->bits, bits);
    if (jr_way == jr_way_maximum) atomicMax(&total->bits, bits);
}

// Takes the total when all blocks have combined into it, and clears it.
__device__ __forceinline__ jr_accumulator jr_total_take(const jr_reducer &reducer, jr_total *total) {
    if (jr_way == jr_way_add_f64) {
        if (*(volatile jr_u64 *)&total->seen == 0) *(volatile jr_u64 *)&total->bits = jr_minus_zero;
        total->seen = 0;
    }
    const jr_accumulator value = jr_total_read(reducer, total);
#pragma unroll
    for (jr_u32 w = 0; w < jr_total_words; w++) total->words[w] = 0;
    return value;
}

// in: the input. out: the result. total: all clear, and clear again when the kernel ends.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_reduce_atomic(const __grid_constant__ jr_cut in, void *out, jr_total *total,
                     const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_accumulator share = jr_fold_share(reducer, in, blockIdx.x, gridDim.x);
    const jr_accumulator sum = jr_combine_block(reducer, share, jr_block_cache());
    if (threadIdx.x > 0) return;
    jr_total_combine(reducer, total, sum);
    __threadfence();
    // The counter returns to 0 by itself.
    if (atomicInc(&total->arrived, gridDim.x - 1) < gridDim.x - 1) return;
    __threadfence();
    reducer.write(out, jr_total_take(reducer, total), call.count);
}
