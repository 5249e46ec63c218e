// Heads: the elements with which segments begin.
#pragma once

#include "scan/common/tiles.cuh"

// What is known of a pack's heads. Elements are numbered through all parts of a scan.
struct jr_pack_heads {
    jr_u32 mask;  // bit k: element k is one
    jr_u64 begin; // where the pack's first element's segment begins, if JR_PLACED; not of keys
};

#if JR_HEADS == JR_HEADS_EQUAL
#include "scan/common/heads_equal.cuh"
#elif JR_HEADS == JR_HEADS_OFFSETS
#include "scan/common/heads_offsets.cuh"
#else
#include "scan/common/heads_keys.cuh"
#endif

// What a lane gets of a state in another one, word by word; every lane takes part.
#define JR_SHUFFLE_OF(state, name, instruction)                                                                        \
    __device__ __forceinline__ state name(const state &value, jr_u32 lane) {                                           \
        constexpr jr_u32 unrolled = jr_unrolled_words<state>;                                                          \
        jr_bits<state> bits;                                                                                           \
        bits.value = value;                                                                                            \
        _Pragma("unroll(unrolled)") for (jr_u32 w = 0; w < jr_bits<state>::count; w++)                                 \
            bits.words[w] = instruction(jr_full_mask, bits.words[w], lane);                                            \
        return bits.value;                                                                                             \
    }
#define JR_SHUFFLE_STATE(state)                                                                                        \
    JR_SHUFFLE_OF(state, jr_shuffle_down, __shfl_down_sync)                                                            \
    JR_SHUFFLE_OF(state, jr_shuffle_up, __shfl_up_sync)                                                                \
    JR_SHUFFLE_OF(state, jr_broadcast, __shfl_sync)
