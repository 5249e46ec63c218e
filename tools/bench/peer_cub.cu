// The peer CUB: its device-wide reductions in the mode that gives the same result on every run.
//
// Build, with any CCCL: nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC [-I <cccl>/include] -o peer_cub.so
//                       tools/bench/peer_cub.cu
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>
#include <cub/cub.cuh>
#include <string>
#include <thrust/iterator/zip_iterator.h>
#include <cuda/std/tuple>

#include "peer.h"

namespace {

struct handle {
    void *temporary = nullptr;
    size_t bytes = 0;
    cudaError_t (*run)(handle *, const peer_work *, cudaStream_t) = nullptr;
};

template <class A> struct cast {
    template <class T> __host__ __device__ A operator()(const T &x) const { return static_cast<A>(x); }
};
struct square {
    template <class T> __host__ __device__ T operator()(const T &x) const { return x * x; }
};
struct product {
    template <class T> __host__ __device__ auto operator()(const T &pair) const {
        return cuda::std::get<0>(pair) * cuda::std::get<1>(pair);
    }
};
struct minimum {
    template <class T> __host__ __device__ T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};

template <class T> const T *first(const peer_work *w) { return static_cast<const T *>(w->in[0]); }

template <class T, class N> cudaError_t sum(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::Sum(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out), N(w->count), s);
}
template <class T, class A, class N> cudaError_t sum_as(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::TransformReduce(h->temporary, h->bytes, first<T>(w), static_cast<A *>(w->out),
                                              N(w->count), cuda::std::plus<>{}, cast<A>{}, A(0), s);
}
template <class T, class N> cudaError_t min(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::Min(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out), N(w->count), s);
}
template <class T, class N> cudaError_t argmin(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::ArgMin(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out) + 8 / sizeof(T),
                                     static_cast<int64_t *>(w->out), N(w->count), s);
}
template <class T, class N> cudaError_t argmax(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::ArgMax(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out) + 8 / sizeof(T),
                                     static_cast<int64_t *>(w->out), N(w->count), s);
}
template <class T, class N> cudaError_t sumsq(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::TransformReduce(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out),
                                              N(w->count), cuda::std::plus<>{}, square{}, T(0), s);
}
template <class T, class N> cudaError_t dot(handle *h, const peer_work *w, cudaStream_t s) {
    const auto pairs = thrust::make_zip_iterator(first<T>(w), static_cast<const T *>(w->in[1]));
    return cub::DeviceReduce::TransformReduce(h->temporary, h->bytes, pairs, static_cast<T *>(w->out), N(w->count),
                                              cuda::std::plus<>{}, product{}, T(0), s);
}
template <class T> cudaError_t segmented_sum(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceSegmentedReduce::Sum(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out),
                                           int64_t(w->segment_count), w->offsets, w->offsets + 1, s);
}
#if CUB_VERSION >= 300100 // before, there were no segments of equal length
template <class T> cudaError_t equal_sum(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceSegmentedReduce::Sum(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out),
                                           int64_t(w->segment_count), int(w->segment_length), s);
}
#define EQUAL_SUM equal_sum<float>
#else
#define EQUAL_SUM nullptr
#endif

using function = cudaError_t (*)(handle *, const peer_work *, cudaStream_t);

// 32-bit counts where they are enough: that is what a caller would pass.
#define BOTH(name, call32, call64)                                                                                     \
    if (work == name) return small ? call32 : call64
function find(const peer_work *w) {
    const std::string work = std::string(w->op) + " " + w->type;
    const bool small = w->count < (1ull << 31);
    if (w->segment_count > 0 && work != "sum f32") return nullptr;
    if (w->segment_count > 0) return w->offsets != nullptr ? segmented_sum<float> : EQUAL_SUM;
    BOTH("sum f32", (sum<float, int>), (sum<float, int64_t>));
    BOTH("sum f64", (sum<double, int>), (sum<double, int64_t>));
    BOTH("sum i32", (sum<int, int>), (sum<int, int64_t>));
    BOTH("sum f16", (sum_as<__half, float, int>), (sum_as<__half, float, int64_t>));
    BOTH("sum bf16", (sum_as<__nv_bfloat16, float, int>), (sum_as<__nv_bfloat16, float, int64_t>));
    BOTH("sum i8", (sum_as<signed char, long long, int>), (sum_as<signed char, long long, int64_t>));
    BOTH("min f32", (min<float, int>), (min<float, int64_t>));
    BOTH("min f64", (min<double, int>), (min<double, int64_t>));
    BOTH("min i32", (min<int, int>), (min<int, int64_t>));
    BOTH("min i8", (min<signed char, int>), (min<signed char, int64_t>));
    BOTH("argmin f32", (argmin<float, int>), (argmin<float, int64_t>));
    BOTH("argmax i8", (argmax<signed char, int>), (argmax<signed char, int64_t>));
    BOTH("argmax i16", (argmax<short, int>), (argmax<short, int64_t>));
    BOTH("sumsq f32", (sumsq<float, int>), (sumsq<float, int64_t>));
    BOTH("dot f32", (dot<float, int>), (dot<float, int64_t>));
    return nullptr;
}

void *prepare(const peer_work *work) {
    const function run = find(work);
    if (run == nullptr) return nullptr;
    handle *made = new handle;
    made->run = run;
    if (run(made, work, nullptr) == cudaSuccess && cudaMalloc(&made->temporary, made->bytes + 1) == cudaSuccess)
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
const peer self = {"CUB " TEXT(CUB_VERSION), prepare,
                   run, release};

} // namespace

extern "C" const peer *peer_get(void) { return &self; }
