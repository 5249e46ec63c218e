// Lines: what a thread loads of each line of a band: load(), next(), and the items of what was loaded.
#pragma once

#include "fold/inputs.cuh"

// Elements of a vector: those of a pack, or, where so many accumulators are too much for a block, fewer; 1: none.
constexpr jr_u32 jr_vector_elements =
    JR_COLUMN_VECTOR(sizeof(JR_X), sizeof(jr_accumulator), JR_BLOCK, JR_INPUTS, JR_ALL_ENDS);

// Elements one by one; loads past the band's end repeat its last element.
struct jr_loose_lines {
    struct loaded {
        jr_item items[jr_vector_elements];

        __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const {
            jr_item made = items[k];
            made.i = index;
            return made;
        }
    };
    const jr_cut &in;
    long long at, step;
    jr_u32 column, last;

    __device__ __forceinline__ void load(loaded &held) const {
#pragma unroll
        for (jr_u32 k = 0; k < jr_vector_elements; k++)
            held.items[k] = jr_item_at(in, at + (column + k < last ? column + k : last), 0);
    }
    __device__ __forceinline__ void next() { at += step; }
};

#if !JR_ALL_ENDS
// A vector that is not a pack, of one array.
template <jr_u32 BYTES> struct jr_narrow_load;
#define JR_NARROW_LOAD(bytes, form, type, constraint)                                                                  \
    template <> struct jr_narrow_load<bytes> {                                                                         \
        static __device__ __forceinline__ type of(const void *from) {                                                  \
            type bits;                                                                                                 \
            asm volatile("ld.global.nc.L1::no_allocate." form " %0, [%1];" : "=" constraint(bits) : "l"(from));        \
            return bits;                                                                                               \
        }                                                                                                              \
    };
JR_NARROW_LOAD(1, "u8", unsigned short, "h")
JR_NARROW_LOAD(2, "u16", unsigned short, "h")
JR_NARROW_LOAD(4, "u32", jr_u32, "r")
JR_NARROW_LOAD(8, "u64", jr_u64, "l")

template <jr_u32 N> struct jr_vector {
    JR_X elements[N];

    __device__ __forceinline__ void load(const jr_cut &in, long long at) {
        const auto bits = jr_narrow_load<N * sizeof(JR_X)>::of(in.packs + at * (long long)N);
        memcpy(elements, &bits, sizeof elements);
    }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const { return {(JR_X_VALUE)elements[k], index}; }
};
template <> struct jr_vector<jr_pack_elements> {
    jr_packs packs;

    __device__ __forceinline__ void load(const jr_cut &in, long long at) { packs.load(in, (jr_u64)at); }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const { return packs.item(k, index - k); }
};

// A vector of each line, at the same place between boundaries.
struct jr_vector_lines {
    typedef jr_vector<jr_vector_elements> loaded;
    const jr_cut &in;
    long long at, step; // vectors from the first pack

    __device__ __forceinline__ void load(loaded &held) const { held.load(in, at); }
    __device__ __forceinline__ void next() { at += step; }
};
#endif
