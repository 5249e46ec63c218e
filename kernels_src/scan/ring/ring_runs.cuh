// What a ring combines where runs are reduced: folds with the number of runs that begin in them. To be included before
// the ring's own files.
#pragma once

#include "scan/common/run_state.cuh"

typedef jr_run jr_ring_total;
typedef jr_runs_before jr_ring_carried;
typedef jr_run_reducer jr_ring_combiner;
constexpr bool jr_ring_of_runs = true;

__device__ __forceinline__ jr_ring_carried jr_ring_begin(const jr_ring_combiner &combiner) {
    return {combiner.reducer.identity(), 0};
}
