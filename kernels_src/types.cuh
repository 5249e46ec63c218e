// Types: the names that the kernels use for the contract's types, and values taken apart into 32-bit words.
#pragma once

#include "contract.cuh"

typedef unsigned int jr_u32;
typedef unsigned long long jr_u64;
typedef JR_ELEMENT jr_element;
typedef JR_ACCUMULATOR jr_accumulator;
typedef JR_RESULT jr_result;

constexpr jr_u32 jr_warp_lanes = 32;
constexpr jr_u32 jr_full_mask = 0xffffffffu;

// Elements of one 16-byte load.
constexpr jr_u32 jr_vector_elements = 16 / sizeof(jr_element);

// The elements of one 16-byte load.
struct jr_vector {
    jr_element elements[jr_vector_elements];
};

// An accumulator as 32-bit words: what shuffles and slots can carry, whatever its type.
constexpr jr_u32 jr_accumulator_words = sizeof(jr_accumulator) / 4;

union jr_accumulator_bits {
    jr_accumulator value;
    jr_u32 words[jr_accumulator_words];
    __device__ jr_accumulator_bits() {}
};
