/* What the tests of kernels and images share. */
#include "support/kernel_case.h"

const char saxpy_source[] = "extern \"C\" __global__ void saxpy(int n, const float *x, float *y) {\n"
                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n) y[i] = A * x[i] + y[i];\n"
                            "}\n";

jr_kernel *kernel_new(const opened *device, const jr_program *program) {
    jr_kernel *kernel = NULL;
    works(jr_kernel_get(device->context, program, &kernel));
    assert_non_null(kernel);
    return kernel;
}

void saxpy_multiplies_by(const opened *device, jr_kernel *kernel, float factor) {
    enum { COUNT = 1000 };
    float x[COUNT], y[COUNT];
    int n = COUNT;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    float *d_x = device_new(device, sizeof x), *d_y = device_new(device, sizeof y);
    device_write(device, d_x, x, sizeof x);
    device_write(device, d_y, y, sizeof y);
    void *args[] = {&n, &d_x, &d_y};
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {8}, .block = {128}), args));
    device_read(device, y, d_y, sizeof y);
    for (int i = 0; i < COUNT; i++) assert_true(y[i] == factor * (float)i + 1);
    device_free(device, d_y);
    device_free(device, d_x);
}

int kernel_answer(const opened *device, jr_kernel *kernel) {
    int answer = -1;
    int *d_out = device_new(device, sizeof *d_out);
    device_write(device, d_out, &answer, sizeof answer);
    void *args[] = {&d_out};
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {1}), args));
    device_read(device, &answer, d_out, sizeof answer);
    device_free(device, d_out);
    return answer;
}
