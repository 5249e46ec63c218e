// Inputs: one to four arrays side by side, read by packs: the fewest elements of the first that fill 16-byte vectors.
#pragma once

#include "reducer.cuh"

// 16 bytes over the greatest power of two that divides the size of an element.
constexpr jr_u32 jr_pack_elements = sizeof(JR_X) % 16 == 0  ? 1
                                    : sizeof(JR_X) % 8 == 0 ? 2
                                    : sizeof(JR_X) % 4 == 0 ? 4
                                    : sizeof(JR_X) % 2 == 0 ? 8
                                                            : 16;

// The arrays as the host has cut them (src/reduce/cut.h): `head` elements lie just before the packs, the other ends
// just behind them. All arrays are cut at the same elements; the first has its packs at 16-byte boundaries.
struct jr_inputs {
    const JR_X *packs;
    const void *more[3]; // of the second to fourth array: the element beside packs[0]
    jr_u64 pack_count;
    jr_u64 ends;    // elements; head and tail together
    jr_u32 head;    // elements
    jr_u32 aligned; // bit k: more[k], too, lies at a 16-byte boundary

    __device__ jr_u64 index(jr_u64 pack, jr_u64 first) const { return first + head + pack * jr_pack_elements; }
};

// Loads a vector that is read only once, and read-only for the whole kernel: past L1 without taking a place in it.
__device__ __forceinline__ void jr_load_words(jr_u32 (&w)[4], const void *from) {
    asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
        : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
        : "l"(from));
}

// Loads N elements one by one: what is less than a vector.
template <class E, jr_u32 N, bool VECTORS = sizeof(E) * N % 16 == 0> struct jr_loader {
    static __device__ __forceinline__ void load(E (&e)[N], const void *from) {
#pragma unroll
        for (jr_u32 k = 0; k < N; k++) e[k] = ((const E *)from)[k];
    }
};
// Loads N elements that fill 16-byte vectors and lie at a 16-byte boundary.
template <class E, jr_u32 N> struct jr_loader<E, N, true> {
    static __device__ __forceinline__ void load(E (&e)[N], const void *from) {
        union {
            jr_u32 words[sizeof(E) * N / 16][4];
            E elements[N];
        } bits;
#pragma unroll
        for (jr_u32 v = 0; v < sizeof(E) * N / 16; v++) jr_load_words(bits.words[v], (const jr_u8 *)from + 16 * v);
#pragma unroll
        for (jr_u32 k = 0; k < N; k++) e[k] = bits.elements[k];
    }
};
// One form for each type of 4 or 8 bytes, so that the elements come in registers of their own type: taking words apart
// costs compile time.
#define JR_LOAD_FOUR(type, letter, constraint)                                                                         \
    template <> struct jr_loader<type, 4, true> {                                                                            \
        static __device__ __forceinline__ void load(type(&e)[4], const void *from) {                                   \
            asm volatile("ld.global.nc.L1::no_allocate.v4." letter " {%0, %1, %2, %3}, [%4];"                                   \
                : constraint(e[0]), constraint(e[1]), constraint(e[2]), constraint(e[3])                               \
                : "l"(from));                                                                                          \
        }                                                                                                              \
    };
#define JR_LOAD_TWO(type, letter, constraint)                                                                          \
    template <> struct jr_loader<type, 2, true> {                                                                            \
        static __device__ __forceinline__ void load(type(&e)[2], const void *from) {                                   \
            asm volatile("ld.global.nc.L1::no_allocate.v2." letter " {%0, %1}, [%2];"                                           \
                : constraint(e[0]), constraint(e[1])                                                                   \
                : "l"(from));                                                                                          \
        }                                                                                                              \
    };
JR_LOAD_FOUR(float, "f32", "=f")
JR_LOAD_FOUR(int, "b32", "=r")
JR_LOAD_FOUR(unsigned, "b32", "=r")
JR_LOAD_TWO(double, "f64", "=d")
JR_LOAD_TWO(long long, "b64", "=l")
JR_LOAD_TWO(unsigned long long, "b64", "=l")

// What one pack holds of one array.
template <class E> struct jr_pack {
    alignas(4) alignas(E) E elements[jr_pack_elements];

    __device__ __forceinline__ jr_u32 &word(jr_u32 w) { return ((jr_u32 *)elements)[w]; }
    __device__ __forceinline__ jr_u32 word(jr_u32 w) const { return ((const jr_u32 *)elements)[w]; }
    // from: aligned to 16 bytes.
    __device__ __forceinline__ void load(const E *from) {
        jr_loader<E, jr_pack_elements>::load(elements, from);
    }
    // from: shared memory, aligned to 16 bytes.
    __device__ __forceinline__ void load_shared(const void *from) {
        union {
            uint4 vectors[sizeof(E) * jr_pack_elements / 16];
            E elements[jr_pack_elements];
        } bits;
#pragma unroll
        for (jr_u32 v = 0; v < sizeof(elements) / 16; v++) bits.vectors[v] = ((const uint4 *)from)[v];
#pragma unroll
        for (jr_u32 k = 0; k < jr_pack_elements; k++) elements[k] = bits.elements[k];
    }
    __device__ __forceinline__ void load_any(const void *packs, jr_u64 at, bool aligned) {
        const E *from = (const E *)packs + at * jr_pack_elements;
        if (aligned)
            load(from);
        else
            jr_loader<E, jr_pack_elements, false>::load(elements, from);
    }
};

// What one pack holds of all arrays, and the items in it.
#if JR_INPUTS == 1
struct jr_packs {
    jr_pack<JR_X> x;
    __device__ __forceinline__ void load(const jr_inputs &in, jr_u64 at) {
        jr_loader<JR_X, jr_pack_elements>::load(x.elements, in.packs + at * jr_pack_elements);
    }
    __device__ __forceinline__ jr_item item(jr_u32 k, jr_u64 index) const {
        return {(JR_X_VALUE)x.elements[k], index + k};
    }
};
// The item k elements behind the first pack; k may be negative.
__device__ __forceinline__ jr_item jr_item_at(const jr_inputs &in, long long k, jr_u64 first) {
    return {(JR_X_VALUE)in.packs[k], first + in.head + k};
}
#else
#include "inputs_more.cuh"
#endif

// The i-th item of the ends.
__device__ __forceinline__ jr_item jr_end_item(const jr_inputs &in, jr_u64 i, jr_u64 first) {
    long long k = (long long)i - in.head;
    if (i >= in.head) k += in.pack_count * jr_pack_elements;
    return jr_item_at(in, k, first);
}
