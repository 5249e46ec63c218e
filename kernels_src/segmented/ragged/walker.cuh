// The walker: one warp's state on its way along its share of the line; it also folds long segments.
#pragma once

#include "segmented/ragged/walk.cuh"

// A warp's rest: what its block must combine with other warps'.
struct jr_warp_rest {
    jr_u64 head_segment; // jr_no_segment: no segment that began before the share ended in it
    jr_u32 closed, begins_inside;
    jr_room_of_one head, open;
};

// One warp's walk over its share; walkers that fold several short segments in a step derive from it.
struct jr_walker {
    const jr_reducer &reducer;
    const jr_cut &in;
    const jr_segment_cut &segments;
    void *out;
    jr_warp_rest &rest;
    jr_u64 s, e;         // where it is
    jr_place last;       // where it ends
    bool inside;         // the segment it is in began before the share
    jr_accumulator open; // fold of the elements after the last end; in every lane

    // Writes the result of segment `of`, or keeps it when the segment began before the share.
    __device__ __forceinline__ void close(jr_u64 of, const jr_accumulator &total, jr_u64 count) {
        if (inside && of == s) {
            rest.head_segment = of;
            *(jr_accumulator *)&rest.head = total;
        } else {
            jr_segment_write(reducer, segments, out, of, total, count);
        }
    }

    __device__ __forceinline__ void move(jr_u32 ended, jr_u64 element) {
        if (threadIdx.x % jr_warp_lanes == 0 && ended > 0) rest.closed = 1;
        s += ended;
        e = element;
        inside = inside && ended == 0;
    }

    // Folds a long segment, or the share's part of it.
    __device__ __forceinline__ void walk_long(jr_u64 begin, jr_u64 end) {
        const jr_u64 to = s < last.s ? end : last.e;
        const jr_accumulator part = jr_combine_warp(reducer, jr_fold_span(reducer, in, e, to, begin));
        open = jr_broadcast(reducer.combine(open, part), 0);
        if (s < last.s) {
            if (threadIdx.x % jr_warp_lanes == 0) close(s, open, end - begin);
            open = reducer.identity();
        }
        move(s < last.s, to);
    }
};
