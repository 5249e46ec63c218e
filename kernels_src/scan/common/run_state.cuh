// The state of a scan of runs: the fold of the elements since the last run start, inclusive, and the number of run
// starts, which numbers the runs.
#pragma once

#include "scan/common/heads.cuh"

#if JR_PLACED
#define JR_LAST(value) , value
#else
#define JR_LAST(value)
#endif

// The state over one tile, or at most as many tiles as a block has threads; without a run start, the fold of all
// elements.
struct JR_COMPOUND_OF(jr_accumulator) jr_run {
    jr_member<jr_accumulator> of;
    jr_u32 heads;
#if JR_PLACED
    jr_u64 last; // the number of the last head
#endif
};
static_assert(sizeof(jr_run) == JR_RUN_BYTES(JR_ACCUMULATOR_BYTES, JR_PLACED), "runs: not the host's size");
JR_SHUFFLE_STATE(jr_run)

// Of all tiles before one.
struct JR_COMPOUND_OF(jr_accumulator) jr_runs_before {
    jr_member<jr_accumulator> of;
    jr_u64 heads;
#if JR_PLACED
    jr_u64 last;
#endif
};

struct jr_run_reducer {
    const jr_reducer &reducer;

    __device__ __forceinline__ jr_run identity() const { return {reducer.identity(), 0 JR_LAST(0)}; }
    __device__ __forceinline__ jr_accumulator fold(const jr_accumulator a, const jr_run &b) const {
        const jr_accumulator other = b.of;
        return b.heads ? other : reducer.combine(a, other);
    }
    __device__ __forceinline__ jr_run combine(const jr_run &a, const jr_run &b) const {
        return {fold(a.of, b), a.heads + b.heads JR_LAST(b.heads ? b.last : a.last)};
    }
    __device__ __forceinline__ jr_runs_before combine(const jr_runs_before &a, const jr_run &b) const {
        return {fold(a.of, b), a.heads + b.heads JR_LAST(b.heads ? b.last : a.last)};
    }
    // One more element; number: of it among all.
    __device__ __forceinline__ jr_run take(const jr_run &running, const jr_accumulator &lifted, bool head,
                                           jr_u64 number) const {
        const jr_accumulator one = running.of;
        if (head) return {lifted, running.heads + 1 JR_LAST(number)};
        return {reducer.combine(one, lifted), running.heads JR_LAST(running.last)};
    }
};
