// Bulk copies: the copy engine of a multiprocessor copies tiles into shared memory, and completes an mbarrier for each.
//
// Source: PTX ISA, "Data Movement and Conversion Instructions: Bulk copy" and "Parallel Synchronization: mbarrier".
#pragma once

#include "core/types.cuh"

__device__ __forceinline__ jr_u32 jr_shared_address(const void *shared) {
    return (jr_u32)__cvta_generic_to_shared(shared);
}

// One thread makes a barrier for so many arrivals per phase; jr_bulk_fence then makes all of them visible to the copy
// engine.
__device__ __forceinline__ void jr_bulk_init(jr_u64 *barrier, jr_u32 arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(jr_shared_address(barrier)), "r"(arrivals) : "memory");
}
// Orders the reads and writes of shared memory before it, initialised barriers included, before later bulk copies.
__device__ __forceinline__ void jr_bulk_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Starts a copy of `bytes`, a multiple of 16, between addresses aligned to 16; the barrier's phase ends when the copy
// has arrived. One thread calls it, which counts as the barrier's arrival.
__device__ __forceinline__ void jr_bulk_copy(void *to, const void *from, jr_u32 bytes, jr_u64 *barrier) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(jr_shared_address(barrier)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     jr_shared_address(to)),
                 "l"(from), "r"(bytes), "r"(jr_shared_address(barrier))
                 : "memory");
}

// The same, with a policy of jr_bulk_policy for the L2 cache.
__device__ __forceinline__ void jr_bulk_copy(void *to, const void *from, jr_u32 bytes, jr_u64 *barrier, jr_u64 policy) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(jr_shared_address(barrier)), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], %4;" ::
                     "r"(jr_shared_address(to)), "l"(from), "r"(bytes), "r"(jr_shared_address(barrier)), "l"(policy)
                 : "memory");
}

// A policy for the L2 cache. leave_first: the copied bytes are evicted before others; else they are evicted as any
// others.
__device__ __forceinline__ jr_u64 jr_bulk_policy(bool leave_first) {
    jr_u64 first, usual;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(usual));
    return leave_first ? first : usual;
}

// Starts a copy from shared memory to global memory of what was written before jr_bulk_fence; only the calling thread
// can wait for it. The rules for bytes and addresses are those of jr_bulk_copy.
__device__ __forceinline__ void jr_bulk_store(void *to, const void *from, jr_u32 bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
                 "cp.async.bulk.commit_group;" ::"l"(to),
                 "r"(jr_shared_address(from)), "r"(bytes)
                 : "memory");
}
// Waits until all stores of the thread but the last LEFT have read what they copy.
template <int LEFT> __device__ __forceinline__ void jr_bulk_wait_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(LEFT) : "memory");
}

// Prefetches bytes into the L2 cache; nothing reports when they are there. The rules for bytes and address are those of
// a copy. Needs compute capability 9.0.
__device__ __forceinline__ void jr_bulk_fetch(const void *from, jr_u32 bytes) {
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
}

__device__ __forceinline__ void jr_bulk_arrive(jr_u64 *barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(jr_shared_address(barrier)) : "memory");
}

// True if the barrier's phase with this parity has ended.
__device__ __forceinline__ bool jr_bulk_has_ended(jr_u64 *barrier, jr_u32 parity) {
    jr_u32 ended;
    asm volatile("{\n"
                 ".reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "}"
                 : "=r"(ended)
                 : "r"(jr_shared_address(barrier)), "r"(parity)
                 : "memory");
    return ended;
}

// Waits until the barrier's phase with this parity has ended.
__device__ __forceinline__ void jr_bulk_wait(jr_u64 *barrier, jr_u32 parity) {
    jr_u32 ended;
    do asm volatile("{\n"
                    ".reg .pred p;\n"
                    "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                    "selp.u32 %0, 1, 0, p;\n"
                    "}"
                    : "=r"(ended)
                    : "r"(jr_shared_address(barrier)), "r"(parity)
                    : "memory");
    while (!ended);
}

// The tile number in a slot of the ring that gets no more tiles.
constexpr jr_u32 jr_no_tile = 0xffffffffu;

// Steps through the slots of a ring. at: the slot's index; parity: of the phase in which the slot's barriers are.
struct jr_ring_place {
    jr_u32 at, parity;
    __device__ __forceinline__ void advance() {
        at++;
        if (at < JR_STAGES) return;
        at = 0;
        parity ^= 1;
    }
};
