/* Read loops as kernel strings of the command's own.
 *
 * Which loop is the fastest depends on the size: few loads a thread spread small inputs over all multiprocessors, many
 * loads in flight keep the memory busy, the copy engine wins far beyond the L2 cache. All are measured at every size,
 * and the fastest is the ceiling. */
#include "bench_read.h"

#include <stdio.h>

#include "base/number.h"

/* What was read is kept alive by a store that never happens: no input has just this xor, as far as chance goes. */
static const char loads[] =
    "extern \"C\" __global__ void __launch_bounds__(BLOCK) bench_read(const uint4 *data, unsigned long long packs,\n"
    "                                                                 unsigned *sink) {\n"
    "    const unsigned long long tile = BLOCK * UNROLL, step = gridDim.x * tile;\n"
    "    unsigned seen = 0;\n"
    "    unsigned long long at = blockIdx.x * tile + threadIdx.x;\n"
    "#pragma unroll 1\n"
    "    for (; at + (UNROLL - 1) * BLOCK < packs; at += step) {\n"
    "        uint4 pack[UNROLL];\n"
    "#pragma unroll\n"
    "        for (int u = 0; u < UNROLL; u++)\n"
    "            asm volatile(\"ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];\"\n"
    "                         : \"=r\"(pack[u].x), \"=r\"(pack[u].y), \"=r\"(pack[u].z), \"=r\"(pack[u].w)\n"
    "                         : \"l\"(data + at + u * BLOCK));\n"
    "#pragma unroll\n"
    "        for (int u = 0; u < UNROLL; u++) seen ^= pack[u].x ^ pack[u].y ^ pack[u].z ^ pack[u].w;\n"
    "    }\n"
    "#pragma unroll 1\n"
    "    for (; at < packs; at += BLOCK) seen ^= data[at].x ^ data[at].y ^ data[at].z ^ data[at].w;\n"
    "    if (seen == 0x5eed5eed && packs == 0) *sink = seen;\n"
    "}\n";

/* One thread a block starts bulk copies into a ring in shared memory and waits for each; nobody looks at what came.
 * PTX ISA, "Data Movement and Conversion Instructions: Bulk copy" and "mbarrier". */
static const char bulk[] =
    "__device__ unsigned shared_address(const void *place) { return (unsigned)__cvta_generic_to_shared(place); }\n"
    "__device__ void wait(unsigned barrier, unsigned parity) {\n"
    "    unsigned ended;\n"
    "    do asm volatile(\"{\\n.reg .pred p;\\n\"\n"
    "                    \"mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\\n\"\n"
    "                    \"selp.u32 %0, 1, 0, p;\\n}\" : \"=r\"(ended) : \"r\"(barrier), \"r\"(parity) : \"memory\");\n"
    "    while (!ended);\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(32) bench_read(const char *data, unsigned long long bytes,\n"
    "                                                              unsigned tile) {\n"
    "    extern __shared__ __align__(128) char ring[];\n"
    "    __shared__ unsigned long long full[STAGES];\n"
    "    if (threadIdx.x != 0) return;\n"
    "    for (int s = 0; s < STAGES; s++)\n"
    "        asm volatile(\"mbarrier.init.shared::cta.b64 [%0], 1;\" ::\"r\"(shared_address(full + s)) : \"memory\");\n"
    "    asm volatile(\"fence.proxy.async.shared::cta;\" ::: \"memory\");\n"
    "    const unsigned long long step = (unsigned long long)gridDim.x * tile;\n"
    "    unsigned started = 0, ended = 0;\n"
    "#pragma unroll 1\n"
    "    for (unsigned long long at = (unsigned long long)blockIdx.x * tile; at < bytes; at += step) {\n"
    "        const unsigned s = started % STAGES, barrier = shared_address(full + s);\n"
    "        const unsigned size = bytes - at < tile ? (unsigned)(bytes - at) : tile;\n"
    "        if (started - ended == STAGES) wait(barrier, ended++ / STAGES & 1);\n"
    "        asm volatile(\"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\" ::\"r\"(barrier), \"r\"(size)\n"
    "                     : \"memory\");\n"
    "        asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\"\n"
    "                     ::\"r\"(shared_address(ring + s * TILE)), \"l\"(data + at), \"r\"(size), \"r\"(barrier)\n"
    "                     : \"memory\");\n"
    "        started++;\n"
    "    }\n"
    "    for (; ended < started; ended++) wait(shared_address(full + ended % STAGES), ended / STAGES & 1);\n"
    "}\n";

