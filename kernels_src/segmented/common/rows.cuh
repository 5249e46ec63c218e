// Consecutive segments, as spans for the fixed tree and for exact sums.
#pragma once

#include "segmented/common/segments.cuh"

// SPAN: made as jr_tree_span is (fold/tree.cuh).
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
