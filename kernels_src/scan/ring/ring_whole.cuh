// What a ring combines where all elements are scanned as one: accumulators. To be included before the ring's own files.
#pragma once

#include "scan/common/tiles.cuh"

typedef jr_accumulator jr_ring_total, jr_ring_carried;
typedef jr_reducer jr_ring_combiner;
constexpr bool jr_ring_of_runs = false;

__device__ __forceinline__ jr_ring_carried jr_ring_begin(const jr_ring_combiner &reducer) {
    return jr_with_initial(reducer, reducer.identity());
}
