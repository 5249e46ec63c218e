// The last step of a scan's tile: every thread goes along its packs once more, now that it knows what stands before them.
//
// What a result is made of is the step's to say: a struct with an accumulator type, the reducer as `reducer`, and
// step(running, item, k), which takes item k of a pack into the running fold and returns its result.
#pragma once

#include "scan/common/scan_block.cuh"
#include "scan/common/results.cuh"

// Makes a result of a fold of `count` elements. Tells by the mark that one is of none.
__device__ __forceinline__ jr_result jr_scan_result(const jr_reducer &reducer, const jr_accumulator &fold,
                                                    jr_u64 count) {
    jr_result result;
    jr_write(jr_store, &result, fold, count, reducer.call);
    if (jr_is_of_nothing(fold) && reducer.call.mark) *reducer.call.mark = 1;
    return result;
}

// Stages the results of one pack. before: the fold of everything before the pack. Returns that fold including the pack.
template <class STEP>
__device__ __forceinline__ typename STEP::accumulator jr_scan_pack(const STEP &step, const jr_cut &in, long long at, const jr_packs &packs,
                                             typename STEP::accumulator before, const jr_output &out, jr_u8 *to) {
    const jr_u64 first = step.reducer.call.first;
    if (jr_is_whole(in, at)) {
        jr_results results;
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++)
            results.elements[k] = step(before, packs.item(k, jr_pack_index(in, at, first)), k);
        out.put(to, results);
    } else {
        const jr_part part(in, step.reducer.call.count, at);
#pragma unroll 1
        for (jr_u32 k = part.from; k < part.to; k++) ((jr_result *)to)[k] = step(before, part.item(in, k, first), k);
    }
    return before;
}

// Writes the results of a row of packs, one a lane: at once where a pack's results are one vector of the output, else by
// the stage. All lanes of the warp take part.
template <class STEP>
__device__ __forceinline__ void jr_scan_packs(const STEP &step, const jr_cut &in, long long at, const jr_packs &packs,
                                              const typename STEP::accumulator &before, const jr_output &out) {
    if (jr_result_pack_bytes == 16 && (jr_u64)out.packs % 16 == 0 && __all_sync(jr_full_mask, jr_is_whole(in, at))) {
        jr_scan_pack(step, in, at, packs, before, out, out.packs + at * jr_result_pack_bytes);
        return;
    }
#pragma unroll 1
    for (jr_u32 begin = 0; begin < jr_warp_lanes; begin += jr_stage_lanes) {
        const long long first = at - jr_lane() + begin;
        if (jr_lane() - begin < jr_stage_lanes)
            jr_scan_pack(step, in, at, packs, before, out,
                         out.staged(first) + (jr_lane() - begin) * jr_result_pack_bytes);
        __syncwarp();
        out.flush(first);
        __syncwarp();
    }
}

// Writes the results of a tile. before: of each of a thread's packs the fold of all that stands before it. All threads
// take part.
template <class FORM>
__device__ __forceinline__ void jr_scan_tile(const FORM &form, const jr_cut &in, long long at,
                                             const jr_packs (&packs)[JR_UNROLL],
                                             const typename FORM::accumulator (&before)[JR_UNROLL]) {
#pragma unroll
    for (jr_u32 u = 0; u < JR_UNROLL; u++)
        jr_scan_packs(form.step(u), in, at + u * jr_warp_lanes, packs[u], before[u], form.out);
}

// The same of a row of whole packs whose results begin at a 16-byte boundary.
template <class STEP>
__device__ __forceinline__ void jr_scan_whole_packs(const STEP &step, const jr_cut &in, long long at,
                                                    const jr_packs &packs, typename STEP::accumulator before,
                                                    const jr_output &out) {
    if constexpr (jr_result_pack_bytes % 16 == 0) {
        const jr_u64 index = jr_pack_index(in, at, step.reducer.call.first);
        jr_results results;
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) results.elements[k] = step(before, packs.item(k, index), k);
        out.put_row(at, results);
    } else {
        jr_scan_packs(step, in, at, packs, before, out);
    }
}

// A scan of all elements. JR_EXCLUSIVE: a result leaves its own element out.
struct jr_whole_scan {
    typedef jr_accumulator accumulator, carried;
    const jr_reducer &reducer;
    const jr_output out;

    __device__ __forceinline__ jr_result operator()(jr_accumulator &running, const jr_item &item, jr_u32) const {
        const jr_accumulator next = reducer.combine(running, reducer.lift(item));
        const jr_u64 count = item.i + !JR_EXCLUSIVE;
        if (!JR_EXCLUSIVE) __builtin_assume(count > 0); // not a fold of nothing, which is a case of its own for each element
        const jr_result result = jr_scan_result(reducer, JR_EXCLUSIVE ? running : next, count);
        running = next;
        return result;
    }

    // Nothing is to be known of a tile before its packs are folded.
    __device__ __forceinline__ void begin(const jr_cut &, jr_u64, long long) {}
    __device__ __forceinline__ void fold(const jr_cut &in, long long at, const jr_packs (&packs)[JR_UNROLL],
                                         jr_accumulator (&folded)[JR_UNROLL]) const {
        jr_fold_tile(reducer, in, at, packs, folded);
    }
    __device__ __forceinline__ const jr_reducer &combiner() const { return reducer; }
    __device__ __forceinline__ jr_accumulator start() const { return jr_with_initial(reducer, reducer.identity()); }
    __device__ __forceinline__ const jr_whole_scan &step(jr_u32) const { return *this; }
    __device__ __forceinline__ const carried &carry(const carried &before) const { return before; }
    __device__ __forceinline__ void write(const jr_cut &in, long long at, const jr_packs (&packs)[JR_UNROLL],
                                          const accumulator (&before)[JR_UNROLL], const carried &) const {
        jr_scan_tile(*this, in, at, packs, before);
    }
    __device__ __forceinline__ void end(const carried &, const accumulator &) const {}
};
