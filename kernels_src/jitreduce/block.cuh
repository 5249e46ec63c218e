// Parts for kernels of your own: reduce and scan a warp, a block, and all blocks of one launch, by this library's
// operators or by one of yours. Any program finds it: #include <jitreduce/block.cuh>.
//
//   typedef jr_sum<float, float, float> sum;                          // of T elements, in A, with results in R
//   typedef jitreduce::block<sum, 256> block;
//   __shared__ block::storage storage;
//   float total = sum::finish(block::reduce(sum::lift(x, i), storage), count, 0); // thread 0 has it
//
// An operator is a struct with a type `accumulator` and static functions identity() and combine(a, b), which must be
// associative; the library's have lift(x, index) and finish(total, count, ddof) besides. Operands always stand in the
// order of threads, so combine need not commute. Sizes are constants; a block may end in the middle of a warp.
// Storage is shared memory that no constructor fills: before it is used again all threads must pass a __syncthreads().
// Constants of one letter (T, A, R, O) break these headers, as they break CUDA's: they are names of templates there.
// The library's operators: operators/operators.cuh and what it includes.
// Sources: W. Hillis, G. Steele, "Data Parallel Algorithms" (1986); PTX ISA, "redux.sync", "Memory Consistency Model".
#pragma once

#include "jitreduce/warp.cuh"

