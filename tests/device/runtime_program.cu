// A CUDA runtime program that shares its context, stream and memory with jitreduce: its own kernels before and after.
//
// Built by nvcc where there is one (tools/dev/check_gpu.sh): nvcc runtime_program.cu -ljitreduce
#include <cuda_runtime.h>
#include <stdio.h>

#include "jitreduce.h"

__global__ void fill(float *data, unsigned count) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] = (float)(i % 7);
}

__global__ void double_it(float *value) { *value *= 2; }

#define CHECK(call, good)                                                                                              \
    do {                                                                                                               \
        if ((call) != (good)) {                                                                                        \
            printf("line %d: %s failed: %s; %s\n", __LINE__, #call, jr_last_error()->message,                          \
                   cudaGetErrorString(cudaGetLastError()));                                                            \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

static const char saxpy[] = "extern \"C\" __global__ void saxpy(const float *x, float *y, unsigned n) {\n"
                            "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n) y[i] += SCALE * x[i];\n"
                            "}\n";

int main(void) {
    enum { COUNT = 1000003 };
    float *x, *y, sum = 0;
    double expected = 0;
    cudaStream_t stream;
    jr_context *context;
    jr_plan *plan;
    jr_kernel *kernel;
    jr_spec spec = JR_INIT(jr_spec);
    spec.op = JR_OP_SUM;
    spec.type = JR_F32;
    const jr_named_text scale = {"SCALE", "3.0f"};
    jr_program program = JR_INIT(jr_program);
    program.name = "saxpy";
    program.source = saxpy;
    program.entry = "saxpy";
    program.constants = &scale;
    program.constant_count = 1;

    CHECK(cudaStreamCreate(&stream), cudaSuccess); // from here on the runtime's primary context is current
    CHECK(cudaMalloc(&x, COUNT * sizeof *x), cudaSuccess);
    CHECK(cudaMalloc(&y, sizeof *y), cudaSuccess);
    CHECK(jr_context_open(NULL, &context), JR_OK);
    jr_work work = JR_INIT(jr_work);
    work.spec = &spec;
    CHECK(jr_work_plan_create(context, &work, &plan), JR_OK);
    CHECK(jr_kernel_get(context, &program, &kernel), JR_OK);

    unsigned count = COUNT;
    void *args[] = {&x, &x, &count}; // x += 3 x
    jr_launch launch = JR_INIT(jr_launch);
    launch.grid[0] = (COUNT + 255) / 256;
    launch.block[0] = 256;
    launch.stream = stream;
    fill<<<(COUNT + 255) / 256, 256, 0, stream>>>(x, COUNT);
    CHECK(jr_kernel_launch(kernel, &launch, args), JR_OK);
    jr_work_data data = JR_INIT(jr_work_data);
    const void *const in[] = {x};
    data.in = in;
    data.count = COUNT;
    data.out = y;
    CHECK(jr_work_plan_run(plan, &data, NULL, stream), JR_OK);
    double_it<<<1, 1, 0, stream>>>(y);
    CHECK(cudaMemcpyAsync(&sum, y, sizeof sum, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    CHECK(cudaStreamSynchronize(stream), cudaSuccess);
    CHECK(cudaGetLastError(), cudaSuccess);

    for (unsigned i = 0; i < COUNT; i++) expected += 8 * (i % 7);
    const double error = sum > expected ? sum - expected : expected - sum;
    printf("sum %.1f, expected %.1f\n", sum, expected);
    jr_plan_destroy(plan);
    jr_context_close(context);
    CHECK(cudaFree(x), cudaSuccess);
    CHECK(cudaStreamDestroy(stream), cudaSuccess);
    return error <= 1e-5 * expected ? 0 : 1;
}
