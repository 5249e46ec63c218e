// The peer CUB of segments: scans by key and by offsets, reductions by key, by offsets and of rows, for tools/bench/scan_bench.c.
//
// Build, with any CCCL: nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -Itools/jitreduce [-I <cccl>/include]
//                       -o peer_cub_keys.so tools/bench/peer_cub_keys.cu
// then: build/current/bench/scan_bench --peer ./peer_cub_keys.so inclusive:sum:f32@keys:64
#include <cuda/functional>
#if __has_include(<cub/device/device_segmented_scan.cuh>) // older ones have none
#include <cub/device/device_segmented_scan.cuh>
#define SEGMENTED_SCANS
#endif

#include "peer_cub.cuh"

namespace {

template <class T> const T *in(const peer_work *w) {
    return static_cast<const T *>(w->in[0]);
}
template <class T> T *out(const peer_work *w) {
    return static_cast<T *>(w->out);
}

template <class T, class O, class N> cudaError_t inclusive(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceScan::InclusiveScanByKey(h->temporary, h->bytes, w->keys, in<T>(w), out<T>(w), O{}, N(w->count),
                                               cuda::std::equal_to<>{}, s);
}
template <class T, class O, class N> cudaError_t exclusive(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceScan::ExclusiveScanByKey(h->temporary, h->bytes, w->keys, in<T>(w), out<T>(w), O{}, T(0),
                                               N(w->count), cuda::std::equal_to<>{}, s);
}
template <class T, class O, class N> cudaError_t reduce(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceReduce::ReduceByKey(h->temporary, h->bytes, w->keys, w->keys_out, in<T>(w), out<T>(w),
                                          w->runs_out, O{}, N(w->count), s);
}
template <class T, class O, class N> cudaError_t reduce_offsets(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceSegmentedReduce::Reduce(h->temporary, h->bytes, in<T>(w), out<T>(w), int64_t(w->segment_count),
                                              w->offsets, w->offsets + 1, O{}, T(0), s);
}
#if CUB_VERSION >= 300100 // before, there were no segments of equal length
template <class T, class O, class N> cudaError_t reduce_rows(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceSegmentedReduce::Sum(h->temporary, h->bytes, in<T>(w), out<T>(w), int64_t(w->segment_count),
                                           int(w->segment_length), s);
}
#else
template <class T, class O, class N> constexpr cudaError_t (*reduce_rows)(handle *, const peer_work *,
                                                                          cudaStream_t) = nullptr;
#endif
#ifdef SEGMENTED_SCANS
template <class T, class O, class N> cudaError_t scan_offsets(handle *h, const peer_work *w, cudaStream_t s) {
    return cub::DeviceSegmentedScan::InclusiveSegmentedScan(h->temporary, h->bytes, in<T>(w), out<T>(w), w->offsets,
                                                            w->offsets + 1, int64_t(w->segment_count), O{}, s);
}
#else
template <class T, class O, class N> constexpr cudaError_t (*scan_offsets)(handle *, const peer_work *,
                                                                           cudaStream_t) = nullptr;
#endif

// A work: "KIND OP RESULT LAYOUT" as scan_bench names it, and its functions for counts of 32 and 64 bits.
struct row {
    const char *op;
    function small, large;
};

#define ROW(text, name, ...) {text, name<__VA_ARGS__, int>, name<__VA_ARGS__, long long>}
#define TYPE(type, T)                                                                                                  \
    ROW("inclusive sum " type " keys", inclusive, T, cuda::std::plus<>),                                               \
        ROW("exclusive sum " type " keys", exclusive, T, cuda::std::plus<>),                                           \
        ROW("inclusive sum " type " offsets", scan_offsets, T, cuda::std::plus<>),                                     \
        ROW("reduce sum " type " keys", reduce, T, cuda::std::plus<>),                                                 \
        ROW("reduce sum " type " offsets", reduce_offsets, T, cuda::std::plus<>),                                       \
        ROW("reduce sum " type " rows", reduce_rows, T, cuda::std::plus<>)
const row rows[] = {
    TYPE("f32", float),
    TYPE("i32", int),
    TYPE("f64", double),
    ROW("inclusive max f32 keys", inclusive, float, cuda::maximum<>),
    ROW("inclusive user f32 keys", inclusive, float, own),
    ROW("reduce max f32 keys", reduce, float, cuda::maximum<>),
    ROW("reduce user f32 keys", reduce, float, own),
};

// 32-bit counts where they are enough: that is what a caller would pass. Results have the elements' type.
void find(const peer_work *w, handle *h) {
    for (const row &r : rows)
        if (strcmp(w->op, r.op) == 0 && strstr(w->op, w->type) != nullptr)
            h->run = w->count < (1ull << 31) ? r.small : r.large;
}

} // namespace
