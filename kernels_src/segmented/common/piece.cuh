// Pieces of segments, of which a launch leaves accumulators.
#pragma once

#include "operators/reducer.cuh"

// Elements of each segment before those of a launch.
__device__ __forceinline__ jr_u64 jr_piece_first(const jr_reducer &reducer) {
    return JR_STATE ? reducer.call.first : 0;
}
