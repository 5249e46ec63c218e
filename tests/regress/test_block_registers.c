/* On the simulator a kernel that is compiled for blocks of 1024 threads, but keeps more than 64 values at once, did not
 * fit on a multiprocessor: it counted registers that the compiler would have spilled to honour the launch bound. The
 * same with blocks of 544 threads, whose 17 warps take the room of 20. */
#include "support/fixtures/open_context.h"

#include <stdio.h>
#include <string.h>

static const char source[] = "extern \"C\" __global__ void __launch_bounds__(BLOCK) many(const int *in, int *out) {\n"
                             "    int kept[100];\n"
                             "    for (int i = 0; i < 100; i++) kept[i] = in[(i * 7 + threadIdx.x) % 1024];\n"
                             "    __syncthreads();\n"
                             "    int mixed = 0;\n"
                             "    for (int i = 99; i >= 0; i--) mixed = mixed * 31 + kept[i];\n"
                             "    out[threadIdx.x] = mixed;\n"
                             "}\n";

static void run_with(const opened *device, unsigned block) {
    char text[8];
    const jr_named_text constants[] = {{"BLOCK", text}};
    const jr_program program = JR_INIT(jr_program, .name = "many", .source = source, .entry = "many",
                                       .constants = constants, .constant_count = 1);
    static int in[1024], out[1024];
    jr_kernel *kernel = NULL;
    int blocks = 0, wanted = 0;
    snprintf(text, sizeof text, "%u", block);
    for (int i = 0; i < 1024; i++) in[i] = i % 13;
    works(jr_kernel_get(device->context, &program, &kernel));
    works(jr_kernel_occupancy(kernel, (int)block, 0, &blocks));
    assert_true(blocks >= 1);
    int *d_in = device_new(device, sizeof in), *d_out = device_new(device, sizeof out);
    device_write(device, d_in, in, sizeof in);
    void *args[] = {&d_in, &d_out};
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {block}), args));
    device_read(device, out, d_out, sizeof out);
    for (int i = 99; i >= 0; i--) wanted = (int)((unsigned)wanted * 31u + (unsigned)in[(i * 7 + 5) % 1024]);
    assert_int_equal(out[5], wanted);
    device_free(device, d_in);
    device_free(device, d_out);
}

TEST(a_kernel_fits_the_block_it_is_compiled_for) {
    run_with(*state, 1024);
    run_with(*state, 544);
}

RUN_TESTS(open_context, close_context)
