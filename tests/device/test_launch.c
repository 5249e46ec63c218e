/* Launches: shapes, shared memory up to all there is, what does not fit, occupancy. */
#include "support/fixtures/kernel_case.h"

#include <string.h>

/* Each thread writes its number into dynamic shared memory, and its mirror's into out. */
static const char mirror[] = "extern \"C\" __global__ void mirror(int *out, int words) {\n"
                             "    extern __shared__ int room[];\n"
                             "    for (int i = threadIdx.x; i < words; i += blockDim.x) room[i] = i;\n"
                             "    __syncthreads();\n"
                             "    if (threadIdx.x == 0) *out = room[words - 1] + room[0];\n"
                             "}\n";

static const char fixed[] = "extern \"C\" __global__ void __launch_bounds__(128) fixed(int *out) {\n"
                            "    __shared__ int room[4096];\n"
                            "    for (int i = threadIdx.x; i < 4096; i += blockDim.x) room[i] = i;\n"
                            "    __syncthreads();\n"
                            "    if (threadIdx.x == 0) *out = room[4095];\n"
                            "}\n";

static jr_kernel *get(const opened *device, const char *source, const char *entry) {
    const jr_program program = JR_INIT(jr_program, .name = entry, .source = source, .entry = entry);
    return kernel_new(device, &program);
}

static int mirrored(const opened *device, jr_kernel *kernel, unsigned shared_bytes) {
    int words = (int)(shared_bytes / 4), answer = -1;
    int *d_out = device_new(device, sizeof *d_out);
    void *args[] = {&d_out, &words};
    works(
        jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {64}, .shared_bytes = shared_bytes), args));
    device_read(device, &answer, d_out, sizeof answer);
    return answer;
}

DEVICE_TEST(dynamic_shared_memory_may_be_all_there_is) {
    jr_kernel *kernel = get(device, mirror, "mirror");
    const unsigned most = (unsigned)device->info.shared_bytes_per_block_optin;
    const unsigned sizes[] = {4, 1024, 48 * 1024, 48 * 1024 + 4, 64 * 1024, most, 50 * 1024, 16};
    assert_true(most > 48 * 1024);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(mirrored(device, kernel, sizes[i]), sizes[i] / 4 - 1);
}

DEVICE_TEST(a_launch_that_does_not_fit_tells_the_limits) {
    jr_kernel *kernel = get(device, mirror, "mirror"), *small = get(device, fixed, "fixed");
    const unsigned most = (unsigned)device->info.shared_bytes_per_block_optin;
    int *d_out = device_new(device, sizeof *d_out), words = 1;
    void *args[] = {&d_out, &words};
    const jr_launch much_shared = JR_INIT(jr_launch, .grid = {1}, .block = {32}, .shared_bytes = most + 4);
    const jr_launch many_threads = JR_INIT(jr_launch, .grid = {1}, .block = {1025}),
                    over_bound = JR_INIT(jr_launch, .grid = {1}, .block = {160});
    const jr_launch flat = JR_INIT(jr_launch, .grid = {1}, .block = {32, 32, 2});
    fails(jr_kernel_launch(kernel, &much_shared, args), JR_ERROR_LAUNCH_RESOURCES, "dynamic shared bytes");
    fails(jr_kernel_launch(kernel, &many_threads, args), JR_ERROR_LAUNCH_RESOURCES, "a block of 1025 threads");
    fails(jr_kernel_launch(kernel, &flat, args), JR_ERROR_LAUNCH_RESOURCES, "a block of 2048 threads");
    const jr_launch deep = JR_INIT(jr_launch, .grid = {1}, .block = {1, 1, 65}),
                    high = JR_INIT(jr_launch, .grid = {1, 65536}, .block = {1});
    const jr_launch huge = JR_INIT(jr_launch, .grid = {1}, .block = {UINT32_MAX, UINT32_MAX, UINT32_MAX});
    fails(jr_kernel_launch(kernel, &deep, args), JR_ERROR_LAUNCH_RESOURCES, "block z of the launch is 65");
    fails(jr_kernel_launch(kernel, &high, args), JR_ERROR_LAUNCH_RESOURCES, "grid y of the launch is 65536");
    fails(jr_kernel_launch(kernel, &huge, args), JR_ERROR_LAUNCH_RESOURCES, "a block of 18446744073709551615 threads");
    fails(jr_kernel_launch(small, &over_bound, args), JR_ERROR_LAUNCH_RESOURCES, "at most 128 threads");
    assert_non_null(strstr(jr_last_error()->message, "16384 static shared bytes"));
    assert_string_not_equal(jr_last_error()->driver_name, "");
    assert_int_equal(mirrored(device, kernel, 64), 15);
}

DEVICE_TEST(an_empty_launch_is_refused) {
    jr_kernel *kernel = get(device, mirror, "mirror");
    fails(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {0}, .block = {1}), NULL), JR_ERROR_INVALID_ARGUMENT,
          "0 blocks of 1 threads");
    fails(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {3}, .block = {0}), NULL), JR_ERROR_INVALID_ARGUMENT,
          "3 blocks of 0 threads");
    fails(jr_kernel_launch(NULL, &JR_INIT(jr_launch, .grid = {1}, .block = {1}), NULL), JR_ERROR_INVALID_ARGUMENT,
          "is NULL");
    fails(jr_kernel_launch(kernel, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "is NULL");
}

