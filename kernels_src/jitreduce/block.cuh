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

    struct alignas(16) storage { // so that totals are loaded by vectors
        unsigned char bytes[warps * sizeof(accumulator)];
        __device__ __forceinline__ accumulator *totals() { return (accumulator *)bytes; }
    };

    static __device__ __forceinline__ u32 warp_index() { return threadIdx.x / 32; }

    // The fold of all threads; thread 0 has it, the others have nothing.
    static __device__ __forceinline__ accumulator reduce(accumulator value, storage &shared) {
        value = in_last_warp() ? warp<Operator, rest == 0 ? 32 : rest>::reduce(value) : warp<Operator, warp_lanes>::reduce(value);
        if (warps == 1) return value;
        if (threadIdx.x % 32 == 0) shared.totals()[warp_index()] = value;
        __syncthreads();
        if (warps <= 16) { // loads that do not wait for each other are sooner there than shuffles
            if (threadIdx.x == 0)
#pragma unroll
                for (u32 w = 1; w < warps; w++) value = Operator::combine(value, shared.totals()[w]);
        } else if (threadIdx.x < warps) {
            value = warp<Operator, warps>::reduce(shared.totals()[threadIdx.x]);
        }
        return value;
    }

    // The same; all threads have it.
    static __device__ __forceinline__ accumulator reduce_all(accumulator value, storage &shared) {
        value = reduce(value, shared);
        if (warps == 1) return shuffle<from::lane>(mask<warp_lanes>, value, 0);
        if (threadIdx.x == 0) shared.totals()[0] = value;
        __syncthreads();
        return shared.totals()[0];
    }

    // The fold of each thread and all before it; *total, unless it is null: that of all threads.
    static __device__ __forceinline__ accumulator scan_inclusive(accumulator value, storage &shared, accumulator *total = nullptr) {
        const accumulator scanned = scan_warp(value);
        if (warps == 1) {
            if (total != nullptr) *total = shuffle<from::lane>(mask<warp_lanes>, scanned, Threads - 1);
            return scanned;
        }
        const accumulator before = scan_totals(scanned, shared, total);
        return warp_index() == 0 ? scanned : Operator::combine(before, scanned);
    }

    // The fold of all before each thread; of thread 0 the identity.
    static __device__ __forceinline__ accumulator scan_exclusive(accumulator value, storage &shared, accumulator *total = nullptr) {
        const accumulator scanned = scan_warp(value);
        const u32 lanes = own_lanes();
        const accumulator lower = shuffle<from::below>(lanes, scanned, 1);
        const bool first = threadIdx.x % 32 == 0;
        if (warps == 1) {
            if (total != nullptr) *total = shuffle<from::lane>(lanes, scanned, Threads - 1);
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

    static __device__ __forceinline__ bool in_last_warp() {
        return warps > 1 && rest != 0 && warp_index() == warps - 1;
    }
    // Of a thread's warp, as a mask.
    static __device__ __forceinline__ u32 own_lanes() {
        return in_last_warp() ? mask<rest == 0 ? 32 : rest> : mask<warp_lanes>;
    }
    static __device__ __forceinline__ accumulator scan_warp(accumulator value) {
        return warp<Operator, warp_lanes>::scan_inclusive(value, own_lanes());
    }
    // The fold of the warps before a thread's, of which the first has none; and that of all.
    static __device__ __forceinline__ accumulator scan_totals(const accumulator &scanned, storage &shared, accumulator *total) {
        const u32 last = in_last_warp() ? rest - 1 : 31;
        if (threadIdx.x % 32 == last) shared.totals()[warp_index()] = scanned;
        __syncthreads();
        if (warps > 8) { // one warp scans them: sooner than every thread that folds so many
            if (threadIdx.x < warps)
                shared.totals()[threadIdx.x] = warp<Operator, warps>::scan_inclusive(shared.totals()[threadIdx.x]);
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
    template <u32 Count> static __device__ __forceinline__ accumulator fold(const accumulator (&values)[Count]) {
        accumulator folded = values[0];
#pragma unroll
        for (u32 n = 1; n < Count; n++) folded = Operator::combine(folded, values[n]);
        return folded;
    }
};

} // namespace jitreduce

#include "jitreduce/grid.cuh"
