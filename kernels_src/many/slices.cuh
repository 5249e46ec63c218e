// Slices of many arrays: a warp takes one at a time, with 16-byte loads between the first and the last boundary in it.
#pragma once

#include "fold/inputs.cuh"

// Which types arrays may have besides JR_X: floats that JR_X holds.
template <class X> struct jr_slice_floats {
    static constexpr bool any = false, f32 = false;
};
template <> struct jr_slice_floats<float> {
    static constexpr bool any = true, f32 = false;
};
template <> struct jr_slice_floats<double> {
    static constexpr bool any = true, f32 = true;
};

// What lies in a slice of E: `head` elements up to the first boundary, packs, and `tail` elements.
template <class E> struct jr_slice_cut {
    static constexpr jr_u32 pack = 16 / sizeof(E); // elements
    E *at;
    jr_u32 head, packs, tail;

    __device__ __forceinline__ jr_slice_cut(const jr_slice &slice) {
        at = (E *)slice.at;
        const jr_u32 beyond = (jr_u32)((jr_u64)slice.at % 16 / sizeof(E));
        head = beyond > 0 ? pack - beyond : 0;
        if (head > slice.count) head = slice.count;
        packs = (slice.count - head) / pack;
        tail = (slice.count - head) % pack;
    }
    // The first element of pack p, and of the tail.
    __device__ __forceinline__ jr_u32 first(jr_u32 p) const { return head + p * pack; }
};

// Calls use(its element type) for a slice.
#define JR_SLICE_OF(slice, use)                                                                                        \
    const jr_u32 type = (slice).of >> JR_SLICE_TYPE & 7;                                                               \
    if constexpr (jr_slice_floats<JR_X>::any) {                                                                        \
        if (type == JR_SLICE_OF_F16) use(jr_f16);                                                                      \
        if (type == JR_SLICE_OF_BF16) use(jr_bf16);                                                                    \
        if constexpr (jr_slice_floats<JR_X>::f32)                                                                      \
            if (type == JR_SLICE_OF_F32) use(float);                                                                   \
    }                                                                                                                  \
    use(JR_X)

// The index in its array of a slice's first element, where somebody may ask for it.
__device__ __forceinline__ jr_u64 jr_slice_index(const jr_many &many, const jr_slice &slice, jr_u32 c) {
#if JR_EXPRESSIONS
    if (slice.of & JR_SLICE_WHOLE) return 0;
    const jr_sliced array = many.arrays[slice.of & JR_SLICE_ARRAY];
    return (jr_u64)(c - array.first) * array.each;
#else
    return 0;
#endif
}
