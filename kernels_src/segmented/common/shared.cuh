// Words in shared memory, by addresses of that space.
#pragma once

#include "core/types.cuh"

// As pointers addresses would take two registers each.
template <jr_u32 BYTES> struct jr_shared;
#define JR_SHARED(bytes, form, type, constraint)                                                                       \
    template <> struct jr_shared<bytes> {                                                                              \
        typedef type word;                                                                                             \
        static __device__ __forceinline__ word load_if(bool there, jr_u32 from) {                                      \
            word w;                                                                                                    \
            asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p ld.shared." form " %0, [%1];\n}"                 \
                         : "=" constraint(w)                                                                           \
                         : "r"(from), "r"((jr_u32)there)                                                               \
                         : "memory");                                                                                  \
            return w;                                                                                                  \
        }                                                                                                              \
        static __device__ __forceinline__ void store(jr_u32 to, word w) {                                              \
            asm volatile("st.shared." form " [%0], %1;" ::"r"(to), constraint(w) : "memory");                          \
        }                                                                                                              \
        static __device__ __forceinline__ void store_if(bool wanted, jr_u32 to, word w) {                              \
            asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %2, 0;\n@p st.shared." form " [%0], %1;\n}" ::"r"(to),       \
                         constraint(w), "r"((jr_u32)wanted)                                                            \
                         : "memory");                                                                                  \
        }                                                                                                              \
    };
JR_SHARED(1, "u8", unsigned short, "h")
JR_SHARED(2, "u16", unsigned short, "h")
JR_SHARED(4, "u32", jr_u32, "r")
JR_SHARED(8, "u64", jr_u64, "l")