/* The ring of the bulk copies, in bytes: as much as a multiprocessor has room for on every device that has them. */
#define TILE   32768
#define STAGES 6

static const struct {
    const char *name, *text;
    int block, unroll, blocks; /* a multiprocessor; unroll 0: bulk copies */
} loops[CLI_READ_COUNT] = {
    {"read 256x1", "16-byte loads, xor of all, 256 threads x 1 load x 8 blocks a multiprocessor", 256, 1, 8},
    {"read 512x4", "16-byte loads, xor of all, 512 threads x 4 loads x 2 blocks a multiprocessor", 512, 4, 2},
    {"read 1024x8", "16-byte loads, xor of all, 1024 threads x 8 loads x 1 block a multiprocessor", 1024, 8, 1},
    {"read bulk",
     "bulk copies into shared memory, " NUMBER_TEXT(STAGES) " tiles of " NUMBER_TEXT(TILE) " bytes a multiprocessor",
     32, 0, 1},
};

const char *cli_bench_read_text(int which) {
    return loops[which].text;
}

const char *cli_bench_read_name(int which) {
    return loops[which].name;
}

bool cli_bench_read_applies(int which, const jr_device_info *device) {
    enum { STATIC_BYTES = 1024 };
    return loops[which].unroll > 0 ||
           (device->capability_major >= 9 && device->shared_bytes_per_block_optin >= TILE * STAGES + STATIC_BYTES);
}

jr_status cli_bench_read_get(jr_context *context, int which, cli_bench_read *loop) {
    char block[16], unroll[16];
    jr_device_info device = JR_INIT(jr_device_info);
    snprintf(block, sizeof block, "%d", loops[which].block);
    snprintf(unroll, sizeof unroll, "%d", loops[which].unroll);
    const jr_named_text of_loads[] = {{"BLOCK", block}, {"UNROLL", unroll}};
    const jr_named_text of_bulk[] = {{"TILE", NUMBER_TEXT(TILE)}, {"STAGES", NUMBER_TEXT(STAGES)}};
    const jr_program program =
        JR_INIT(jr_program, .name = "bench_read", .source = loops[which].unroll > 0 ? loads : bulk,
                .entry = "bench_read", .constants = loops[which].unroll > 0 ? of_loads : of_bulk, .constant_count = 2);
    jr_kernel *kernel;
    jr_status status = jr_context_device_info(context, &device);
    if (status == JR_OK) status = jr_kernel_get(context, &program, &kernel);
    if (status == JR_OK) *loop = (cli_bench_read){kernel, which, device.multiprocessor_count};
    return status;
}

/* Blocks: one for each tile, so many at most. */
static unsigned at_least_one(uint64_t tiles, uint64_t most) {
    return tiles == 0 ? 1 : (unsigned)(tiles < most ? tiles : most);
}

static jr_status run_bulk(const cli_bench_read *loop, const void *data, uint64_t bytes, jr_stream stream) {
    enum { LEAST = 1024 };
    const uint64_t share = bytes / (uint64_t)loop->multiprocessors / LEAST * LEAST;
    unsigned tile = share > TILE ? TILE : share < LEAST ? LEAST : (unsigned)share;
    const uint64_t tiles = (bytes + tile - 1) / tile;
    const jr_launch launch =
        JR_INIT(jr_launch, .grid = {at_least_one(tiles, (uint64_t)loop->multiprocessors)},
                .block = {(unsigned)loops[loop->which].block}, .shared_bytes = TILE * STAGES, .stream = stream);
    return jr_kernel_launch(loop->kernel, &launch, (void *[]){&data, &bytes, &tile});
}

jr_status cli_bench_read_run(const cli_bench_read *loop, const void *data, uint64_t bytes, void *sink,
                             jr_stream stream) {
    const int block = loops[loop->which].block, unroll = loops[loop->which].unroll;
    uint64_t packs = bytes / 16;
    if (unroll == 0) return run_bulk(loop, data, packs * 16, stream);
    const uint64_t tile = (uint64_t)block * (uint64_t)unroll, tiles = (packs + tile - 1) / tile;
    const uint64_t most = (uint64_t)loop->multiprocessors * (uint64_t)loops[loop->which].blocks;
    const jr_launch launch =
        JR_INIT(jr_launch, .grid = {at_least_one(tiles, most)}, .block = {(unsigned)block}, .stream = stream);
    return jr_kernel_launch(loop->kernel, &launch, (void *[]){&data, &packs, &sink});
}
