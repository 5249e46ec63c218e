// What the peers of CUB share: a handle with temporary memory, and the peer's functions around each one's own `find`.
#ifndef JR_BENCH_PEER_CUB_CUH
#define JR_BENCH_PEER_CUB_CUH

#include <cstring>
#include <cub/cub.cuh>

#include "bench/peer.h"

namespace {

struct handle;
using function = cudaError_t (*)(handle *, const peer_work *, cudaStream_t);

struct handle {
    void *temporary = nullptr;
    size_t bytes = 0;
    function run = nullptr;
    const char *result = nullptr; // its type; nullptr: the one that jitreduce's operator has
};

// Sets run, and result where need be; nothing where CUB has no such work.
void find(const peer_work *work, handle *made);

// As a caller's own: CUB knows nothing of it.
struct own {
    __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

void *prepare(const peer_work *work) {
    handle *made = new handle;
    find(work, made);
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

const char *result(void *opaque) { return static_cast<handle *>(opaque)->result; }

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)
const peer self = {PEER_VERSION, "CUB " TEXT(CUB_VERSION), prepare, run, release, result};

} // namespace

extern "C" const peer *peer_get(void) { return &self; }

#endif
