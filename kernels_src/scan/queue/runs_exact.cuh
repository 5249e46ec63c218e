// Runs of equal keys of exact sums, whose states lie in memory: a thread has one a pack, and two to combine with, and all
// is done to them where they lie. Values are combined, and runs numbered, as by runs.cuh.
#pragma once

#include "operators/exact_place.cuh"
#include "scan/common/queue.cuh"
#include "scan/common/run_state.cuh"

typedef jr_bits<jr_run> jr_run_words;
constexpr jr_u32 jr_heads_word = jr_accumulator_words; // the word of a state after its sums
typedef jr_place<jr_operator> jr_placed;

__device__ __forceinline__ jr_accumulator &jr_sums_of(jr_run_words &of) {
    return *(jr_accumulator *)&of.value.of;
}
__device__ __forceinline__ const jr_accumulator &jr_sums_of(const jr_run_words &of) {
    return *(const jr_accumulator *)&of.value.of;
}

// The members of a state besides its sums.
struct jr_run_marks {
    jr_u64 heads;
    jr_u64 last; // the number of the last head, if JR_PLACED
};
__device__ __forceinline__ jr_u64 jr_last_of(const jr_run_words &of) {
#if JR_PLACED
    return of.value.last;
#else
    return 0;
#endif
}
__device__ __forceinline__ void jr_mark(jr_run_words &of, jr_u32 heads, jr_u64 last) {
    of.value.heads = heads;
#if JR_PLACED
    of.value.last = last;
#endif
}

// The sums of all tiles before one, as the next part gets them.
__device__ __forceinline__ jr_accumulator &jr_sums_of(jr_runs_before &of) {
    return *(jr_accumulator *)&of.of;
}

// to: the sums that another lane has, by a shuffle.
#define JR_SHUFFLE_SUMS(name, instruction)                                                                             \
    template <jr_u32 N> __device__ __forceinline__ void name##_together(jr_u32 *to, const jr_u32 *from, jr_u32 by) {   \
        jr_u32 words[N];                                                                                               \
        _Pragma("unroll") for (jr_u32 k = 0; k < N; k++) words[k] = from[k];                                           \
        _Pragma("unroll") for (jr_u32 k = 0; k < N; k++) to[k] = instruction(jr_full_mask, words[k], by);              \
    }                                                                                                                  \
    __device__ __forceinline__ void name(jr_run_words &to, const jr_run_words &from, jr_u32 by) {                      \
        constexpr jr_u32 whole = jr_accumulator_words / jr_words_together * jr_words_together;                         \
        _Pragma("unroll 1") for (jr_u32 w = 0; w < whole; w += jr_words_together)                                      \
            name##_together<jr_words_together>(to.words + w, from.words + w, by);                                      \
        if constexpr (jr_accumulator_words > whole)                                                                    \
            name##_together<jr_accumulator_words - whole>(to.words + whole, from.words + whole, by);                   \
    }
JR_SHUFFLE_SUMS(jr_sums_up, __shfl_up_sync)
JR_SHUFFLE_SUMS(jr_sums_down, __shfl_down_sync)
JR_SHUFFLE_SUMS(jr_sums_from, __shfl_sync)

__device__ __forceinline__ void jr_copy_sums(jr_run_words &to, const jr_run_words &from) {
    jr_copy_in_place<jr_accumulator_words>(to.words, from.words);
}

__device__ __forceinline__ void jr_copy_run(jr_run_words &to, const jr_run_words &from) {
    jr_copy_in_place<jr_run_words::count>(to.words, from.words);
}

// Scans one state per lane over the lanes of a warp: each becomes the fold of all lower lanes' states and its own.
// below: scratch. Sums are shuffled only where a lane needs them.
__device__ __forceinline__ void jr_scan_run_lanes(jr_run_words &own, jr_run_words &below) {
    jr_u32 heads = own.value.heads;
    jr_u64 last = jr_last_of(own);
#pragma unroll 1
    for (jr_u32 distance = 1; distance < jr_warp_lanes; distance *= 2) {
        const bool has = jr_lane() >= distance, takes = has && heads == 0;
        const jr_u32 heads_below = __shfl_up_sync(jr_full_mask, heads, distance);
        if (__any_sync(jr_full_mask, takes)) {
            jr_sums_up(below, own, distance);
            if (takes) jr_placed::prepend(jr_sums_of(own), jr_sums_of(below));
        }
        const jr_u64 last_below = JR_PLACED ? __shfl_up_sync(jr_full_mask, last, distance) : 0;
        if (takes) last = last_below;
        if (has) heads += heads_below;
    }
    jr_mark(own, heads, last);
}

