/* Launches with attributes: cooperative ones, clusters that the launch asks for, priorities, and the driver's own. */
#include "support/fixtures/kernel_case.h"

#include <stdio.h>

enum { THREADS = 64, BLOCKS = 16, ROUNDS = 5 };

/* Each round reads what another block wrote in the round before. */
static const char rounds_source[] =
    "#include <cooperative_groups.h>\n"
    "extern \"C\" __global__ void rounds(unsigned *a, unsigned *b, int count) {\n"
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;\n"
    "    a[i] = i;\n"
    "    for (int k = 0; k < count; k++) {\n"
    "        cooperative_groups::this_grid().sync();\n"
    "        unsigned *from = k % 2 ? b : a, *to = k % 2 ? a : b;\n"
    "        to[i] = from[(i + blockDim.x) % all] + 1;\n"
    "    }\n"
    "}\n";

static const char place_source[] = "extern \"C\" __global__ void place(unsigned *out) {\n"
                                   "    unsigned rank = 0, size = 1;\n"
                                   "#if __CUDA_ARCH__ >= 900\n"
                                   "    rank = __clusterRelativeBlockRank();\n"
                                   "    size = __clusterSizeInBlocks();\n"
                                   "#endif\n"
                                   "    if (threadIdx.x == 0) out[blockIdx.x] = size * 100 + rank;\n"
                                   "}\n";

static jr_kernel *get(const opened *device, const char *source, const char *entry, int toolkit) {
    const jr_program program =
        JR_INIT(jr_program, .name = entry, .source = source, .entry = entry, .toolkit_headers = toolkit);
    return kernel_new(device, &program);
}

static void needs_clusters(const opened *device) {
    if (device->info.capability_major >= 9) return;
    skip_because("the device has compute capability %d.%d, and 9.0 is needed\n", device->info.capability_major,
                 device->info.capability_minor);
}

DEVICE_TEST(blocks_of_a_cooperative_launch_meet) {
    const unsigned all = BLOCKS * THREADS;
    uint32_t got[BLOCKS * THREADS], *d_a = device_new(device, sizeof got), *d_b = device_new(device, sizeof got);
    int count = ROUNDS;
    void *args[] = {&d_a, &d_b, &count};
    jr_kernel *kernel = get(device, rounds_source, "rounds", 1);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {BLOCKS}, .block = {THREADS}, .cooperative = 1);
    for (int again = 0; again < 3; again++) {
        works(jr_kernel_launch(kernel, &launch, args));
        device_read(device, got, d_b, sizeof got);
        for (unsigned i = 0; i < all; i++) assert_int_equal(got[i], (i + ROUNDS * THREADS) % all + ROUNDS);
    }
}

DEVICE_TEST(a_cooperative_launch_that_does_not_fit_tells_how_many_blocks_do) {
    int blocks = 0, count = 1;
    char most[64];
    jr_kernel *kernel = get(device, rounds_source, "rounds", 1);
    works(jr_kernel_occupancy(kernel, THREADS, 0, &blocks));
    blocks *= device->info.multiprocessor_count;
    uint32_t *d_a = device_new(device, (size_t)blocks * THREADS * 4),
             *d_b = device_new(device, (size_t)blocks * THREADS * 4);
    void *args[] = {&d_a, &d_b, &count};
    jr_launch launch = JR_INIT(jr_launch, .grid = {(unsigned)blocks + 1}, .block = {THREADS}, .cooperative = 1);
    snprintf(most, sizeof most, "launch at most %d", blocks);
    fails(jr_kernel_launch(kernel, &launch, args), JR_ERROR_LAUNCH_RESOURCES, most);
    launch.grid[0] = (unsigned)blocks;
    works(jr_kernel_launch(kernel, &launch, args));
    works(jr_context_wait(device->context));
    launch.block[0] = 4096;
    fails(jr_kernel_launch(kernel, &launch, args), JR_ERROR_LAUNCH_RESOURCES, "a block of 4096 threads");
    launch.cooperative = 2;
    fails(jr_kernel_launch(kernel, &launch, args), JR_ERROR_INVALID_ARGUMENT, "cooperative is 2");
}

TEST(a_launch_gives_its_kernel_clusters) {
    static const unsigned sizes[] = {2, 4, 8, 16};
    const opened *device = *state;
    uint32_t got[BLOCKS], *d_out = device_new(device, sizeof got);
    void *args[] = {&d_out};
    needs_clusters(device);
    jr_kernel *kernel = get(device, place_source, "place", 0);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const jr_launch launch = JR_INIT(jr_launch, .grid = {BLOCKS}, .block = {32}, .cluster = {sizes[k]},
                                         .cluster_policy = JR_CLUSTER_POLICY_SPREAD, .priority = -1);
        int clusters = 0;
        works(jr_kernel_clusters(kernel, &launch, &clusters));
        assert_true(clusters > 0);
        works(jr_kernel_launch(kernel, &launch, args));
        device_read(device, got, d_out, sizeof got);
        for (unsigned b = 0; b < BLOCKS; b++) assert_int_equal(got[b], sizes[k] * 100 + b % sizes[k]);
    }
}

DEVICE_TEST(attributes_of_the_driver_are_passed_on) {
    uint32_t got[BLOCKS], *d_out = device_new(device, sizeof got);
    void *args[] = {&d_out};
    needs_clusters(device);
    const jr_cu_launch_attribute given[] = {{.id = JR_CU_LAUNCH_CLUSTER, .value.cluster = {4, 1, 1}},
                                            {.id = JR_CU_LAUNCH_PRIORITY, .value.flag = 0}};
    jr_launch launch = JR_INIT(jr_launch, .grid = {BLOCKS}, .block = {32}, .attribute_count = 2);
    jr_kernel *kernel = get(device, place_source, "place", 0);
    fails(jr_kernel_launch(kernel, &launch, args), JR_ERROR_INVALID_ARGUMENT, "array is NULL");
    launch.attributes = (const struct CUlaunchAttribute_st *)given;
    works(jr_kernel_launch(kernel, &launch, args));
    device_read(device, got, d_out, sizeof got);
    for (unsigned b = 0; b < BLOCKS; b++) assert_int_equal(got[b], 400 + b % 4);
    launch.attribute_count = 33;
    fails(jr_kernel_launch(kernel, &launch, args), JR_ERROR_INVALID_ARGUMENT, "33 attributes: give at most 32");
}

DEVICE_TEST(a_cluster_that_does_not_divide_the_grid_is_refused) {
    int clusters = 0;
    jr_launch launch = JR_INIT(jr_launch, .grid = {6, 4}, .block = {32}, .cluster = {2, 3});
    jr_kernel *kernel = get(device, place_source, "place", 0);
    fails(jr_kernel_clusters(kernel, &launch, &clusters), JR_ERROR_INVALID_ARGUMENT, "grid y of the launch is 4");
    launch.cluster_policy = (jr_cluster_policy)7;
    fails(jr_kernel_clusters(kernel, &launch, &clusters), JR_ERROR_INVALID_ARGUMENT, "cluster_policy is 7");
    fails(jr_kernel_clusters(kernel, NULL, &clusters), JR_ERROR_INVALID_ARGUMENT, "is NULL");
}

RUN_TESTS(open_context, close_context)
