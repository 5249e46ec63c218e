// The peer CUB for scans: cub::DeviceScan, for tools/bench/scan_bench.c.
//
// Build, with any CCCL: nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -Itools/jitreduce [-I <cccl>/include]
//                       -o peer_cub_scan.so tools/bench/peer_cub_scan.cu
// then: build/current/bench/scan_bench --peer ./peer_cub_scan.so inclusive:sum:f32
#include <cuda_fp16.h>

#include <cuda/functional>

#include "peer_cub.cuh"

namespace {

// x -> m x + k, one after the other: not commutative.
struct affine {
    float m, k;
};
struct after {
    __host__ __device__ affine operator()(const affine &f, const affine &g) const {
        return {g.m * f.m, g.m * f.k + g.k};
    }
};
template <class A> struct first {
    static __host__ __device__ A value() {
        return A(0);
    }
};
template <> struct first<affine> {
    static __host__ __device__ affine value() {
        return {1, 0};
    }
};

// Elements of T, results of R that are combined in A.
template <class T, class R, class A, class O, bool EXCLUSIVE, class N>
cudaError_t scan(handle *h, const peer_work *w, cudaStream_t s) {
    const T *in = static_cast<const T *>(w->in[0]);
    R *out = static_cast<R *>(w->out);
    const N count = N(w->count);
    if (EXCLUSIVE)
        return cub::DeviceScan::ExclusiveScan(h->temporary, h->bytes, in, out, O{}, first<A>::value(), count, s);
    if constexpr (std::is_same<T, A>::value)
        return cub::DeviceScan::InclusiveScan(h->temporary, h->bytes, in, out, O{}, count, s);
    else // which alone says what is combined
        return cub::DeviceScan::InclusiveScanInit(h->temporary, h->bytes, in, out, O{}, first<A>::value(), count, s);
}

// A work: "KIND OP RESULT" as scan_bench names it, the elements' type, and its functions for counts of 32 and 64 bits.
struct row {
    const char *op, *type;
    function small, large;
};

#define ROW(kind, exclusive, op, type, result, T, R, A, O)                                                             \
    { kind " " op " " result, type, scan<T, R, A, O, exclusive, int>, scan<T, R, A, O, exclusive, long long> }
#define BOTH(...) ROW("inclusive", false, __VA_ARGS__), ROW("exclusive", true, __VA_ARGS__)
const row rows[] = {
    BOTH("sum", "f32", "f32", float, float, float, cuda::std::plus<>),
    BOTH("sum", "i32", "i32", int, int, int, cuda::std::plus<>),
    BOTH("sum", "f64", "f64", double, double, double, cuda::std::plus<>),
    BOTH("sum", "i64", "i64", long long, long long, long long, cuda::std::plus<>),
    BOTH("sum", "i32", "i64", int, long long, long long, cuda::std::plus<>),
    BOTH("sum", "i8", "i8", signed char, signed char, signed char, cuda::std::plus<>),
    BOTH("sum", "i8", "i64", signed char, long long, long long, cuda::std::plus<>),
    BOTH("sum", "f16", "f16", __half, __half, float, cuda::std::plus<float>),
    BOTH("min", "f32", "f32", float, float, float, cuda::minimum<>),
    BOTH("max", "f32", "f32", float, float, float, cuda::maximum<>),
    BOTH("user", "f32", "f32", float, float, float, own),
    BOTH("affine", "f32x2", "f32x2", affine, affine, affine, after),
};

// 32-bit counts where they are enough: that is what a caller would pass.
void find(const peer_work *w, handle *h) {
    for (const row &r : rows)
        if (strcmp(w->op, r.op) == 0 && strcmp(w->type, r.type) == 0)
            h->run = w->count < (1ull << 31) ? r.small : r.large;
}

} // namespace
