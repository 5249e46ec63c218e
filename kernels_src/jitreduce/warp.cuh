// Warp functions for kernels of your own; jitreduce/block.cuh lists all functions.
#pragma once

#include "jitreduce/constants.cuh"

#include "operators/operators.cuh"

namespace jitreduce {

typedef jr_u32 u32;
typedef jr_u64 u64;

// Lanes of a warp that are there, the first ones, as a mask.
template <u32 Lanes> constexpr u32 mask = Lanes >= 32 ? 0xffffffffu : (1u << (Lanes % 32)) - 1;

// A value as 32-bit words, which is what shuffles and slots carry.
template <class accumulator> union words {
    static constexpr u32 count = (sizeof(accumulator) + 3) / 4;
    accumulator value;
    u32 word[count];
    __device__ __forceinline__ words() {}
};

enum class from { below, above, lane };

// What a lane gets of the lane so many below or above, or of one lane.
template <from Where, class accumulator> __device__ __forceinline__ accumulator shuffle(u32 lanes_mask, const accumulator &value, u32 lane) {
    words<accumulator> bits;
    bits.value = value;
#pragma unroll
    for (u32 w = 0; w < words<accumulator>::count; w++)
        bits.word[w] = Where == from::below   ? __shfl_up_sync(lanes_mask, bits.word[w], lane)
                       : Where == from::above ? __shfl_down_sync(lanes_mask, bits.word[w], lane)
                                              : __shfl_sync(lanes_mask, bits.word[w], lane);
    return bits.value;
}

// What a lane gets of the lane so many above, if that one is among the first `count` ones; false: it is not.
template <class accumulator>
__device__ __forceinline__ bool shuffle_above(u32 lanes_mask, u32 count, accumulator value, u32 distance, accumulator &next) {
    words<accumulator> bits;
    u32 there;
    bits.value = value;
    asm volatile("{\n .reg .pred p;\n shfl.sync.down.b32 %0|p, %0, %2, %3, %4;\n selp.u32 %1, 1, 0, p;\n}"
                 : "+r"(bits.word[0]), "=r"(there)
                 : "r"(distance), "r"(count - 1), "r"(lanes_mask));
#pragma unroll
    for (u32 w = 1; w < words<accumulator>::count; w++) bits.word[w] = __shfl_down_sync(lanes_mask, bits.word[w], distance);
    next = bits.value;
    return there != 0;
}

// One instruction that reduces a warp, for operators over 32-bit integers that have one.
template <class Operator> struct redux {
    static constexpr bool has = false;
    template <class accumulator> static __device__ accumulator all(u32, accumulator value) { return value; }
};
#if __CUDA_ARCH__ >= 800
#define JR_REDUX(operator_of, number, instruction)                                                                     \
    template <class T, class R> struct redux<operator_of<T, number, R>> {                                              \
        static constexpr bool has = true;                                                                              \
        static __device__ __forceinline__ number all(u32 lanes, number value) { return instruction(lanes, value); }    \
    };
JR_REDUX(jr_sum, int, __reduce_add_sync)
JR_REDUX(jr_sum, unsigned, __reduce_add_sync)
JR_REDUX(jr_min, int, __reduce_min_sync)
JR_REDUX(jr_min, unsigned, __reduce_min_sync)
JR_REDUX(jr_max, int, __reduce_max_sync)
JR_REDUX(jr_max, unsigned, __reduce_max_sync)
JR_REDUX(jr_and, unsigned, __reduce_and_sync)
JR_REDUX(jr_or, unsigned, __reduce_or_sync)
JR_REDUX(jr_xor, unsigned, __reduce_xor_sync)
#undef JR_REDUX
#endif

// A warp, of which the first Lanes lanes are there; each of them takes part.
template <class Operator, u32 Lanes = 32> struct warp {
    typedef typename Operator::accumulator accumulator;
    static_assert(Lanes >= 1 && Lanes <= 32, "jitreduce::warp: 1 to 32 lanes");

    static __device__ __forceinline__ u32 lane() { return threadIdx.x % 32; }

    // The fold of all lanes; lane 0 has it.
    static __device__ __forceinline__ accumulator reduce(accumulator value) {
        if constexpr (redux<Operator>::has) {
            return redux<Operator>::all(mask<Lanes>, value);
        } else {
#pragma unroll
            for (u32 distance = 1; distance < Lanes; distance *= 2) {
                const accumulator next = shuffle<from::above>(mask<Lanes>, value, distance);
                if (Lanes == 32 || lane() + distance < Lanes) value = Operator::combine(value, next);
            }
            return value;
        }
    }

    // The same, of the first count lanes: no others are there.
    static __device__ __forceinline__ accumulator reduce_first(accumulator value, u32 count) {
        if constexpr (redux<Operator>::has) return redux<Operator>::all(mask<Lanes>, value);
#pragma unroll
        for (u32 distance = 1; distance < Lanes; distance *= 2) {
            accumulator next;
            if (shuffle_above(mask<Lanes>, count, value, distance, next)) value = Operator::combine(value, next);
        }
        return value;
    }

    // The fold of a lane and all before it.
    static __device__ __forceinline__ accumulator scan_inclusive(accumulator value) {
#pragma unroll
        for (u32 distance = 1; distance < Lanes; distance *= 2) {
            const accumulator before = shuffle<from::below>(mask<Lanes>, value, distance);
            if (lane() >= distance) value = Operator::combine(before, value);
        }
        return value;
    }

    // The fold of all before a lane; of lane 0 the identity.
    static __device__ __forceinline__ accumulator scan_exclusive(accumulator value) {
        const accumulator before = shuffle<from::below>(mask<Lanes>, scan_inclusive(value), 1);
        return lane() == 0 ? Operator::identity() : before;
    }
};

} // namespace jitreduce
