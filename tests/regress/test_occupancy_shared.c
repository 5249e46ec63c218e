/* Kernels with more dynamic shared memory than is free to all run, but their occupancy was 0 and no block was chosen.
 */
#include "support/fixtures/kernel_case.h"

static const jr_program program = {.size = sizeof(jr_program),
                                   .name = "large",
                                   .source = "extern \"C\" __global__ void k(int *out) {\n"
                                             "    extern __shared__ int room[];\n"
                                             "    room[threadIdx.x] = 42;\n"
                                             "    *out = room[threadIdx.x];\n"
                                             "}\n",
                                   .entry = "k"};

TEST(what_runs_has_an_occupancy) {
    const opened *device = *state;
    jr_kernel *kernel = kernel_new(device, &program);
    const size_t most = (size_t)device->info.shared_bytes_per_block_optin;
    int blocks = -1, fewer = -1;
    if (most <= 64 * 1024) {
        print_message("a block of this device has no more than %zu shared bytes\n", most);
        skip();
    }
    works(jr_kernel_occupancy(kernel, 64, 64 * 1024, &blocks));
    assert_true(blocks >= 1);
    works(jr_kernel_occupancy(kernel, 64, most, &fewer));
    assert_true(fewer >= 1 && fewer <= blocks);
    works(jr_kernel_occupancy(kernel, 64, most + 4, &blocks));
    assert_int_equal(blocks, 0);
    works(jr_kernel_occupancy(kernel, 64, SIZE_MAX, &blocks));
    assert_int_equal(blocks, 0);
}

TEST(a_block_is_chosen_for_it) {
    const opened *device = *state;
    jr_kernel *kernel = kernel_new(device, &program);
    const size_t most = (size_t)device->info.shared_bytes_per_block_optin;
    jr_kernel_info info = JR_INIT(jr_kernel_info);
    int block = -1, grid = -1;
    works(jr_kernel_info_get(kernel, &info));
    assert_int_equal(info.max_dynamic_shared_bytes, most);
    works(jr_kernel_block_choose(kernel, most, &block, &grid));
    assert_true(block >= 32 && grid >= device->info.multiprocessor_count);
    fails(jr_kernel_block_choose(kernel, most + 4, &block, &grid), JR_ERROR_LAUNCH_RESOURCES, "does not fit");
    fails(jr_kernel_block_choose(kernel, SIZE_MAX, &block, &grid), JR_ERROR_LAUNCH_RESOURCES, "does not fit");
    assert_true(block >= 32);
}

RUN_TESTS(open_context, close_context)
