// The peer of groups: CUB's sum on each GPU, NCCL's all-reduce of the partial sums, and a copy of the result.
//
// Build, with NCCL's header and library: nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -Itools/jitreduce
//                                        -o peer_cub_nccl.so tools/bench/peer_cub_nccl.cu -lnccl
// then: jitreduce bench --device cuda:all --peer ./peer_cub_nccl.so, or group_bench sum cuda:all 101 ./peer_cub_nccl.so
#include <nccl.h>

#include <cub/cub.cuh>
#include <string>
#include <vector>

#include "bench/group_peer.h"

namespace {

struct device {
    int ordinal;
    cudaStream_t stream;
    ncclComm_t communicator;
    float *part, *whole;
    void *temporary;
    size_t bytes;
};

struct group {
    std::vector<device> devices;
    float *host; // pinned
};

#define TRY(call)                                                                                                      \
    if (const int error = int(call)) return error

int sum_parts(group *g, const float *const *in, uint64_t count) {
    for (size_t i = 0; i < g->devices.size(); i++) {
        device &d = g->devices[i];
        TRY(cudaSetDevice(d.ordinal));
        TRY(cub::DeviceReduce::Sum(d.temporary, d.bytes, in[i], d.part, int64_t(count), d.stream));
    }
    return 0;
}

int run(void *handle, const float *const *in, uint64_t count) {
    group *g = static_cast<group *>(handle);
    TRY(sum_parts(g, in, count));
    TRY(ncclGroupStart());
    for (device &d : g->devices) TRY(ncclAllReduce(d.part, d.whole, 1, ncclFloat, ncclSum, d.communicator, d.stream));
    return ncclGroupEnd();
}

int wait(void *handle) {
    group *g = static_cast<group *>(handle);
    for (device &d : g->devices) TRY(cudaStreamSynchronize(d.stream));
    return 0;
}

int value(void *handle, const float *const *in, uint64_t count, float *out) {
    group *g = static_cast<group *>(handle);
    device &first = g->devices[0];
    TRY(run(handle, in, count));
    TRY(cudaSetDevice(first.ordinal));
    TRY(cudaMemcpyAsync(g->host, first.whole, sizeof(float), cudaMemcpyDeviceToHost, first.stream));
    TRY(cudaStreamSynchronize(first.stream));
    *out = *g->host;
    return 0;
}

int fold(void *handle, const float *const *in, float *const *out, uint64_t count) {
    group *g = static_cast<group *>(handle);
    TRY(ncclGroupStart());
    for (size_t i = 0; i < g->devices.size(); i++)
        TRY(ncclAllReduce(in[i], out[i], count, ncclFloat, ncclSum, g->devices[i].communicator, g->devices[i].stream));
    return ncclGroupEnd();
}

int prepare(group *g, int count, const int *ordinals, uint64_t elements) {
    std::vector<ncclComm_t> communicators(count);
    TRY(ncclCommInitAll(communicators.data(), count, ordinals));
    for (int i = 0; i < count; i++) {
        device d = {ordinals[i], nullptr, communicators[i], nullptr, nullptr, nullptr, 0};
        TRY(cudaSetDevice(d.ordinal));
        TRY(cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking));
        TRY(cudaMalloc(&d.part, sizeof(float)));
        TRY(cudaMalloc(&d.whole, sizeof(float)));
        TRY(cub::DeviceReduce::Sum(nullptr, d.bytes, d.part, d.whole, int64_t(elements), d.stream));
        TRY(cudaMalloc(&d.temporary, d.bytes));
        g->devices.push_back(d);
    }
    return cudaMallocHost(&g->host, sizeof(float));
}

void *open_group(int count, const int *ordinals, uint64_t elements) {
    group *g = new group{};
    if (prepare(g, count, ordinals, elements) == 0) return g;
    delete g;
    return nullptr;
}

void close_group(void *handle) {
    group *g = static_cast<group *>(handle);
    for (device &d : g->devices) {
        cudaSetDevice(d.ordinal);
        cudaStreamSynchronize(d.stream);
        ncclCommDestroy(d.communicator);
        cudaFree(d.part);
        cudaFree(d.whole);
        cudaFree(d.temporary);
        cudaStreamDestroy(d.stream);
    }
    cudaFreeHost(g->host);
    delete g;
}

} // namespace

extern "C" const group_peer *group_peer_get(void) {
    static std::string name;
    static group_peer made = {GROUP_PEER_VERSION, nullptr, open_group, value, run, wait, fold, close_group};
    int version = 0;
    ncclGetVersion(&version);
    name = "CUB " + std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
           std::to_string(CUB_SUBMINOR_VERSION) + " and NCCL " + std::to_string(version / 10000) + "." +
           std::to_string(version / 100 % 100) + "." + std::to_string(version % 100);
    made.name = name.c_str();
    return &made;
}
