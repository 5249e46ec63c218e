// Packs of a row, loaded and stored by vectors where they lie at boundaries of these.
//
// Loads are plain ld.global: what is written may be what was read. Measured on an H100: ld.global.nc.L1::no_allocate
// took 1 to 1.5 % longer.
#pragma once

#include "fold/inputs.cuh"

// The widest vectors that fill a pack of T. They are loaded and stored by asm: NVRTC 13.0 made single elements of them,
// where they may also be unaligned. Softmax of 65536 x 1024 f32 took 253 us on an H100, and takes 181.
template <jr_u32 BYTES> struct jr_row_vector;
#define JR_ROW_VECTOR(bytes, form, kind, constraint)                                                                   \
    template <> struct jr_row_vector<bytes> {                                                                          \
        typedef kind type;                                                                                             \
        static __device__ __forceinline__ type load(const void *from) {                                                \
            type made;                                                                                                 \
            asm volatile("ld.global." form " %0, [%1];" : "=" constraint(made) : "l"(from));                           \
            return made;                                                                                               \
        }                                                                                                              \
        static __device__ __forceinline__ void store(void *to, type value) {                                           \
            asm volatile("st.global." form " [%0], %1;" ::"l"(to), constraint(value) : "memory");                      \
        }                                                                                                              \
    };
JR_ROW_VECTOR(2, "u16", unsigned short, "h")
JR_ROW_VECTOR(4, "u32", jr_u32, "r")
JR_ROW_VECTOR(8, "u64", jr_u64, "l")
template <> struct jr_row_vector<16> {
    typedef uint4 type;
    static __device__ __forceinline__ type load(const void *from) {
        type made;
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(made.x), "=r"(made.y), "=r"(made.z), "=r"(made.w)
                     : "l"(from));
        return made;
    }
    static __device__ __forceinline__ void store(void *to, const type &value) {
        asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(value.x), "r"(value.y), "r"(value.z),
                     "r"(value.w)
                     : "memory");
    }
};
template <class T> union jr_row_pack {
    static constexpr jr_u32 bytes = sizeof(T) * jr_pack_elements;
    typedef jr_row_vector<bytes % 16 == 0 ? 16 : bytes> as;
    typedef typename as::type vector;
    static constexpr jr_u32 count = bytes / sizeof(vector);
    vector vectors[count];
    T elements[jr_pack_elements];
    __device__ __forceinline__ jr_row_pack() {}

    static __device__ __forceinline__ bool is_aligned(const void *at) { return (jr_u64)at % sizeof(vector) == 0; }
    __device__ __forceinline__ void load(const T *from) {
        if (is_aligned(from)) {
#pragma unroll
            for (jr_u32 v = 0; v < count; v++) vectors[v] = as::load((const vector *)from + v);
        } else {
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++) elements[k] = from[k];
        }
    }
    __device__ __forceinline__ void store(T *to) const {
        if (is_aligned(to)) {
#pragma unroll
            for (jr_u32 v = 0; v < count; v++) as::store((vector *)to + v, vectors[v]);
        } else {
#pragma unroll
            for (jr_u32 k = 0; k < jr_pack_elements; k++) to[k] = elements[k];
        }
    }
};
