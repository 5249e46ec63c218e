// All blocks of a launch, for kernels of your own: the second half of jitreduce/block.cuh, which includes it.
#pragma once

namespace jitreduce {

// All blocks of one launch, of Threads threads each, in one dimension. They hand their folds on in slots of device
// memory: 32 bits of a fold and a mark in one 64-bit word, so that a thread that reads the mark has the bits.
// workspace: workspace_words(blocks) 64-bit words, zero before the first launch and zero again after each; one for each
// launch that may be under way at the same time. Blocks wait only for blocks of lower numbers (reduce: block 0 for all
// others, which wait for none), so any grid ends where blocks begin in the order of their numbers or all have room at
// once: devices begin them so, but nothing promises it. Scans read all lower slots and are for grids of about one wave.
template <class Operator, u32 Threads> struct grid {
    typedef typename Operator::accumulator accumulator;
    typedef jitreduce::block<Operator, Threads> block;
    typedef typename block::storage storage;

    static __host__ __device__ constexpr u64 workspace_words(u64 blocks) { return 1 + blocks * words<accumulator>::count; }

    // The fold of all threads of all blocks, in their order; true in the thread that has it (the first of block 0).
    static __device__ __forceinline__ bool reduce(accumulator value, storage &shared, u64 *workspace, accumulator *total) {
        value = block::reduce(value, shared);
        if (blockIdx.x > 0) {
            if (threadIdx.x == 0) put(workspace, blockIdx.x, value);
            return false;
        }
        accumulator others = Operator::identity(); // of the blocks that a thread takes, which are neighbours
        const u32 share = (gridDim.x - 1 + Threads - 1) / Threads, first = 1 + threadIdx.x * share;
        for (u32 b = first; b < first + share && b < gridDim.x; b++) {
            const accumulator taken = take(workspace, b);
            others = b == first ? taken : Operator::combine(others, taken);
            clear(workspace, b);
        }
        __syncthreads(); // the storage is used again
        others = block::reduce(others, shared);
        *total = gridDim.x > 1 ? Operator::combine(value, others) : value;
        return threadIdx.x == 0;
    }

    // The fold of all threads before a thread, of all blocks; of the very first one the identity.
    static __device__ __forceinline__ accumulator scan_exclusive(accumulator value, storage &shared, u64 *workspace) {
        accumulator own;
        const accumulator within = block::scan_exclusive(value, shared, &own);
        const accumulator before = scan_blocks(own, shared, workspace);
        return blockIdx.x == 0 ? within : threadIdx.x == 0 ? before : Operator::combine(before, within);
    }
    // The same with the thread's own value.
    static __device__ __forceinline__ accumulator scan_inclusive(accumulator value, storage &shared, u64 *workspace) {
        accumulator own;
        const accumulator within = block::scan_inclusive(value, shared, &own);
        const accumulator before = scan_blocks(own, shared, workspace);
        return blockIdx.x == 0 ? within : Operator::combine(before, within);
    }

  private:
    static __device__ __forceinline__ u64 *slot(u64 *workspace, u32 index) {
        return workspace + 1 + (u64)index * words<accumulator>::count;
    }
    static __device__ __forceinline__ void put(u64 *workspace, u32 index, const accumulator &value) {
        words<accumulator> bits;
        bits.value = value;
#pragma unroll
        for (u32 w = 0; w < words<accumulator>::count; w++)
            asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(slot(workspace, index) + w),
                         "l"(1ull << 32 | bits.word[w])
                         : "memory");
    }
    static __device__ __forceinline__ void clear(u64 *workspace, u32 index) {
#pragma unroll
        for (u32 w = 0; w < words<accumulator>::count; w++)
            asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(slot(workspace, index) + w), "l"(0ull) : "memory");
    }
    // Waits for a block's fold. All words are asked for at once.
    static __device__ __forceinline__ accumulator take(u64 *workspace, u32 index) {
        words<accumulator> bits;
        u64 ready;
#pragma unroll 1
        do {
            ready = 1ull << 32;
#pragma unroll
            for (u32 w = 0; w < words<accumulator>::count; w++) {
                u64 word;
                asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(slot(workspace, index) + w) : "memory");
                bits.word[w] = (u32)word;
                ready &= word;
            }
        } while (!ready);
        return bits.value;
    }
    // The fold of all blocks before this one, of which the first has none. The last block to be done clears all slots.
    static __device__ __forceinline__ accumulator scan_blocks(const accumulator &own, storage &shared, u64 *workspace) {
        if (threadIdx.x == 0) put(workspace, blockIdx.x, own);
        const u32 share = (blockIdx.x + Threads - 1) / Threads, first = threadIdx.x * share;
        accumulator lower = Operator::identity();
        for (u32 b = first; b < first + share && b < blockIdx.x; b++) {
            const accumulator taken = take(workspace, b);
            lower = b == first ? taken : Operator::combine(lower, taken);
        }
        __syncthreads(); // the storage is used again
        lower = block::reduce_all(lower, shared);
        leave(workspace);
        return lower;
    }
    static __device__ __forceinline__ void leave(u64 *workspace) {
        __shared__ bool last;
        __threadfence(); // slots were read before it is said so
        __syncthreads();
        if (threadIdx.x == 0) last = atomicAdd((unsigned long long *)workspace, 1ull) == gridDim.x - 1;
        __syncthreads();
        if (!last) return;
        __threadfence();
        for (u64 w = threadIdx.x; w < workspace_words(gridDim.x); w += Threads) workspace[w] = 0;
    }
};

} // namespace jitreduce
