/* Kernels that move their data by asynchronous copies: what NVRTC makes of their inline PTX, through whole pipelines.
 */
#include "support/fixtures/kernel_case.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 3 * 4096 + 512, THREADS = 128 };

/* What both kernels begin with: addresses in shared memory, mbarriers, and a sum over the block. */
#define HEAD                                                                                                           \
    "typedef unsigned u32; typedef unsigned long long u64;\n"                                                          \
    "__device__ u32 place(const void *p) { return (u32)__cvta_generic_to_shared(p); }\n"                               \
    "__device__ void start(u64 *bar, u32 count) {\n"                                                                   \
    "    asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\" :: \"r\"(place(bar)), \"r\"(count) : \"memory\");\n" \
    "}\n"                                                                                                              \
    "__device__ void expect(u64 *bar, u32 bytes) {\n"                                                                  \
    "    asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" :: \"r\"(place(bar)), "               \
    "\"r\"(bytes) : \"memory\");\n"                                                                                    \
    "}\n"                                                                                                              \
    "__device__ void arrive(u64 *bar) {\n"                                                                             \
    "    asm volatile(\"mbarrier.arrive.shared::cta.b64 _, [%0];\" :: \"r\"(place(bar)) : \"memory\");\n"              \
    "}\n"                                                                                                              \
    "__device__ void wait(u64 *bar, u32 parity) {\n"                                                                   \
    "    u32 done;\n"                                                                                                  \
    "    do asm volatile(\"{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, "  \
    "p; }\" : \"=r\"(done) : \"r\"(place(bar)), \"r\"(parity) : \"memory\");\n"                                        \
    "    while (!done);\n"                                                                                             \
    "}\n"                                                                                                              \
    "__device__ void add_up(u32 sum, u32 *out) {\n"                                                                    \
    "    sum = __reduce_add_sync(0xffffffffu, sum);\n"                                                                 \
    "    if (threadIdx.x % 32 == 0) atomicAdd(out, sum);\n"                                                            \
    "}\n"

/* Tiles of 512 words come by bulk copies into 3 stages; `full` and `empty` mbarriers hand them to and fro. */
static const char bulk_source[] =
    HEAD "extern \"C\" __global__ void __launch_bounds__(128) sum(const u32 *in, u32 tiles, u32 *out) {\n"
         "    __shared__ __align__(128) u32 tile[3][512];\n"
         "    __shared__ __align__(8) u64 full[3], empty[3];\n"
         "    u32 mine = 0;\n"
         "    if (threadIdx.x == 0) {\n"
         "        for (int s = 0; s < 3; s++) { start(&full[s], 1); start(&empty[s], 128); }\n"
         "        asm volatile(\"fence.proxy.async;\" ::: \"memory\");\n"
         "    }\n"
         "    __syncthreads();\n"
         "    u32 issued = 0, taken = 0;\n"
         "    for (u32 t = blockIdx.x; t < tiles; t += gridDim.x, taken++) {\n"
         "        if (threadIdx.x == 0)\n"
         "            for (; issued < taken + 3 && blockIdx.x + issued * gridDim.x < tiles; issued++) {\n"
         "                u32 s = issued % 3;\n"
         "                wait(&empty[s], (issued / 3 & 1) ^ 1);\n"
         "                expect(&full[s], 2048);\n"
         "                asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
         "2048, [%2];\" :: \"r\"(place(tile[s])), \"l\"(__cvta_generic_to_global(in + 512 * (blockIdx.x + issued * "
         "gridDim.x))), \"r\"(place(&full[s])) : \"memory\");\n"
         "            }\n"
         "        __syncwarp();\n"
         "        wait(&full[taken % 3], taken / 3 & 1);\n"
         "        for (int k = 0; k < 4; k++) mine += tile[taken % 3][threadIdx.x + 128 * k];\n"
         "        arrive(&empty[taken % 3]);\n"
         "    }\n"
         "    add_up(mine, out);\n"
         "}\n";

