/* A kernel of your own: its text, constants that are compiled in, and the arguments of a launch.
 *
 * cc own_kernel.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * 12 24 36 48
 */
#include <jitreduce.h>
#include <stdio.h>

static const char source[] = "extern \"C\" __global__ void saxpy(const float *x, float *y) {\n"
                             "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < COUNT) y[i] += SCALE * x[i];\n"
                             "}\n";

/* Computes y = y + 2 x, with both arrays copied to device memory and y copied back. */
static jr_status run(jr_context *context, const float x[4], float y[4]) {
    const jr_named_text constants[] = {{"SCALE", "2.0f"}, {"COUNT", "4"}};
    const jr_program program = JR_INIT(jr_program, .name = "saxpy", .source = source, .entry = "saxpy",
                                       .constants = constants, .constant_count = 2);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {32});
    const size_t bytes = 4 * sizeof(float);
    jr_kernel *kernel = NULL;
    void *d_x = NULL, *d_y = NULL;
    jr_status status = jr_kernel_get(context, &program, &kernel);
    if (status == JR_OK) status = jr_memory_new(context, bytes, &d_x);
    if (status == JR_OK) status = jr_memory_new(context, bytes, &d_y);
    if (status == JR_OK) status = jr_memory_write(context, d_x, x, bytes);
    if (status == JR_OK) status = jr_memory_write(context, d_y, y, bytes);
    if (status == JR_OK) status = jr_kernel_launch(kernel, &launch, (void *[]){&d_x, &d_y});
    if (status == JR_OK) status = jr_memory_read(context, y, d_y, bytes);
    jr_memory_free(context, d_x);
    jr_memory_free(context, d_y);
    return status;
}

int main(void) {
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    const float x[4] = {1, 2, 3, 4};
    float y[4] = {10, 20, 30, 40};
    jr_context *context = NULL;
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = run(context, x, y);
    jr_context_close(context);
    if (status != JR_OK) return fprintf(stderr, "%s\n%s", jr_last_error()->message, jr_last_error()->log), 1;
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    return 0;
}
