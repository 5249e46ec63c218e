// apply_cluster: rows that a block's registers do not hold; the blocks of a cluster hold a row. Bytes: every element once,
// every result once. Launches: one. Source: PTX ISA, "barrier.cluster" and "mapa".
#include "apply/apply_row.cuh"

// What `shared` is in another block of the cluster.
__device__ __forceinline__ const void *jr_cluster_map(const void *shared, jr_u32 rank) {
    const void *there;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(shared), "r"(rank));
    return there;
}
__device__ __forceinline__ jr_u32 jr_cluster_rank() {
    jr_u32 rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ __forceinline__ void jr_cluster_arrive() {
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void jr_cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// The total of what the blocks left in their rooms; all threads have it.
__device__ __forceinline__ jr_accumulator jr_cluster_combine(const jr_reducer &reducer, const jr_accumulator *room) {
    const jr_u32 rank = threadIdx.x % JR_ROW_BLOCKS;
    return jr_row_combine_lanes(reducer, *(const jr_accumulator *)jr_cluster_map(room, rank), JR_ROW_BLOCKS);
}

extern "C" __global__ void __cluster_dims__(JR_ROW_BLOCKS, 1, 1) __launch_bounds__(JR_BLOCK)
    jr_apply_cluster(const __grid_constant__ jr_row_cut rows, const __grid_constant__ jr_call call) {
    __shared__ jr_row_shared shared;
    __shared__ __align__(16) unsigned char room[sizeof(jr_accumulator)];
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u32 own = jr_cluster_rank() * JR_BLOCK + threadIdx.x, threads = JR_ROW_BLOCKS * JR_BLOCK;
#pragma unroll 1
    for (jr_u64 r = blockIdx.x / JR_ROW_BLOCKS; r < rows.count; r += gridDim.x / JR_ROW_BLOCKS) {
        const jr_row row(rows, r);
        jr_row_held held;
        jr_results results;
        held.load(row, own, threads);
        const jr_accumulator mine =
            jr_row_combine_block(reducer, held.fold(reducer, row, own, threads), shared, 0);
        if (threadIdx.x == 0) *(jr_accumulator *)room = mine;
        jr_cluster_arrive();
        jr_cluster_wait();
        const jr_accumulator total = jr_cluster_combine(reducer, (const jr_accumulator *)room);
        jr_cluster_arrive(); // others may write what comes next, or end
        jr_row_finish(results, reducer, total, row.length);
        held.apply(call, row, own, threads, results);
        jr_cluster_wait();
    }
}