// Appends a state to another one.
__device__ __forceinline__ void jr_append_state(jr_run_words &to, const jr_run_words &from) {
    const jr_u32 heads = from.value.heads;
    if (heads)
        jr_copy_sums(to, from);
    else
        jr_placed::append(jr_sums_of(to), jr_sums_of(from));
    jr_mark(to, to.value.heads + heads, heads ? jr_last_of(from) : jr_last_of(to));
}

// Words of a tile's total in its slot: each is stored with the launch's epoch, so that words can be stored and loaded
// one by one.
__device__ __forceinline__ void jr_put_total(const jr_queue &queue, jr_u32 tile, jr_u32 epoch, const jr_run_words &total) {
    jr_u64 *const slot = jr_queue_slot<jr_run>(queue, tile);
    const jr_u64 mark = (jr_u64)epoch << 32;
#pragma unroll 1
    for (jr_u32 w = threadIdx.x; w < jr_run_words::count; w += JR_BLOCK)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(slot + w), "l"(mark | total.words[w]) : "memory");
}
template <jr_u32 N>
__device__ __forceinline__ void jr_ask_words(const jr_u64 *slot, jr_u32 epoch, jr_u32 *to) {
    jr_u64 words[N];
    bool there = false;
#pragma unroll 1
    while (!there) {
        there = true;
#pragma unroll
        for (jr_u32 k = 0; k < N; k++)
            asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(words[k]) : "l"(slot + k) : "memory");
#pragma unroll
        for (jr_u32 k = 0; k < N; k++) there &= (jr_u32)(words[k] >> 32) == epoch;
    }
#pragma unroll
    for (jr_u32 k = 0; k < N; k++) to[k] = (jr_u32)words[k];
}
__device__ __forceinline__ void jr_ask_sums(const jr_queue &queue, jr_u32 tile, jr_u32 epoch, jr_run_words &to) {
    constexpr jr_u32 whole = jr_accumulator_words / jr_words_together * jr_words_together;
    const jr_u64 *const slot = jr_queue_slot<jr_run>(queue, tile);
#pragma unroll 1
    for (jr_u32 w = 0; w < whole; w += jr_words_together)
        jr_ask_words<jr_words_together>(slot + w, epoch, to.words + w);
    if constexpr (jr_accumulator_words > whole)
        jr_ask_words<jr_accumulator_words - whole>(slot + whole, epoch, to.words + whole);
}
// Reads these members for N tiles, JR_BLOCK apart, and waits for the tiles before `end`.
template <jr_u32 N>
__device__ __forceinline__ void jr_ask_marks(const jr_queue &queue, jr_u32 first, jr_u32 end, jr_u32 epoch,
                                             jr_run_marks (&marks)[N]) {
    constexpr jr_u32 count = jr_run_words::count - jr_heads_word;
    jr_u64 words[N][count];
    bool there = false;
#pragma unroll 1
    while (!there) {
        there = true;
#pragma unroll
        for (jr_u32 n = 0; n < N; n++) {
            const jr_u32 tile = first + n * JR_BLOCK < end ? first + n * JR_BLOCK : first;
#pragma unroll
            for (jr_u32 k = 0; k < count; k++)
                asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                             : "=l"(words[n][k])
                             : "l"(jr_queue_slot<jr_run>(queue, tile) + jr_heads_word + k)
                             : "memory");
        }
#pragma unroll
        for (jr_u32 n = 0; n < N; n++)
#pragma unroll
            for (jr_u32 k = 0; k < count; k++) there &= (jr_u32)(words[n][k] >> 32) == epoch;
    }
#pragma unroll
    for (jr_u32 n = 0; n < N; n++)
        marks[n] = {(jr_u32)words[n][0], JR_PLACED ? words[n][count - 1] << 32 | (jr_u32)words[n][1 % count] : 0};
}
