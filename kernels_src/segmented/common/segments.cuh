// Segments: where each begins and ends in the input, and where its result goes.
#pragma once

#include "fold/combine.cuh"
#include "fold/load.cuh"

// The first element of segment s; for s = count, the end of the last segment.
__device__ __forceinline__ jr_u64 jr_segment_begin(const jr_segment_cut &segments, jr_u64 s) {
    return segments.offsets != nullptr ? __ldg(segments.offsets + s) : s * segments.length;
}

// Writes the result of segment s, of `count` elements.
template <class STORE = jr_store>
__device__ __forceinline__ void jr_segment_write(const jr_reducer &reducer, const jr_segment_cut &segments, void *out,
                                                 jr_u64 s, const jr_accumulator &total, jr_u64 count) {
    reducer.write_one<STORE>((jr_u8 *)out + s * segments.result_bytes, total, count);
}

// Divides elements [begin, to) into packs: packs [first, end) are whole; the other elements come before and after them.
struct jr_span {
    jr_u64 first, end;   // packs; no whole pack when end <= first
    jr_u64 from, tail; // elements: the heads begin at `from`, the tails at `tail`
    jr_u32 heads, tails;

    __device__ __forceinline__ jr_span(const jr_cut &in, jr_u64 begin, jr_u64 to) {
        // Counted from the pack before the first one, so that nothing is negative: head < jr_pack_elements.
        const jr_u64 shift = jr_pack_elements - in.head;
        const jr_u64 low = (begin + shift + jr_pack_elements - 1) / jr_pack_elements;
        const jr_u64 high = (to + shift) / jr_pack_elements;
        first = low - 1;
        end = high > 0 ? high - 1 : 0; // 0: all elements are before the first pack
        from = begin;
        tail = high * jr_pack_elements - shift;
        const bool whole = low <= high;
        heads = (jr_u32)(whole ? low * jr_pack_elements - shift - begin : to - begin);
        tails = (jr_u32)(whole ? to - tail : 0);
    }
    // The i-th element that is in no whole pack.
    __device__ __forceinline__ jr_u64 end_element(jr_u32 i) const { return i < heads ? from + i : tail + (i - heads); }
};

// The item of element e, whose segment begins at element `begin`.
__device__ __forceinline__ jr_item jr_segment_item(const jr_cut &in, jr_u64 e, jr_u64 begin) {
    return jr_item_at(in, (long long)(e - in.head), 0 - begin);
}

// Folds elements [from, to) of the segment that begins at `begin` by a warp: each lane folds some of them, in no
// particular order.
__device__ __forceinline__ jr_accumulator jr_fold_span(const jr_reducer &reducer, const jr_cut &in, jr_u64 from,
                                                       jr_u64 to, jr_u64 begin) {
    const jr_u32 lane = threadIdx.x % jr_warp_lanes;
#if JR_ALL_ENDS
    jr_accumulator acc = reducer.identity();
#pragma unroll 4
    for (jr_u64 e = from + lane; e < to; e += jr_warp_lanes)
        jr_take(reducer, acc, jr_segment_item(in, e, begin));
    return acc;
#else
    const jr_span span(in, from, to);
    const jr_accumulator acc = jr_fold_packs<jr_warp_lanes>(reducer, in, span.first + lane, span.end,
                                                            jr_warp_lanes * JR_UNROLL, 0 - begin);
    if (lane >= span.heads + span.tails) return acc;
    return reducer.combine(acc, reducer.lift(jr_segment_item(in, span.end_element(lane), begin)));
#endif
}

// Consecutive segments, as spans for the fixed tree and for exact sums. SPAN: made as jr_tree_span is (fold/tree.cuh).
template <class SPAN> struct jr_rows {
    const jr_cut &in;
    const jr_segment_cut &segments;
    jr_u64 end; // of the last one

    __device__ __forceinline__ jr_u64 length(jr_u64 s) const {
        return segments.offsets != nullptr ? jr_segment_begin(segments, s + 1) - jr_segment_begin(segments, s)
                                           : segments.length;
    }
    __device__ __forceinline__ SPAN span(jr_u64 s, jr_u64 begin, jr_u64 count) const {
        const jr_u64 from = jr_segment_begin(segments, s) + begin;
        return SPAN(in, from, count, end - from, begin);
    }
};
