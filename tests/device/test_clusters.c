/* Clusters of blocks in a caller's own kernels: what NVRTC makes of __cluster_dims__ and of inline PTX runs alike on
 * the simulator and on a GPU. */
#include "support/fixtures/kernel_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64, MOST_BLOCKS = 32, BINS = 512, DATA = 20000 };

#define HEAD                                                                                                           \
    "typedef unsigned u32; typedef unsigned long long u64;\n"                                                          \
    "__device__ u32 place(const void *p) { return (u32)__cvta_generic_to_shared(p); }\n"                               \
    "__device__ void meet() { __cluster_barrier_arrive(); __cluster_barrier_wait(); }\n"                               \
    "__device__ u32 there(u32 address, u32 rank) {\n"                                                                  \
    "    u32 mapped;\n"                                                                                                \
    "    asm(\"mapa.shared::cluster.u32 %0, %1, %2;\" : \"=r\"(mapped) : \"r\"(address), \"r\"(rank));\n"              \
    "    return mapped;\n"                                                                                             \
    "}\n"                                                                                                              \
    "__device__ u32 load(u32 address) {\n"                                                                             \
    "    u32 value;\n"                                                                                                 \
    "    asm volatile(\"ld.shared::cluster.u32 %0, [%1];\" : \"=r\"(value) : \"r\"(address) : \"memory\");\n"          \
    "    return value;\n"                                                                                              \
    "}\n"                                                                                                              \
    "__device__ void store(u32 address, u32 value) {\n"                                                                \
    "    asm volatile(\"st.shared::cluster.u32 [%0], %1;\" :: \"r\"(address), \"r\"(value) : \"memory\");\n"           \
    "}\n"

/* Each thread takes the value of its place in the next block, by a 32-bit address and by a generic one. */
static const char neighbour_source[] =
    HEAD "extern \"C\" __global__ void __cluster_dims__(SIZE, 1, 1) k(u32 *out) {\n"
         "    __shared__ u32 own[64];\n"
         "    u32 rank = __clusterRelativeBlockRank(), next = (rank + 1) % SIZE;\n"
         "    own[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;\n"
         "    meet();\n"
         "    u32 value = load(there(place(own + threadIdx.x), next));\n"
         "    u32 again = ((u32 *)__cluster_map_shared_rank(own, next))[threadIdx.x ^ 1];\n"
         "    meet();\n"
         "    out[blockIdx.x * 64 + threadIdx.x] = value * 10000 + again;\n"
         "}\n";

/* The bins lie in the shared memory of all blocks of the cluster. */
static const char histogram_source[] =
    HEAD "extern \"C\" __global__ void __cluster_dims__(8, 1, 1) k(const u32 *in, u32 count, u32 *out) {\n"
         "    __shared__ u32 bins[64];\n"
         "    bins[threadIdx.x] = 0;\n"
         "    meet();\n"
         "    for (u32 i = blockIdx.x * 64 + threadIdx.x; i < count; i += gridDim.x * 64)\n"
         "        atomicAdd((u32 *)__cluster_map_shared_rank(bins, in[i] / 64) + in[i] % 64, 1u);\n"
         "    meet();\n"
         "    atomicAdd(out + __clusterRelativeBlockRank() * 64 + threadIdx.x, bins[threadIdx.x]);\n"
         "}\n";

/* Blocks store their sums into the first one's memory; it adds them in their order. */
static const char sum_source[] =
    HEAD "extern \"C\" __global__ void __cluster_dims__(SIZE, 1, 1) k(const u32 *in, u32 *out) {\n"
         "    __shared__ u32 sums[8], own;\n"
         "    u32 rank = __clusterRelativeBlockRank(), sum = in[blockIdx.x * 64 + threadIdx.x];\n"
         "    if (threadIdx.x == 0) own = 0;\n"
         "    __cluster_barrier_arrive_relaxed();\n"
         "    __syncthreads();\n"
         "    sum = __reduce_add_sync(0xffffffffu, sum);\n"
         "    if (threadIdx.x % 32 == 0) atomicAdd(&own, sum);\n"
         "    __syncthreads();\n"
         "    __cluster_barrier_wait();\n"
         "    if (threadIdx.x == 0) store(there(place(sums + rank), 0), own);\n"
         "    meet();\n"
         "    if (rank != 0 || threadIdx.x != 0) return;\n"
         "    u32 total = 0;\n"
         "    for (u32 k = 0; k < SIZE; k++) total = total * 3 + sums[k];\n"
         "    out[blockIdx.x / SIZE] = total;\n"
         "}\n";