namespace jitreduce {

// A block of Threads threads in one dimension; each of them takes part.
template <class Operator, u32 Threads> struct block {
    typedef typename Operator::accumulator accumulator;
    static_assert(Threads >= 1 && Threads <= 1024, "jitreduce::block: 1 to 1024 threads");
    static constexpr u32 warps = (Threads + 31) / 32, rest = Threads % 32;

    // Scans of many values of eight bytes wait for shuffles, two for each: of those one thread of eight scans eight values
    // in shared memory, and a warp of such threads 256 ("raking"). Behind each 128 bytes are 16 more: fewer bank conflicts.
    static constexpr u32 raked_values = 8, raked_group = 32 * raked_values, raked_bytes = Threads * 8 + Threads / 16 * 16;
    static constexpr bool is_raked = Threads % raked_group == 0 && Threads / raked_group > 1 && sizeof(accumulator) == 8;

    struct alignas(16) storage { // so that totals are loaded by vectors
        unsigned char bytes[is_raked ? raked_bytes : warps * sizeof(accumulator)];
        __device__ __forceinline__ accumulator *totals() { return (accumulator *)bytes; }
    };

    static __device__ __forceinline__ u32 warp_index() { return threadIdx.x / 32; }

    // The fold of all threads; thread 0 has it, the others have nothing.
    static __device__ __forceinline__ accumulator reduce(accumulator value, storage &shared) {
        value = reduce_warp(value);
        if (warps == 1) return value;
        accumulator *const own = own_total(shared);
        if (threadIdx.x % 32 == 0) *own = value;
        __syncthreads();
        if (warps > 16 && (redux<Operator>::has || sizeof(accumulator) > 4)) {
            if (threadIdx.x < warps) value = warp<Operator, warps>::reduce(own[threadIdx.x]);
        } else if (threadIdx.x == 0) { // loads that do not wait for each other are sooner there than shuffles
            value = fold_totals<0, warps>((const accumulator *)__builtin_assume_aligned(own, 16));
        }
        return value;
    }

    // The same; all threads have it.
    static __device__ __forceinline__ accumulator reduce_all(accumulator value, storage &shared) {
        value = reduce(value, shared);
        if (warps == 1) return shuffle<from::lane>(all_lanes, value, 0);
        if (threadIdx.x == 0) shared.totals()[0] = value;
        __syncthreads();
        return shared.totals()[0];
    }

    // The fold of each thread and all before it; *total, unless it is null: that of all threads.
    static __device__ __forceinline__ accumulator scan_inclusive(accumulator value, storage &shared, accumulator *total = nullptr) {
        if constexpr (is_raked) {
            const accumulator before = scan_raked(value, shared, total), own = *raked(shared, threadIdx.x);
            return threadIdx.x < raked_group ? own : Operator::combine(before, own);
        }
        const accumulator scanned = scan_warp(value);
        if (warps == 1) {
            if (total != nullptr) *total = shuffle<from::lane>(all_lanes, scanned, Threads - 1);
            return scanned;
        }
        const accumulator before = scan_totals(scanned, shared, total);
        return warp_index() == 0 ? scanned : Operator::combine(before, scanned);
    }

    // The fold of all before each thread; of thread 0 the identity.
    static __device__ __forceinline__ accumulator scan_exclusive(accumulator value, storage &shared, accumulator *total = nullptr) {
        if constexpr (is_raked) {
            const bool first = threadIdx.x % raked_group == 0;
            const accumulator before = scan_raked(value, shared, total), lower = *raked(shared, threadIdx.x - !first);
            if (threadIdx.x < raked_group) return first ? Operator::identity() : lower;
            return first ? before : Operator::combine(before, lower);
        }
        const accumulator scanned = scan_warp(value);
        const accumulator lower = shuffle<from::below>(all_lanes, scanned, 1);
        const bool first = threadIdx.x % 32 == 0;
        if (warps == 1) {
            if (total != nullptr) *total = shuffle<from::lane>(all_lanes, scanned, Threads - 1);
            return first ? Operator::identity() : lower;
        }
        const accumulator before = scan_totals(scanned, shared, total);
        if (warp_index() == 0) return first ? Operator::identity() : lower;
        return first ? before : Operator::combine(before, lower);
    }

    // Count values of each thread, thread by thread.
    template <u32 Count> static __device__ __forceinline__ accumulator reduce(const accumulator (&values)[Count], storage &shared) {
        return reduce(fold(values), shared);
    }
    template <u32 Count>
    static __device__ __forceinline__ void scan_inclusive(accumulator (&values)[Count], storage &shared, accumulator *total = nullptr) {
        accumulator before = scan_exclusive(fold(values), shared, total);
#pragma unroll
        for (u32 n = 0; n < Count; n++) values[n] = before = threadIdx.x == 0 && n == 0 ? values[0] : Operator::combine(before, values[n]);
    }
    template <u32 Count>
    static __device__ __forceinline__ void scan_exclusive(accumulator (&values)[Count], storage &shared, accumulator *total = nullptr) {
        accumulator before = scan_exclusive(fold(values), shared, total);
#pragma unroll
        for (u32 n = 0; n < Count; n++) {
            const accumulator value = values[n];
            values[n] = before;
            before = threadIdx.x == 0 && n == 0 ? value : Operator::combine(before, value);
        }
    }

  private:
    // Lanes of every warp but the last one; and of it where it is the only one.
    static constexpr u32 warp_lanes = warps == 1 && rest != 0 ? rest : 32;
    static constexpr u32 all_lanes = mask<warp_lanes>; // lanes that a short last warp lacks may be named, too
    static constexpr bool every_warp_has_lanes = rest == 0 || rest >= warps; // one for each total

    // Where the warp's total is. The shift is hidden from the compiler: it would else compute the address again from
    // threadIdx.x, a special register that takes tens of clocks, between the barrier and the load.
    static __device__ __forceinline__ accumulator *own_total(storage &shared) {
        u32 own;
        asm("shr.u32 %0, %1, 5;" : "=r"(own) : "r"(threadIdx.x));
        return shared.totals() + own;
    }
    static __device__ __forceinline__ bool in_last_warp() {
        return warps > 1 && rest != 0 && warp_index() == warps - 1;
    }
    static __device__ __forceinline__ accumulator reduce_warp(accumulator value) {
        if constexpr (warps == 1 || rest == 0)
            return warp<Operator, warp_lanes>::reduce(value);
        else
            return warp<Operator>::reduce_first(value, in_last_warp() ? rest : 32);
    }
    static __device__ __forceinline__ accumulator scan_warp(accumulator value) {
        return warp<Operator, warp_lanes>::scan_inclusive(value);
    }
    // The fold of the warps before a thread's, of which the first has none; and that of all.
    static __device__ __forceinline__ accumulator scan_totals(const accumulator &scanned, storage &shared, accumulator *total) {
        const u32 last = in_last_warp() ? rest - 1 : 31;
        accumulator *const own = own_total(shared);
        if (threadIdx.x % 32 == last) *own = scanned;
        __syncthreads();
        if (every_warp_has_lanes && redux<Operator>::has && warps > 4) {
            const u32 lane = threadIdx.x % 32;
            const accumulator one = lane < warps ? shared.totals()[lane] : Operator::identity();
            if (total != nullptr) *total = redux<Operator>::all(all_lanes, one);
            return redux<Operator>::all(all_lanes, lane < warp_index() ? one : Operator::identity());
        }
        if (every_warp_has_lanes && warps > 8 && warps <= 16 && sizeof(accumulator) <= 4) { // each scans them by itself
            const u32 lane = threadIdx.x % 32;
            const accumulator upto = scan_warp(shared.totals()[lane < warps ? lane : 0]);
            if (total != nullptr) *total = shuffle<from::lane>(all_lanes, upto, warps - 1);
            return shuffle<from::lane>(all_lanes, upto, warp_index() == 0 ? 0 : warp_index() - 1);
        }
        if (warps > 8) { // one warp scans them: sooner than every thread that folds so many
            if (threadIdx.x < warps) own[threadIdx.x] = warp<Operator, warps>::scan_inclusive(own[threadIdx.x]);
            __syncthreads();
            if (total != nullptr) *total = shared.totals()[warps - 1];
            return shared.totals()[warp_index() == 0 ? 0 : warp_index() - 1];
        }
        accumulator before = shared.totals()[0], all = before;
#pragma unroll
        for (u32 w = 1; w < warps; w++) {
            if (warp_index() == w) before = all;
            all = Operator::combine(all, shared.totals()[w]);
        }
        if (total != nullptr) *total = all;
        return before;
    }
    static __device__ __forceinline__ accumulator *raked(storage &shared, u32 thread) {
        return (accumulator *)(shared.bytes + thread * 8 + thread / 16 * 16);
    }
    // Leaves each value's fold with those before it in its group there, and returns the fold of the groups before a
    // thread's, of which the first has none.
    static __device__ __forceinline__ accumulator scan_raked(const accumulator &value, storage &shared, accumulator *total) {
        *raked(shared, threadIdx.x) = value;
        __syncthreads();
        if (threadIdx.x < Threads / raked_values) {
            accumulator *const lies = (accumulator *)__builtin_assume_aligned(raked(shared, threadIdx.x * raked_values), 16);
            accumulator own[raked_values];
#pragma unroll
            for (u32 n = 0; n < raked_values; n++) own[n] = n == 0 ? lies[0] : Operator::combine(own[n - 1], lies[n]);
            const accumulator scanned = scan_warp(own[raked_values - 1]);
            const accumulator before = shuffle<from::below>(all_lanes, scanned, 1);
#pragma unroll
            for (u32 n = 0; n < raked_values; n++) lies[n] = threadIdx.x % 32 == 0 ? own[n] : Operator::combine(before, own[n]);
        }
        __syncthreads();
        accumulator before = *raked(shared, raked_group - 1), all = before;
#pragma unroll
        for (u32 group = 1; group < Threads / raked_group; group++) {
            if (threadIdx.x / raked_group == group) before = all;
            all = Operator::combine(all, *raked(shared, group * raked_group + raked_group - 1));
        }
        if (total != nullptr) *total = all;
        return before;
    }
    // Folds the totals from Begin to End as a tree: each pair as soon as both are loaded.
    template <u32 Begin, u32 End> static __device__ __forceinline__ accumulator fold_totals(const accumulator *totals) {
        if constexpr (End - Begin == 1) {
            return totals[Begin];
        } else {
            constexpr u32 middle = Begin + (End - Begin + 1) / 2;
            const accumulator left = fold_totals<Begin, middle>(totals);
            return Operator::combine(left, fold_totals<middle, End>(totals));
        }
    }
    template <u32 Count> static __device__ __forceinline__ accumulator fold(const accumulator (&values)[Count]) {
        accumulator folded = values[0];
#pragma unroll
        for (u32 n = 1; n < Count; n++) folded = Operator::combine(folded, values[n]);
        return folded;
    }
};

} // namespace jitreduce

#include "jitreduce/grid.cuh"
