// A plan inside a program of the CUDA runtime: its stream, its memory and its kernels before and after.
//
// nvcc runtime_program.cu $(pkg-config --cflags --libs-only-L --libs-only-l jitreduce)
//
// Prints:
// twice the sum of 0 to 99999 is 9.9999e+09
#include <cuda_runtime.h>
#include <jitreduce.h>
#include <stdio.h>

__global__ void fill(double *data, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] = i;
}

__global__ void twice(double *value) { *value *= 2; }

int main() {
    enum { COUNT = 100000 };
    double *data, *sum, result = 0;
    cudaStream_t stream;
    jr_context *context;
    jr_plan *plan;
    jr_spec spec = JR_INIT(jr_spec);
    spec.op = JR_OP_SUM;
    spec.type = JR_F64;
    if (cudaStreamCreate(&stream) || cudaMalloc(&data, COUNT * sizeof *data) || cudaMalloc(&sum, sizeof *sum)) {
        fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    jr_work work = JR_INIT(jr_work);
    work.spec = &spec;
    if (jr_context_open(NULL, &context) || jr_work_plan_create(context, &work, &plan)) { // the runtime's own context
        fprintf(stderr, "%s\n", jr_last_error()->message);
        return 1;
    }
    fill<<<(COUNT + 255) / 256, 256, 0, stream>>>(data, COUNT);
    const void *in[] = {data};
    jr_work_data where = JR_INIT(jr_work_data);
    where.in = in;
    where.count = COUNT;
    where.out = sum;
    if (jr_work_plan_run(plan, &where, NULL, stream)) {
        fprintf(stderr, "%s\n", jr_last_error()->message);
        return 1;
    }
    twice<<<1, 1, 0, stream>>>(sum);
    cudaMemcpyAsync(&result, sum, sizeof result, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("twice the sum of 0 to 99999 is %g\n", result);
    jr_plan_destroy(plan);
    jr_context_close(context);
    cudaFree(data);
    cudaFree(sum);
    cudaStreamDestroy(stream);
    return 0;
}