/* The first block's thread brings 64 words to all blocks; they take them, and say so to the first one's mbarrier, which
 * lets it end. Then each takes a word of the block before it, by an address that was handed on. */
static const char copies_source[] = HEAD
    "__device__ void start(u64 *bar, u32 count) {\n"
    "    asm volatile(\"mbarrier.init.shared::cta.b64 [%0], %1;\" :: \"r\"(place(bar)), \"r\"(count) : \"memory\");\n"
    "}\n"
    "__device__ void wait(u64 *bar) {\n"
    "    u32 done;\n"
    "    do asm volatile(\"{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; \"\n"
    "                    \"selp.u32 %0, 1, 0, p; }\" : \"=r\"(done) : \"r\"(place(bar)) : \"memory\");\n"
    "    while (!done);\n"
    "}\n"
    "extern \"C\" __global__ void __cluster_dims__(4, 1, 1) k(const u32 *in, u32 *out) {\n"
    "    __shared__ __align__(128) u32 tile[64];\n"
    "    __shared__ __align__(8) u64 full, taken;\n"
    "    __shared__ u32 own, given;\n"
    "    u32 rank = __clusterRelativeBlockRank(), first = rank == 0 && threadIdx.x == 0;\n"
    "    if (threadIdx.x == 0) {\n"
    "        start(&full, 1);\n"
    "        start(&taken, 4 * 64);\n"
    "        asm volatile(\"fence.mbarrier_init.release.cluster;\" ::: \"memory\");\n"
    "        asm volatile(\"fence.proxy.async;\" ::: \"memory\");\n"
    "        asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;\" :: \"r\"(place(&full)) : "
    "\"memory\");\n"
    "        own = 1000 + blockIdx.x;\n"
    "    }\n"
    "    __cluster_barrier_arrive_relaxed();\n"
    "    __cluster_barrier_wait();\n"
    "    if (first) asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes\"\n"
    "        \".multicast::cluster [%0], [%1], 256, [%2], %3;\" :: \"r\"(place(tile)), "
    "\"l\"(__cvta_generic_to_global(in + blockIdx.x / 4 * 64)), \"r\"(place(&full)), \"h\"((short)15) : \"memory\");\n"
    "    wait(&full);\n"
    "    u32 value = tile[threadIdx.x ^ 1];\n"
    "    asm volatile(\"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];\" :: \"r\"(there(place(&taken), "
    "0)) : "
    "\"memory\");\n"
    "    if (rank == 0) wait(&taken);\n"
    "    if (threadIdx.x == 0) store(there(place(&given), (rank + 1) % 4), place(&own));\n"
    "    meet();\n"
    "    out[blockIdx.x * 64 + threadIdx.x] = value + load(given);\n"
    "    meet();\n"
    "}\n";

/* Where each block is, in the order of the grid: 16 words. */
static const char registers_source[] =
    "extern \"C\" __global__ void __cluster_dims__(X, Y, Z) k(unsigned *out) {\n"
    "    unsigned *to = out + 16 * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));\n"
    "    dim3 inside = __clusterRelativeBlockIdx(), size = __clusterDim(), which = __clusterIdx();\n"
    "    dim3 grid = __clusterGridDimInClusters();\n"
    "    to[0] = inside.x, to[1] = inside.y, to[2] = inside.z, to[3] = __clusterRelativeBlockRank();\n"
    "    to[4] = size.x, to[5] = size.y, to[6] = size.z, to[7] = __clusterSizeInBlocks();\n"
    "    to[8] = which.x, to[9] = which.y, to[10] = which.z, to[11] = __clusterDimIsSpecified();\n"
    "    to[12] = grid.x, to[13] = grid.y, to[14] = grid.z, to[15] = 7;\n"
    "}\n";

