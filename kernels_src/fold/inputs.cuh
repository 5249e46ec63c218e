// Inputs: one to four arrays side by side, read by packs: the fewest elements of the first that fill 16-byte vectors.
#pragma once

#include "operators/reducer.cuh"

// Loads of 16 bytes at a 16-byte boundary that are read only once, and read-only for the whole kernel: past L1 without
// taking a place in it. One form for each type of 4 or 8 bytes, so that the elements come in registers of their own type:
// taking words apart costs compile time.
#define JR_LOAD_FOUR(type, letter, constraint)                                                                         \
    __device__ __forceinline__ void jr_load(type (&e)[4], const void *from) {                                          \
        asm volatile("ld.global.nc.L1::no_allocate.v4." letter " {%0, %1, %2, %3}, [%4];"                              \
                     : constraint(e[0]), constraint(e[1]), constraint(e[2]), constraint(e[3])                          \
                     : "l"(from));                                                                                     \
    }
#define JR_LOAD_TWO(type, letter, constraint)                                                                          \
    __device__ __forceinline__ void jr_load(type (&e)[2], const void *from) {                                          \
        asm volatile("ld.global.nc.L1::no_allocate.v2." letter " {%0, %1}, [%2];"                                      \
                     : constraint(e[0]), constraint(e[1])                                                              \
                     : "l"(from));                                                                                     \
    }
JR_LOAD_FOUR(float, "f32", "=f")
JR_LOAD_FOUR(int, "b32", "=r")
JR_LOAD_FOUR(jr_u32, "b32", "=r")
JR_LOAD_TWO(double, "f64", "=d")
JR_LOAD_TWO(long long, "b64", "=l")
JR_LOAD_TWO(jr_u64, "b64", "=l")

// The same of N elements of any type that fill vectors.
template <class E, jr_u32 N> __device__ __forceinline__ void jr_load(E (&e)[N], const void *from) {
    union {
        jr_u32 words[sizeof(E) * N / 16][4];
        E elements[N];
    } bits;
#pragma unroll
    for (jr_u32 v = 0; v < sizeof(E) * N / 16; v++) jr_load(bits.words[v], (const jr_u8 *)from + 16 * v);
#pragma unroll
    for (jr_u32 k = 0; k < N; k++) e[k] = bits.elements[k];
}

// The same from shared memory.
template <class E, jr_u32 N> __device__ __forceinline__ void jr_load_staged(E (&e)[N], const void *from) {
    union {
        uint4 vectors[sizeof(e) / 16];
        E elements[N];
    } bits;
#pragma unroll
    for (jr_u32 v = 0; v < sizeof(e) / 16; v++) bits.vectors[v] = ((const uint4 *)from)[v];
#pragma unroll
    for (jr_u32 k = 0; k < N; k++) e[k] = bits.elements[k];
}

// What one pack holds of one array.
template <class E> struct jr_pack {
    alignas(4) alignas(E) E elements[jr_pack_elements];

    __device__ __forceinline__ jr_u32 &word(jr_u32 w) { return ((jr_u32 *)elements)[w]; }
    __device__ __forceinline__ jr_u32 word(jr_u32 w) const { return ((const jr_u32 *)elements)[w]; }
};

// Loads a pack of another array, by vectors where it lies as the first array does.
template <class E>
__device__ __forceinline__ void jr_load_other(jr_pack<E> &pack, const void *packs, jr_u64 at, bool aligned) {
    const E *from = (const E *)packs + at * jr_pack_elements;
    if constexpr (sizeof(pack.elements) % 16 == 0)
        if (aligned) return jr_load(pack.elements, from);
#pragma unroll
    for (jr_u32 k = 0; k < jr_pack_elements; k++) pack.elements[k] = from[k];
}

#define JR_PACK_MEMBER(other, member, type) jr_pack<type> member;
#define JR_PACK_LOAD(other, member, type)   jr_load_other(member, in.more[other], at, in.aligned & 1 << other);
#define JR_PACK_ITEM(other, member, type)   (type##_VALUE)member.elements[k],
#define JR_ITEM_AT(other, member, type)     (type##_VALUE)((const type *)in.more[other])[k],

// What one pack holds of all arrays, and the items in it.
struct jr_packs {
    jr_pack<JR_X> x;
    JR_OTHERS(JR_PACK_MEMBER)

    __device__ __forceinline__ void load(const jr_cut &in, jr_u64 at) {
        // Beside others x is found by the elements that all have in common, alone by bytes: one shift.
        jr_load(x.elements, JR_INPUTS > 1 ? (const void *)(in.packs + at * jr_pack_elements)
                                          : (const jr_u8 *)in.packs + at * sizeof(x));
        JR_OTHERS(JR_PACK_LOAD)
    }
    // The same where the first array's pack is in shared memory.
    __device__ __forceinline__ void load_staged(const jr_cut &in, jr_u64 at, const void *staged) {
        jr_load_staged(x.elements, staged);
        JR_OTHERS(JR_PACK_LOAD)
    }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const {
        return {(JR_X_VALUE)x.elements[k], JR_OTHERS(JR_PACK_ITEM) index + k};
    }
};
// The item k elements after the beginning of the first pack; k may be negative.
__device__ __forceinline__ jr_item jr_item_at(const jr_cut &in, long long k, jr_u64 first) {
    return {(JR_X_VALUE)in.packs[k], JR_OTHERS(JR_ITEM_AT) first + in.head + k};
}

// Lift an item: the one k elements after the beginning of the first pack (k may be negative); or item k of a pack whose
// item 0 has this index. The macros evaluate k twice.
#if JR_INPUTS == 1 && !JR_EXPRESSIONS && !JR_SKIP_NAN // the items are the elements: no functions, as in reducer.cuh
#define jr_lift_at(reducer, in, k, first)                                                                              \
    jr_operator::lift((JR_MAPPED)(JR_X_VALUE)(in).packs[k], (first) + (in).head + (k))
#define jr_lift_item(reducer, packs, k, index)                                                                         \
    jr_operator::lift((JR_MAPPED)(JR_X_VALUE)(packs).x.elements[k], (index) + (k))
#else
#define jr_lift_at(reducer, in, k, first)      (reducer).lift(jr_item_at(in, k, first))
#define jr_lift_item(reducer, packs, k, index) (reducer).lift((packs).item(k, index))
#endif

// The position of the i-th end, relative to the beginning of the first pack; negative in the head.
__device__ __forceinline__ long long jr_end_at(const jr_cut &in, jr_u64 i) {
    const long long k = (long long)i - in.head;
    return k < 0 ? k : k + (long long)(in.pack_count * jr_pack_elements);
}
