// Kernels with one defect each, for the simulator to find.
extern "C" __global__ void past_the_end(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) // one too many
        x[i] = 1;
}

extern "C" __global__ void race(int *out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    tile[threadIdx.x] += tile[63 - threadIdx.x]; // of which another thread makes something else
    out[threadIdx.x] = tile[threadIdx.x];
}

extern "C" __global__ void unwritten(float *out) {
    __shared__ float tile[64];
    if (threadIdx.x < 32) tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x] * 2; // only half of it was written
}

extern "C" __global__ void divergent(int *out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 40) {
        __syncthreads(); // not all of them come here
        out[threadIdx.x] = tile[39 - threadIdx.x];
    }
    __syncthreads();
    out[threadIdx.x] += tile[threadIdx.x ^ 1];
}

__device__ float third(const float *x) {
    return x[2];
}

extern "C" __global__ void called(const float *x, float *out) {
    out[threadIdx.x] = third(x); // x has two elements
}