static void needs_clusters(const opened *device) {
    if (device->info.capability_major >= 9) return;
    skip_because("the device has compute capability %d.%d, and 9.0 is needed\n", device->info.capability_major,
                 device->info.capability_minor);
}

/* The kernel k of a source, with X, Y, Z and their product SIZE defined. */
static jr_kernel *cluster_kernel(const opened *device, const char *source, const unsigned extents[3]) {
    static const char *const names[] = {"X", "Y", "Z", "SIZE"};
    const unsigned values[] = {extents[0], extents[1], extents[2], extents[0] * extents[1] * extents[2]};
    char texts[4][16];
    jr_named_text constants[4];
    for (size_t k = 0; k < 4; k++) {
        snprintf(texts[k], sizeof texts[k], "%u", values[k]);
        constants[k] = (jr_named_text){names[k], texts[k]};
    }
    const jr_program program = JR_INIT(jr_program, .name = "clusters", .source = source, .entry = "k",
                                       .constants = constants, .constant_count = 4);
    return kernel_new(device, &program);
}

static void launch(jr_kernel *kernel, unsigned grid, void **arguments) {
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {grid}, .block = {THREADS}), arguments));
}

DEVICE_TEST(blocks_read_what_their_neighbours_hold) {
    uint32_t got[MOST_BLOCKS * THREADS], *d_out = device_new(device, sizeof got);
    void *arguments[] = {&d_out};
    needs_clusters(device);
    for (unsigned size = 1; size <= 8; size += size < 2 ? 1 : 2) {
        const unsigned blocks = MOST_BLOCKS / size * size;
        launch(cluster_kernel(device, neighbour_source, (unsigned[]){size, 1, 1}), blocks, arguments);
        device_read(device, got, d_out, sizeof got);
        for (uint32_t i = 0; i < blocks * THREADS; i++) {
            const uint32_t block = i / THREADS, next = block / size * size + (block % size + 1) % size;
            assert_int_equal(got[i], (next * THREADS + i % THREADS) * 10000 + next * THREADS + (i % THREADS ^ 1));
        }
    }
}

DEVICE_TEST(bins_spread_over_a_cluster_count_every_value) {
    uint32_t *data = test_bytes(DATA * sizeof *data), wanted[BINS] = {0}, got[BINS] = {0}, count = DATA;
    uint64_t seed = 5;
    needs_clusters(device);
    for (uint32_t i = 0; i < DATA; i++) {
        data[i] = (uint32_t)random_below(&seed, BINS);
        wanted[data[i]]++;
    }
    uint32_t *d_in = device_new(device, DATA * sizeof *data), *d_out = device_new(device, sizeof got);
    void *arguments[] = {&d_in, &count, &d_out};
    device_write(device, d_in, data, DATA * sizeof *data);
    device_write(device, d_out, got, sizeof got);
    launch(cluster_kernel(device, histogram_source, (unsigned[]){8, 1, 1}), 24, arguments);
    device_read(device, got, d_out, sizeof got);
    assert_memory_equal(got, wanted, sizeof got);
}

DEVICE_TEST(sums_meet_in_the_first_block) {
    uint32_t data[MOST_BLOCKS * THREADS], got[MOST_BLOCKS];
    uint64_t seed = 6;
    needs_clusters(device);
    for (uint32_t i = 0; i < MOST_BLOCKS * THREADS; i++) data[i] = (uint32_t)random_bits(&seed);
    uint32_t *d_in = device_new(device, sizeof data), *d_out = device_new(device, sizeof got);
    void *arguments[] = {&d_in, &d_out};
    device_write(device, d_in, data, sizeof data);
    for (unsigned size = 2; size <= 8; size *= 2) {
        launch(cluster_kernel(device, sum_source, (unsigned[]){size, 1, 1}), MOST_BLOCKS, arguments);
        device_read(device, got, d_out, sizeof got);
        for (uint32_t c = 0; c < MOST_BLOCKS / size; c++) {
            uint32_t total = 0;
            for (uint32_t b = 0; b < size; b++) {
                total *= 3;
                for (uint32_t t = 0; t < THREADS; t++) total += data[(c * size + b) * THREADS + t];
            }
            assert_int_equal(got[c], total);
        }
    }
}

