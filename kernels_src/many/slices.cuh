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

#define JR_SLICE_CODE(slice) ((slice).of >> JR_SLICE_TYPE & 7)

// Calls use(its element type) for a slice.
#define JR_SLICE_OF(slice, use)                                                                                        \
    const jr_u32 type = JR_SLICE_CODE(slice);                                                                          \
    if constexpr (jr_slice_floats<JR_X>::any) {                                                                        \
        if (type == JR_SLICE_OF_F16) use(jr_f16);                                                                      \
        if (type == JR_SLICE_OF_BF16) use(jr_bf16);                                                                    \
        if constexpr (jr_slice_floats<JR_X>::f32)                                                                      \
            if (type == JR_SLICE_OF_F32) use(float);                                                                   \
    }                                                                                                                  \
    use(JR_X)

// What lies in a slice, in bytes: `head` up to the first boundary, packs of 16, and `tail`.
struct jr_slice_cut {
    jr_u8 *at;
    jr_u32 head, packs, tail;

    __device__ __forceinline__ jr_slice_cut(const jr_slice &slice) {
        const jr_u32 code = JR_SLICE_CODE(slice);
        const jr_u32 size = code == JR_SLICE_OF_X ? sizeof(JR_X) : code == JR_SLICE_OF_F32 ? 4 : 2;
        const jr_u32 bytes = slice.count * size, beyond = (jr_u32)(jr_u64)slice.at % 16;
        at = (jr_u8 *)slice.at;
        head = beyond > 0 ? 16 - beyond : 0;
        if (head > bytes) head = bytes;
        packs = (bytes - head) / 16;
        tail = (bytes - head) % 16;
    }
    __device__ __forceinline__ jr_u8 *pack(jr_u32 p) const { return at + head + p * 16ull; }
};

// A pack as words, and as elements.
template <class E> union jr_slice_pack {
    static constexpr jr_u32 count = 16 / sizeof(E);
    uint4 vector;
    jr_u32 words[4];
    E elements[count];
    __device__ __forceinline__ jr_slice_pack() {}
};

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
