// segmented_parts_reach: joins segments of which each device of a group has a part. A device loads the states of its
// share of the segments from the memory of all devices, joins them as segmented_parts_join does, and stores the results
// in the memory of all devices.
//
// Bytes: per segment, one state from each device and one result to each device. Launches: this one.
#include "segmented/join/shares.cuh"

// Segments that a thread joins at a time: loads of several are in flight, since other devices' memory answers late.
constexpr jr_u32 jr_reached = jr_accumulator_words <= 2 ? 4 : 1;

// Loads the states of up to jr_column_unroll devices from `device` on, of the segment `at`.
__device__ __forceinline__ void jr_reach_states(const jr_reach &reach, jr_u32 device, jr_u64 at,
                                                jr_accumulator (&states)[jr_column_unroll]) {
#pragma unroll
    for (jr_u32 u = 0; u < jr_column_unroll; u++)
        if (device + u < reach.count) states[u] = ((const jr_accumulator *)reach.states[device + u])[at];
}

__device__ __forceinline__ void jr_join_reached(const jr_reducer &reducer, jr_u32 left,
                                                const jr_accumulator (&states)[jr_column_unroll],
                                                jr_accumulator &joined) {
    jr_accumulator terms[jr_column_unroll];
#pragma unroll
    for (jr_u32 u = 0; u < jr_column_unroll; u++) terms[u] = u < left ? states[u] : reducer.identity();
    joined = reducer.combine(joined, jr_term_pairs<jr_column_unroll>::fold(reducer, terms));
}

// reach: states and results of all devices. The share: count segments from `first` on, result_bytes from one result to
// the next. call.count: elements of a segment.
extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_segmented_parts_reach(const __grid_constant__ jr_reach reach, jr_u64 first, jr_u64 count, jr_u64 result_bytes,
                             const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_reducer reducer{{{}, call}};
    const jr_u64 step = (jr_u64)gridDim.x * JR_BLOCK;
#pragma unroll 1
    for (jr_u64 at = (jr_u64)blockIdx.x * JR_BLOCK + threadIdx.x; at < count; at += step * jr_reached) {
        jr_accumulator joined[jr_reached];
#pragma unroll
        for (jr_u32 n = 0; n < jr_reached; n++) joined[n] = reducer.identity();
#pragma unroll 1
        for (jr_u32 device = 0; device < reach.count; device += jr_column_unroll) {
            jr_accumulator states[jr_reached][jr_column_unroll];
#pragma unroll
            for (jr_u32 n = 0; n < jr_reached; n++)
                if (at + n * step < count) jr_reach_states(reach, device, first + at + n * step, states[n]);
#pragma unroll
            for (jr_u32 n = 0; n < jr_reached; n++)
                if (at + n * step < count) jr_join_reached(reducer, reach.count - device, states[n], joined[n]);
        }
#pragma unroll
        for (jr_u32 n = 0; n < jr_reached; n++)
            if (at + n * step < count)
#pragma unroll 1
                for (jr_u32 device = 0; device < reach.count; device++)
                    reducer.write_one((jr_u8 *)reach.out[device] + (first + at + n * step) * result_bytes, joined[n],
                                      call.count);
    }
}