DEVICE_TEST(copies_go_to_all_blocks_and_arrivals_come_back) {
    uint32_t data[2 * THREADS], got[8 * THREADS];
    uint64_t seed = 7;
    needs_clusters(device);
    for (uint32_t i = 0; i < 2 * THREADS; i++) data[i] = (uint32_t)random_bits(&seed);
    uint32_t *d_in = device_new(device, sizeof data), *d_out = device_new(device, sizeof got);
    void *arguments[] = {&d_in, &d_out};
    device_write(device, d_in, data, sizeof data);
    launch(cluster_kernel(device, copies_source, (unsigned[]){4, 1, 1}), 8, arguments);
    device_read(device, got, d_out, sizeof got);
    for (uint32_t i = 0; i < 8 * THREADS; i++) {
        const uint32_t block = i / THREADS, before = block / 4 * 4 + (block + 3) % 4;
        assert_int_equal(got[i], data[block / 4 * THREADS + (i % THREADS ^ 1)] + 1000 + before);
    }
}

static void check_registers(const uint32_t *got, const unsigned size[3], const unsigned grid[3]) {
    for (unsigned b = 0; b < grid[0] * grid[1] * grid[2]; b++) {
        const unsigned at[3] = {b % grid[0], b / grid[0] % grid[1], b / grid[0] / grid[1]};
        uint32_t wanted[16] = {[7] = size[0] * size[1] * size[2], [11] = 1, [15] = 7};
        for (unsigned k = 0; k < 3; k++) {
            wanted[k] = at[k] % size[k];
            wanted[4 + k] = size[k];
            wanted[8 + k] = at[k] / size[k];
            wanted[12 + k] = grid[k] / size[k];
        }
        wanted[3] = wanted[0] + size[0] * (wanted[1] + size[1] * wanted[2]);
        assert_memory_equal(got + (size_t)b * 16, wanted, sizeof wanted);
    }
}

TEST(registers_tell_where_a_block_is) {
    static const unsigned sizes[][3] = {{4, 1, 1}, {2, 2, 1}, {1, 2, 3}, {2, 1, 4}, {1, 1, 1}};
    const unsigned grid[3] = {4, 4, 12};
    const opened *device = *state;
    uint32_t got[4 * 4 * 12 * 16], *d_out = device_new(device, sizeof got);
    void *arguments[] = {&d_out};
    needs_clusters(device);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        jr_kernel *kernel = cluster_kernel(device, registers_source, sizes[k]);
        const jr_launch shape = JR_INIT(jr_launch, .grid = {grid[0], grid[1], grid[2]}, .block = {1});
        works(jr_kernel_launch(kernel, &shape, arguments));
        device_read(device, got, d_out, sizeof got);
        check_registers(got, sizes[k], grid);
    }
}

DEVICE_TEST(a_grid_that_clusters_do_not_fill_is_refused) {
    uint32_t *d_out = device_new(device, MOST_BLOCKS * THREADS * sizeof *d_out);
    void *arguments[] = {&d_out};
    needs_clusters(device);
    jr_kernel *kernel = cluster_kernel(device, neighbour_source, (unsigned[]){4, 1, 1});
    fails(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {6}, .block = {THREADS}), arguments), JR_ERROR_DRIVER,
          "CUDA_ERROR_INVALID_CLUSTER_SIZE");
    kernel = cluster_kernel(device, neighbour_source, (unsigned[]){16, 1, 1});
    fails(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {16}, .block = {THREADS}), arguments), JR_ERROR_DRIVER,
          "CUDA_ERROR_INVALID_CLUSTER_SIZE");
}

RUN_TESTS(open_context, close_context)
