// Meeting: the states of a group's devices, pushed into slots of all of them and folded by each in the same order.
//
// As in reduce/collect.cuh, each 32-bit word of a state is in a 64-bit word together with a mark, so relaxed accesses
// are enough, here of system scope. The mark is the run's number, so nothing is cleared. Two runs' slots take turns: a
// device that pushes run n + 2 has folded run n + 1, for which every other one had to fold run n first.
#pragma once

#define JR_PUSH(to, value) asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory")
#define JR_HEAR(value, from)                                                                                           \
    asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory")

__device__ __forceinline__ jr_u64 jr_now() {
    jr_u64 ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

// Has somebody said that there is nothing to wait for, or is it too late? Then who was missed is left for the host.
__device__ __forceinline__ bool jr_gives_up(const jr_peers *peers, jr_u32 missed, jr_u64 since) {
    jr_u32 leave;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(leave) : "l"(peers->leave) : "memory");
    if (leave != 0) return true;
    if (peers->limit_ns == 0 || jr_now() - since < peers->limit_ns) return false;
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(peers->leave + 1 + peers->index), "r"(missed + 1)
                 : "memory");
    asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(peers->leave), "r"(1) : "memory");
    return true;
}

// How many states are asked for at once: a trip to the L2 cache each would be what takes longest.
constexpr jr_u32 jr_heard_together = jr_accumulator_words <= 2 ? 4 : 1;
struct jr_heard {
    jr_u64 words[jr_heard_together][jr_accumulator_words];
};

// Waits for the states of devices from `first` on, but for this one's, and reads them; false: it gave up. apart: from a
// word to the next one.
__device__ __forceinline__ bool jr_hear(const jr_peers *peers, const jr_u64 *slots, jr_u32 epoch, jr_u32 first,
                                        jr_u64 apart, jr_heard &heard) {
    constexpr jr_u32 looks = 1024; // before it is asked whether to go on
    const jr_u32 count = peers->count, own = peers->index;
    jr_u64 since = 0;
#pragma unroll 1
    for (jr_u32 look = 1;; look++) {
        jr_u32 missed = count;
#pragma unroll
        for (jr_u32 u = 0; u < jr_heard_together; u++)
            if (first + u < count && first + u != own)
#pragma unroll(jr_unrolled_words<jr_accumulator>)
                for (jr_u32 w = 0; w < jr_accumulator_words; w++)
                    JR_HEAR(heard.words[u][w], slots + ((jr_u64)(first + u) * jr_accumulator_words + w) * apart);
#pragma unroll
        for (jr_u32 u = 0; u < jr_heard_together; u++)
            if (first + u < count && first + u != own)
#pragma unroll(jr_unrolled_words<jr_accumulator>)
                for (jr_u32 w = 0; w < jr_accumulator_words; w++)
                    if ((jr_u32)(heard.words[u][w] >> 32) != epoch) missed = first + u;
        if (missed == count) return true;
        if (look % looks > 0) continue;
        if (since == 0) since = jr_now();
        if (jr_gives_up(peers, missed, since)) return false;
    }
}

// Gives this device's state to the others and folds those of all, neighbours first as reduce/finish.cu does. One thread
// of the device. Returns false when it has no result: another one was not heard of, or it is the first device alone that
// collects.
__device__ __forceinline__ bool jr_meet(const jr_combiner &combiner, jr_accumulator &state) {
    constexpr jr_u32 levels = 7; // of a tree of JR_PEERS_MAX
    jr_peers *peers = (jr_peers *)combiner.call.mark;
    const jr_u32 epoch = peers->epoch, count = peers->count, own = peers->index;
    const jr_u64 *slots = peers->slots[own] + (jr_u64)(epoch % 2) * count * jr_accumulator_words;
    jr_accumulator_bits bits;
    jr_accumulator open[levels]; // folds of 1, 2, 4, ... states: there where that bit of their number is set
    bits.value = state;
#pragma unroll 1
    for (jr_u32 to = 0; to < (peers->collects ? 1 : count); to++) {
        if (to == own) continue;
        jr_u64 *slot = peers->slots[to] + ((jr_u64)(epoch % 2) * count + own) * jr_accumulator_words;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
        for (jr_u32 w = 0; w < jr_accumulator_words; w++) JR_PUSH(slot + w, (jr_u64)epoch << 32 | bits.words[w]);
    }
    peers->epoch = epoch + 1;
    if (peers->collects && own > 0) return false;
#pragma unroll 1
    for (jr_u32 first = 0; first < count; first += jr_heard_together) {
        jr_heard heard;
        if (!jr_hear(peers, slots, epoch, first, 1, heard)) return false;
#pragma unroll
        for (jr_u32 u = 0; u < jr_heard_together; u++) {
            const jr_u32 i = first + u;
            if (i >= count) break;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
            for (jr_u32 w = 0; w < jr_accumulator_words; w++) bits.words[w] = (jr_u32)heard.words[u][w];
            jr_accumulator fold = i == own ? state : bits.value;
            jr_u32 level = 0;
#pragma unroll 1
            for (jr_u32 before = i; before & 1; before >>= 1) fold = combiner.combine(open[level++], fold);
            open[level] = fold;
        }
    }
    jr_u32 level = 0;
    while (!(count >> level & 1)) level++;
    state = open[level];
#pragma unroll 1
    while (++level < levels)
        if (count >> level & 1) state = combiner.combine(open[level], state);
    return true;
}

// Tells the host, where it waits for the first device, that the result is written.
__device__ __forceinline__ void jr_tell_met(const jr_call &call) {
    jr_u32 *mark = ((const jr_peers *)call.mark)->mark;
    if (mark) asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(mark), "r"(1) : "memory");
}
