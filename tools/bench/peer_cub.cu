// The peer CUB: its device-wide reductions in the mode that gives the same result on every run.
//
// Build, with any CCCL: nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -Itools/jitreduce [-I <cccl>/include]
//                       -o peer_cub.so tools/bench/peer_cub.cu
// then: jitreduce bench --peer peer_cub.so
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <string>
#include <thrust/iterator/zip_iterator.h>
#include <cuda/std/tuple>

#include "peer_cub.cuh"

namespace {

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
template <class T, class N> cudaError_t max(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::Max(h->temporary, h->bytes, first<T>(w), static_cast<T *>(w->out), N(w->count), s);
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
// A work, its functions for counts of 32 and 64 bits, and the type of its result.
struct row {
    const char *work;
    function small, large;
    const char *result;
};

#define ROW(work, result, name, ...) {work, name<__VA_ARGS__, int>, name<__VA_ARGS__, int64_t>, result}
const row rows[] = {
    ROW("sum f32", "f32", sum, float),
    ROW("sum f64", "f64", sum, double),
    ROW("sum i32", "i32", sum, int),
    ROW("sum f16", "f32", sum_as, __half, float),
    ROW("sum bf16", "f32", sum_as, __nv_bfloat16, float),
    ROW("sum i8", "i64", sum_as, signed char, long long),
    ROW("min f32", "f32", min, float),
    ROW("min f64", "f64", min, double),
    ROW("min i32", "i32", min, int),
    ROW("min i8", "i8", min, signed char),
    ROW("max f32", "f32", max, float),
    ROW("argmin f32", "i64", argmin, float),
    ROW("argmax i8", "i64", argmax, signed char),
    ROW("argmax i16", "i64", argmax, short),
    ROW("sumsq f32", "f32", sumsq, float),
    ROW("dot f32", "f32", dot, float),
};

// 32-bit counts where they are enough: that is what a caller would pass.
void find(const peer_work *w, handle *h) {
    const std::string work = std::string(w->op) + " " + w->type;
    if (w->segment_count > 0) return;
    for (const row &r : rows)
        if (work == r.work) {
            h->run = w->count < (1ull << 31) ? r.small : r.large;
            h->result = r.result;
        }
}

} // namespace
