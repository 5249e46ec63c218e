// What a ring combines where segments are scanned, each for itself: folds with a flag whether a segment starts in them.
// To be included before the ring's own files.
#pragma once

#include "scan/common/segmented.cuh"

typedef jr_headed jr_ring_total, jr_ring_carried;
typedef jr_headed_reducer jr_ring_combiner;
constexpr bool jr_ring_of_runs = false;

__device__ __forceinline__ jr_ring_carried jr_ring_begin(const jr_ring_combiner &combiner) {
    return {jr_with_initial(combiner.reducer, combiner.reducer.identity()), 0};
}
