// y = a x + y, and a kernel whose arguments are a struct and a byte.
extern "C" __global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

struct pair {
    float scale;
    double shift;
};

extern "C" __global__ void affine(pair by, unsigned char count, double *y) {
    if (threadIdx.x < count) y[threadIdx.x] = by.scale * threadIdx.x + by.shift;
}

template <typename T, int FACTOR> __global__ void scale(T *x) {
    x[blockIdx.x * blockDim.x + threadIdx.x] *= FACTOR;
}

// Where each thread stands.
extern "C" __global__ void places(int *place) {
    int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    extern __shared__ int room[];
    room[thread] = thread;
    place[block * blockDim.x * blockDim.y * blockDim.z + thread] = 100 * block + room[thread];
}
