// segmented_parts_meet: joins segments of which each device of a group has a part. Each device pushes its states into
// slots of all devices (operators/meet.cuh), and joins the states that it receives like segmented_parts_join. A thread
// pushes all of its states before it waits, and all blocks of the grid are resident at once, so there is no deadlock.
// The slots: for each of two alternating runs and each device, one plane per word of a state, in which neighbouring
// segments are next to each other. Bytes: one state per segment, and twice as many for each other device; one result
// per segment. Launches: this one.
#include "segmented/join/shares.cuh"

static_assert(JR_STATE == 3, "contract: of plans whose states meet");

// Joins the states of one segment, of all devices; false: a device's state has not arrived.
__device__ __forceinline__ bool jr_join_met(const jr_reducer &reducer, const jr_peers *peers, const jr_u64 *slots,
                                            jr_u32 epoch, jr_u64 apart, const jr_accumulator &mine,
                                            jr_accumulator &joined) {
    const jr_u32 devices = peers->count, own = peers->index;
    joined = reducer.identity();
#pragma unroll 1
    for (jr_u32 first = 0; first < devices; first += jr_column_unroll) {
        jr_accumulator terms[jr_column_unroll];
#pragma unroll
        for (jr_u32 part = 0; part < jr_column_unroll; part += jr_heard_together) {
            jr_heard heard;
            if (first + part < devices && !jr_hear(peers, slots, epoch, first + part, apart, heard)) return false;
#pragma unroll
            for (jr_u32 u = 0; u < jr_heard_together; u++) {
                const jr_u32 i = first + part + u;
                jr_accumulator_bits bits;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
                for (jr_u32 w = 0; w < jr_accumulator_words; w++) bits.words[w] = (jr_u32)heard.words[u][w];
                terms[part + u] = i >= devices ? reducer.identity() : i == own ? mine : bits.value;
            }
        }
        joined = reducer.combine(joined, jr_term_pairs<jr_column_unroll>::fold(reducer, terms));
    }
    return true;
}

// out: one result per segment, result_bytes apart. states: `count` states of this device. epoch: the number of the run,
// the same on all devices. call.count: elements of a segment; call.mark: the device's jr_peers.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_parts_meet(void *out, const jr_accumulator *states, jr_u64 count, jr_u64 result_bytes, jr_u32 epoch,
                            const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_peers *const peers = (const jr_peers *)call.mark;
    const jr_u32 devices = peers->count, own = peers->index;
    const jr_u64 turn = (jr_u64)(epoch % 2) * devices * jr_accumulator_words * count;
    const jr_u64 first = (jr_u64)blockIdx.x * JR_BLOCK + threadIdx.x, step = (jr_u64)gridDim.x * JR_BLOCK;
#pragma unroll 1
    for (jr_u64 at = first; at < count; at += step) {
        jr_accumulator_bits bits;
        bits.value = states[at];
#pragma unroll 1
        for (jr_u32 to = 0; to < devices; to++) {
            if (to == own) continue;
            jr_u64 *const slot = peers->slots[to] + turn + own * jr_accumulator_words * count + at;
#pragma unroll(jr_unrolled_words<jr_accumulator>)
            for (jr_u32 w = 0; w < jr_accumulator_words; w++)
                JR_PUSH(slot + w * count, (jr_u64)epoch << 32 | bits.words[w]);
        }
    }
#pragma unroll 1
    for (jr_u64 at = first; at < count; at += step) {
        jr_accumulator joined;
        if (!jr_join_met(reducer, peers, peers->slots[own] + turn + at, epoch, count, states[at], joined)) return;
        reducer.write_one((jr_u8 *)out + at * result_bytes, joined, call.count);
    }
}