/* Each thread brings 16 bytes at a time, 4 groups ahead, and takes its neighbour's. */
static const char lane_source[] =
    HEAD "__device__ void bring(const u32 *to, const u32 *from, int bytes) {\n"
         "    asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16, %2;\\n\\tcp.async.commit_group;\" :: "
         "\"r\"(place(to)), \"l\"(__cvta_generic_to_global(from)), \"r\"(bytes) : \"memory\");\n"
         "}\n"
         "extern \"C\" __global__ void __launch_bounds__(128) sum(const u32 *in, u32 tiles, u32 *out) {\n"
         "    __shared__ __align__(16) u32 tile[4][512];\n"
         "    u32 mine = 0, own = 4 * threadIdx.x, other = own ^ 256;\n"
         "    for (u32 s = 0; s < 3; s++) {\n"
         "        u32 t = blockIdx.x + s * gridDim.x;\n"
         "        bring(&tile[s][own], t < tiles ? in + 512 * t + own : in, t < tiles ? 16 : 0);\n"
         "    }\n"
         "    for (u32 t = blockIdx.x, k = 0; t < tiles; t += gridDim.x, k++) {\n"
         "        u32 next = t + 3 * gridDim.x;\n"
         "        asm volatile(\"cp.async.wait_group 2;\" ::: \"memory\");\n"
         "        __syncthreads();\n"
         "        for (int i = 0; i < 4; i++) mine += tile[k % 4][other + i];\n"
         "        bring(&tile[(k + 3) % 4][own], next < tiles ? in + 512 * next + own : in, next < tiles ? 16 : 0);\n"
         "    }\n"
         "    asm volatile(\"cp.async.wait_all;\" ::: \"memory\");\n"
         "    add_up(mine, out);\n"
         "}\n";

/* A block's squares go out in one bulk copy. */
static const char store_source[] = HEAD
    "extern \"C\" __global__ void __launch_bounds__(128) squares(u32 *out) {\n"
    "    __shared__ __align__(128) u32 tile[128];\n"
    "    u32 i = blockIdx.x * 128 + threadIdx.x;\n"
    "    tile[threadIdx.x] = i * i;\n"
    "    asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x != 0) return;\n"
    "    asm volatile(\"cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;\\n\\tcp.async.bulk.commit_group;"
    "\\n\\tcp.async.bulk.wait_group.read 0;\" :: \"l\"(__cvta_generic_to_global(out + blockIdx.x * 128)), "
    "\"r\"(place(tile)) : \"memory\");\n"
    "}\n";

static void needs(const opened *device, int major) {
    if (device->info.capability_major >= major) return;
    skip_because("the device has compute capability %d.%d, and %d.0 is needed\n", device->info.capability_major,
                 device->info.capability_minor, major);
}

static void sums(const opened *device, const char *source) {
    const jr_program program = JR_INIT(jr_program, .name = "sum", .source = source, .entry = "sum");
    jr_kernel *kernel = kernel_new(device, &program);
    uint32_t *data = test_bytes(COUNT * sizeof *data), wanted = 0, tiles = COUNT / 512, got = 0;
    for (uint32_t i = 0; i < COUNT; i++) wanted += data[i] = i * 2654435761u;
    uint32_t *d_in = device_new(device, COUNT * sizeof *data), *d_out = device_new(device, sizeof *d_out);
    device_write(device, d_in, data, COUNT * sizeof *data);
    for (unsigned grid = 1; grid <= 5; grid++) {
        uint32_t zero = 0;
        void *args[] = {&d_in, &tiles, &d_out};
        device_write(device, d_out, &zero, sizeof zero);
        works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {grid}, .block = {THREADS}), args));
        device_read(device, &got, d_out, sizeof got);
        assert_int_equal(got, wanted);
    }
}

TEST(a_ring_of_bulk_copies_brings_every_element) {
    needs(*state, 9);
    sums(*state, bulk_source);
}

TEST(groups_of_copies_by_threads_bring_every_element) {
    needs(*state, 8);
    sums(*state, lane_source);
}

DEVICE_TEST(bulk_copies_bring_results_out) {
    needs(device, 9);
    const jr_program program = JR_INIT(jr_program, .name = "squares", .source = store_source, .entry = "squares");
    jr_kernel *kernel = kernel_new(device, &program);
    uint32_t results[5 * THREADS] = {0}, *d_out = device_new(device, sizeof results);
    void *args[] = {&d_out};
    device_write(device, d_out, results, sizeof results); /* initcheck does not see what bulk copies write */
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {5}, .block = {THREADS}), args));
    device_read(device, results, d_out, sizeof results);
    for (uint32_t i = 0; i < 5 * THREADS; i++) assert_int_equal(results[i], i * i);
}

RUN_TESTS(open_context, close_context)