static const char shape[] = "extern \"C\" __global__ void shape(int *out) {\n"
                            "    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);\n"
                            "    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
                            "    atomicAdd(out + thread + blockDim.x * blockDim.y * blockDim.z * block, 1 + thread);\n"
                            "}\n";

DEVICE_TEST(grids_and_blocks_have_three_dimensions) {
    enum { THREADS = 5 * 3 * 2, BLOCKS = 2 * 4 * 3 };
    int out[BLOCKS * THREADS] = {0};
    int *d_out = device_new(device, sizeof out);
    void *args[] = {&d_out};
    device_write(device, d_out, out, sizeof out);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {2, 4, 3}, .block = {5, 3, 2});
    works(jr_kernel_launch(get(device, shape, "shape"), &launch, args));
    device_read(device, out, d_out, sizeof out);
    for (int i = 0; i < BLOCKS * THREADS; i++) assert_int_equal(out[i], 1 + i % THREADS);
}

DEVICE_TEST(a_kernel_tells_what_it_takes) {
    jr_kernel_info info = JR_INIT(jr_kernel_info);
    jr_kernel *kernel = get(device, fixed, "fixed");
    works(jr_kernel_info_get(kernel, &info));
    assert_int_equal(info.shared_bytes, 16384);
    assert_int_equal(info.max_threads_per_block, 128);
    assert_in_range(info.registers, 1, 255);
    assert_int_equal(info.local_bytes, 0);
    assert_true(info.ptx_version >= 50 && info.binary_version >= 50);
    assert_int_equal(info.parameter_count, 1);
    assert_int_equal(info.parameter_bytes, 8);
    fails(jr_kernel_info_get(NULL, &info), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    fails(jr_kernel_info_get(kernel, NULL), JR_ERROR_INVALID_ARGUMENT, "is NULL");
}

DEVICE_TEST(occupancy_falls_with_shared_memory) {
    jr_kernel *kernel = get(device, mirror, "mirror");
    int light = 0, heavy = 0, block = 0, grid = 0;
    const size_t third = device->info.shared_bytes_per_multiprocessor / 3 - 2048;
    works(jr_kernel_occupancy(kernel, 128, 0, &light));
    assert_in_range(light, 4, device->info.max_blocks_per_multiprocessor);
    assert_true(light * 128 <= device->info.max_threads_per_multiprocessor);
    works(jr_kernel_occupancy(kernel, 128, 40 * 1024, &heavy));
    assert_in_range(heavy, 1, third / 1024);
    assert_true(heavy < light);
    works(jr_kernel_block_choose(kernel, 0, &block, &grid));
    assert_in_range(block, 32, 1024);
    assert_int_equal(block % 32, 0);
    assert_int_equal(grid % device->info.multiprocessor_count, 0);
    works(jr_kernel_block_choose(get(device, fixed, "fixed"), 0, &block, &grid));
    assert_in_range(block, 32, 128);
    fails(jr_kernel_occupancy(kernel, 0, 0, &light), JR_ERROR_INVALID_ARGUMENT, "block is 0");
    fails(jr_kernel_block_choose(kernel, 0, NULL, &grid), JR_ERROR_INVALID_ARGUMENT, "is NULL");
}

/* Each launch adds to the result of the launch before; on a GPU that can, they overlap. */
static const char chained[] =
    "extern \"C\" __global__ void chained(const unsigned *from, unsigned *to, unsigned by) {\n"
    "#if __CUDA_ARCH__ >= 900\n"
    "    asm volatile(\"griddepcontrol.launch_dependents; griddepcontrol.wait;\" ::: \"memory\");\n"
    "#endif\n"
    "    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    to[i] = from[i ^ 1023] * 3 + by;\n"
    "}\n";

TEST(dependent_launches_see_what_was_written_before_them) {
    enum { THREADS = 1024, LAUNCHES = 200 };
    const opened *device = *state;
    jr_kernel *kernel = get(device, chained, "chained");
    unsigned expected = 0, found[2 * THREADS] = {0};
    unsigned *words = device_new(device, sizeof found), *from, *to, by;
    void *args[] = {&from, &to, &by};
    device_write(device, words, found, sizeof found);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {THREADS}, .dependent = 1);
    for (by = 1; by <= LAUNCHES; by++) {
        from = words + (by % 2 != 0 ? 0 : THREADS);
        to = words + (by % 2 != 0 ? THREADS : 0);
        works(jr_kernel_launch(kernel, &launch, args));
        expected = expected * 3 + by;
    }
    device_read(device, found, words, sizeof found);
    for (int i = 0; i < THREADS; i++) assert_int_equal(found[i], expected); /* an even number of launches */
}

RUN_TESTS(open_context, close_context)
