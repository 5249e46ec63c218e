// The contract's constants (core/contract.cuh) for programs that are not the library's own: as in a plain kernel. Their
// values decide nothing in what jitreduce/block.cuh includes but which operators there are: all but the exact ones.
#pragma once

#define JR_X                    float
#define JR_X_VALUE              float
#define JR_OPERATOR             void
#define JR_MAPPED               float
#define JR_INITIAL_TYPE         float
#define JR_INPUTS               1
#define JR_INTEGER_BYTES        0
#define JR_WORDS                0
#define JR_ACCUMULATOR_BYTES    4
#define JR_OPERATORS_BITS       1
#define JR_OPERATORS_ORDER      1
#define JR_OPERATORS_INDEX      1
#define JR_OPERATORS_STATISTICS 1
#define JR_OPERATORS_EXACT      0
#define JR_EXPRESSIONS          0
#define JR_COMBINE              0
#define JR_COMMUTATIVE          0
#define JR_SKIP_NAN             0
#define JR_ADDS_FLOATS          0
#define JR_KEPT                 0
#define JR_ALL_ENDS             0
#define JR_STATE                0
#define JR_INITIAL              0
#define JR_UNROLL               1
#define JR_BLOCK                32
#define JR_SHARED_DYNAMIC       0
#define JR_HEADS                0
#define JR_EXCLUSIVE            0
#define JR_PLACED               0
#define JR_STAGES               0
