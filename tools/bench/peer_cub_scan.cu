// The peer CUB of scans: cub::DeviceScan, for tools/bench/scan_bench.c.
//
// Build, with any CCCL: nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -Itools/jitreduce [-I <cccl>/include]
//                       -o peer_cub_scan.so tools/bench/peer_cub_scan.cu
// then: build/current/bench/scan_bench --peer ./peer_cub_scan.so inclusive:sum:f32
#include <cuda_fp16.h>

#include <cstring>
#include <cub/cub.cuh>
#include <cuda/functional>
#include <string>

#include "peer.h"

namespace {

struct handle {
    void *temporary = nullptr;
    size_t bytes = 0;
    cudaError_t (*run)(handle *, const peer_work *, cudaStream_t) = nullptr;
};

// As a caller's own: CUB knows nothing of it.
struct own {
    __host__ __device__ float operator()(float a, float b) const {
        return a + b;
    }
};
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

using function = cudaError_t (*)(handle *, const peer_work *, cudaStream_t);

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
function find(const peer_work *w) {
    for (const row &r : rows)
        if (strcmp(w->op, r.op) == 0 && strcmp(w->type, r.type) == 0)
            return w->count < (1ull << 31) ? r.small : r.large;
    return nullptr;
}

void *prepare(const peer_work *work) {
    handle *made = new handle;
    made->run = find(work);
    if (made->run != nullptr && cudaSetDevice(work->device) == cudaSuccess &&
        made->run(made, work, nullptr) == cudaSuccess && cudaMalloc(&made->temporary, made->bytes + 1) == cudaSuccess)
        return made;
    delete made;
    return nullptr;
}

int run(void *opaque, const peer_work *work, void *stream) {
    handle *h = static_cast<handle *>(opaque);
    return int(h->run(h, work, static_cast<cudaStream_t>(stream)));
}

void release(void *opaque) {
    cudaFree(static_cast<handle *>(opaque)->temporary);
    delete static_cast<handle *>(opaque);
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
const peer self = {PEER_VERSION, "CUB " TEXT(CUB_VERSION), prepare, run, release, nullptr};

} // namespace

extern "C" const peer *peer_get(void) {
    return &self;
}
