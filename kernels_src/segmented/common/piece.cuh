// Pieces of segments: a launch folds one piece of each segment to an accumulator.
#pragma once

#include "operators/reducer.cuh"

// How many elements of each segment come before its piece in this launch.
__device__ __forceinline__ jr_u64 jr_piece_first(const jr_reducer &reducer) {
    return JR_STATE ? reducer.call.first : 0;
}
