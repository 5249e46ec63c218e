// The peer CUB, whose sums have the same bits on every GPU: cub::DeviceReduce::Sum of f32 and f64 that is required to be
// deterministic from GPU to GPU, in an execution environment. Beside `jitreduce bench --accuracy exact`.
//
// Build, with CCCL 3.1 or newer, which is newer than CUDA 13.0's (pip's nvidia-cuda-cccl is):
//   nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -Itools/jitreduce -I <cccl>/include
//        -o peer_cub_reproducible.so tools/bench/peer_cub_reproducible.cu
// then: jitreduce bench --accuracy exact --peer peer_cub_reproducible.so
#include <cub/version.cuh>

#if CUB_VERSION < 300100
#error "this CUB has no sums that are deterministic from GPU to GPU: CCCL 3.1 or newer has them"
#endif

#include <cstring>
#include <cub/cub.cuh>
#include <cuda/execution>
#include <cuda/memory_resource>
#if __has_include(<cuda/stream>)
#include <cuda/stream>
#else
#include <cuda/stream_ref>
#endif
#include <new>

#include "bench/peer.h"

namespace {

// Temporary storage that is kept from run to run, as a caller's would be: the first run allocates it.
struct storage {
    void *held = nullptr;
    size_t bytes = 0;
    ~storage() { cudaFree(held); }
    void *at_least(size_t wanted) {
        if (wanted <= bytes) return held;
        cudaFree(held);
        bytes = 0;
        if (cudaMalloc(&held, wanted) != cudaSuccess) held = nullptr;
        if (held == nullptr) throw std::bad_alloc();
        bytes = wanted;
        return held;
    }
};

// It lends the storage and takes nothing back.
struct lender {
    storage *of;
    void *allocate(cuda::stream_ref, size_t bytes, size_t = 0) { return of->at_least(bytes); }
    void deallocate(cuda::stream_ref, void *, size_t, size_t = 0) noexcept {}
    void *allocate_sync(size_t bytes, size_t = 0) { return of->at_least(bytes); }
    void deallocate_sync(void *, size_t, size_t = 0) noexcept {}
    bool operator==(const lender &other) const { return of == other.of; }
    bool operator!=(const lender &other) const { return of != other.of; }
    [[maybe_unused]] friend void get_property(const lender &, cuda::mr::device_accessible) noexcept {}
};

struct handle {
    storage temporary;
    cudaError_t (*run)(handle *, const peer_work *, cudaStream_t) = nullptr;
    const char *result = nullptr; // its type
};

template <class T, class N> cudaError_t sum(handle *h, const peer_work *w, cudaStream_t s) {
    const auto wanted = cuda::execution::require(cuda::execution::determinism::gpu_to_gpu);
    const auto resource = cuda::std::execution::prop{cuda::mr::get_memory_resource, lender{&h->temporary}};
    const auto environment = cuda::std::execution::env{cuda::stream_ref{s}, resource, wanted};
    return cub::DeviceReduce::Sum(static_cast<const T *>(w->in[0]), static_cast<T *>(w->out), N(w->count), environment);
}

// 32-bit counts where they are enough: that is what a caller would pass.
template <class T> void take(const peer_work *w, handle *h) {
    h->run = w->count < (1ull << 31) ? sum<T, int> : sum<T, int64_t>;
    h->result = w->type;
}

void *prepare(const peer_work *w) {
    if (w->segment_count > 0 || std::strcmp(w->op, "sum") != 0 || cudaSetDevice(w->device) != cudaSuccess)
        return nullptr;
    handle *made = new handle;
    if (std::strcmp(w->type, "f32") == 0) take<float>(w, made);
    if (std::strcmp(w->type, "f64") == 0) take<double>(w, made);
    if (made->run != nullptr) return made;
    delete made;
    return nullptr;
}

int run(void *opaque, const peer_work *work, void *stream) {
    handle *h = static_cast<handle *>(opaque);
    try {
        return int(h->run(h, work, static_cast<cudaStream_t>(stream)));
    } catch (const std::bad_alloc &) {
        return int(cudaErrorMemoryAllocation);
    } catch (const cuda::cuda_error &error) {
        return int(error.status());
    }
}

void release(void *opaque) { delete static_cast<handle *>(opaque); }

const char *result(void *opaque) { return static_cast<handle *>(opaque)->result; }

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
const peer self = {PEER_VERSION, "CUB " TEXT(CUB_VERSION) " gpu_to_gpu", prepare, run, release, result};

} // namespace

extern "C" const peer *peer_get(void) { return &self; }
