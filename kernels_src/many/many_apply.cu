// many_apply: gives each element of many arrays a value, in its place, from it and the results of many_reduce.
// Bytes: every element twice, 16 a slice. Launches: one, after that of many_reduce.
#include "apply/apply_pack.cuh"
#include "many/slices.cuh"

constexpr jr_u32 jr_many_warps = JR_BLOCK / jr_warp_lanes;
// Loads of a lane at once: values take registers, too. With 8 of them a thread would have 127.
constexpr jr_u32 jr_many_loads = JR_UNROLL > 4 ? 4 : JR_UNROLL;

// Copies results of one array, or of all, by the widest words that they consist of.
__device__ __forceinline__ void jr_many_copy(jr_u8 *to, const void *from) {
    if constexpr (jr_total_bytes % 16 == 0) {
#pragma unroll
        for (jr_u32 v = 0; v < jr_total_bytes / 16; v++) ((uint4 *)to)[v] = ((const uint4 *)from)[v];
    } else if constexpr (jr_total_bytes == 8) {
        *(jr_u64 *)to = *(const jr_u64 *)from;
    } else if constexpr (jr_total_bytes == 4) {
        *(jr_u32 *)to = *(const jr_u32 *)from;
    } else {
#pragma unroll
        for (jr_u32 b = 0; b < jr_total_bytes; b++) to[b] = ((const jr_u8 *)from)[b];
    }
}

// One slice: what its elements are, and what an expression gets with each.
struct jr_many_values {
    const jr_call &call;
    jr_results results;
    jr_u64 index; // of its first element
    long long n;  // elements of its array

    template <class E> __device__ __forceinline__ E of(E x, jr_u32 k) const {
        return jr_to<E>::of(jr_apply({(JR_X_VALUE)x, index + k}, results, n, call));
    }
    template <class E> __device__ __forceinline__ void replace(const jr_slice &slice) const {
        typedef jr_slice_pack<E> pack;
        const jr_slice_cut cut(slice);
        E *const from = (E *)cut.at;
        const jr_u32 lane = threadIdx.x % jr_warp_lanes, head = cut.head / sizeof(E);
        if (lane < head) from[lane] = of(from[lane], lane);
#pragma unroll 1
        for (jr_u32 first = lane; first < cut.packs; first += jr_warp_lanes * jr_many_loads) {
            pack held[jr_many_loads];
#pragma unroll
            for (jr_u32 u = 0; u < jr_many_loads; u++) {
                const jr_u32 p = first + u * jr_warp_lanes;
                if (p < cut.packs) held[u].vector = jr_row_vector<16>::load(cut.pack(p));
            }
#pragma unroll
            for (jr_u32 u = 0; u < jr_many_loads; u++) {
                const jr_u32 p = first + u * jr_warp_lanes;
                if (p >= cut.packs) continue;
#pragma unroll
                for (jr_u32 e = 0; e < pack::count; e++)
                    held[u].elements[e] = of(held[u].elements[e], head + p * pack::count + e);
                jr_row_vector<16>::store(cut.pack(p), held[u].vector);
            }
        }
        const jr_u32 last = head + cut.packs * pack::count + lane;
        if (lane < cut.tail / sizeof(E)) from[last] = of(from[last], last);
    }
};

#define JR_MANY_REPLACE(type) return values.replace<type>(slice)
__device__ __forceinline__ void jr_many_replace(const jr_many_values &values, const jr_slice &slice) {
    JR_SLICE_OF(slice, JR_MANY_REPLACE);
}

extern "C" __global__ void __launch_bounds__(JR_BLOCK)
    jr_many_apply(const __grid_constant__ jr_many many, const __grid_constant__ jr_call call) {
    jr_begin();
    const jr_u8 *const results = (const jr_u8 *)many.results;
    const jr_u32 step = gridDim.x * jr_many_warps;
#pragma unroll 1
    for (jr_u32 k = blockIdx.x * jr_many_warps + threadIdx.x / jr_warp_lanes; k < many.slice_count; k += step) {
        const jr_u32 c = many.slice_count - 1 - k; // many_reduce has read the last ones last: L2 may still have them
        const jr_slice slice = many.slices[c];
        const jr_u32 a = slice.of & JR_SLICE_ARRAY;
        jr_many_values values = {call, {}, jr_slice_index(many, slice, c), (long long)slice.count};
        if (!(slice.of & JR_SLICE_WHOLE)) values.n = (long long)many.arrays[a].count;
        jr_many_copy(values.results.place, results + a * many.result_bytes);
        if constexpr (jr_takes_all)
            jr_many_copy(values.results.place + jr_all_at, results + many.array_count * many.result_bytes);
        jr_many_replace(values, slice);
    }
}
