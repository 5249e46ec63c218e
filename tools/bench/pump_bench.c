/* pump_bench: how fast pageable host memory goes through the device in chunks, compared with a plain copy of pinned
 * memory.
 *
 * usage: pump_bench [mebibytes [rounds [threads [piece_kib]]]]
 * Defaults: 20480 (on the simulator 64), 5, the pump's choice. Device memory is limited to 1 GB. The kinds take turns
 * (A B C D E A B C D E), each moves the whole size, and every time is of opening, running and closing:
 *   pinned    copies out of one pinned buffer, back to back: the bus
 *   pump      the pump without kernels
 *   sum       the pump with a sum of each chunk; the result is checked
 *   host      jr_reduce_host with that limit; the result is checked
 *   unstaged  the pump without its ring: chunks of pageable memory, staged by the driver
 *   in+out    copies into the device and out of it at the same time, each of the whole size, of two pinned buffers
 *   scan      jr_scan_host with that limit, as many bytes of results as data has; the last result is checked
 * Shares are of the copies in one direction, but of `scan` of those in both: it moves twice the bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "device/pump.h"
#include "kernel/context.h"

enum { ROUNDS_MAX = 101, BLOCK_BYTES = 1 << 20, PINNED_BYTES = 256 << 20 };
static const uint64_t LIMIT_BYTES = 1000000000;

typedef struct pump_bench {
    bench_device device;
    jr_pump_request request;
    uint64_t bytes;
    unsigned char *data;
    unsigned char *results;    /* of the scan */
    void *pinned, *pinned_out; /* and where they are copied to and from: */
    jr_cu_deviceptr target, source;
    jr_cu_stream streams[2];
    uint64_t pinned_bytes;
    jr_plan *plan;
    jr_cu_deviceptr workspaces[JR_PUMP_BUFFERS];
    jr_cu_deviceptr sums; /* one for each chunk */
    uint64_t sum;         /* what must come out */
    uint32_t last;        /* and of the scan at the end */
    double run_ms;        /* of the last run alone */
} pump_bench;

static void *address_of(jr_cu_deviceptr address) {
    return (void *)(uintptr_t)address;
}

/* ---- the kinds: each moves everything and returns the milliseconds that it took ---- */

static double copy_pinned(pump_bench *bench) {
    const jr_driver *driver = &bench->device.driver;
    const double begin = jr_clock_ms();
    for (uint64_t at = 0; at < bench->bytes; at += bench->pinned_bytes) {
        const uint64_t left = bench->bytes - at;
        const uint64_t bytes = left < bench->pinned_bytes ? left : bench->pinned_bytes;
        bench_driver(&bench->device, driver->cuMemcpyHtoDAsync_v2(bench->target, bench->pinned, bytes, NULL),
                     "copying");
    }
    bench_driver(&bench->device, driver->cuStreamSynchronize(NULL), "waiting");
    return bench->run_ms = jr_clock_ms() - begin;
}

static double run_pump(pump_bench *bench, const jr_pump_request *request, jr_chunk_fn callback) {
    jr_pump *pump;
    const double begin = jr_clock_ms();
    bench_check(jr_pump_open(&bench->device.context->device, request, &pump), "opening the pump");
    const double opened = jr_clock_ms();
    bench_check(jr_pump_run(pump, callback, bench), "running the pump");
    bench->run_ms = jr_clock_ms() - opened;
    jr_pump_close(pump);
    return jr_clock_ms() - begin;
}

static jr_status leave_it(void *user, const jr_chunk *chunk) {
    (void)user;
    (void)chunk;
    return JR_OK;
}

static jr_status sum_it(void *user, const jr_chunk *chunk) {
    const pump_bench *bench = user;
    const void *const in[] = {address_of(chunk->in[0])};
    const jr_work_data data = JR_INIT(jr_work_data, .in = in, .count = chunk->count,
                                      .out = address_of(bench->sums + chunk->index * sizeof bench->sum));
    return jr_work_plan_run(bench->plan, &data, address_of(bench->workspaces[chunk->buffer]), chunk->stream);
}

static double pump_alone(pump_bench *bench) {
    return run_pump(bench, &bench->request, leave_it);
}

static double pump_unstaged(pump_bench *bench) {
    jr_pump_request request = bench->request;
    request.stage_from_bytes = UINT64_MAX;
    return run_pump(bench, &request, leave_it);
}

/* What a caller of the library gets. */
static double reduce_host(pump_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .device_bytes = LIMIT_BYTES);
    jr_value value;
    const double begin = jr_clock_ms();
    bench_check(jr_reduce_host(bench->device.context, &spec, bench->data, bench->request.count, &value), "reducing");
    bench->run_ms = jr_clock_ms() - begin;
    bench_demand(value.as.u64 == bench->sum, "the value is %llu, not %llu", (unsigned long long)value.as.u64,
                 (unsigned long long)bench->sum);
    return bench->run_ms;
}

static double copy_both_ways(pump_bench *bench) {
    const jr_driver *driver = &bench->device.driver;
    const double begin = jr_clock_ms();
    for (uint64_t at = 0; at < bench->bytes; at += bench->pinned_bytes) {
        const uint64_t left = bench->bytes - at;
        const uint64_t bytes = left < bench->pinned_bytes ? left : bench->pinned_bytes;
        bench_driver(&bench->device,
                     driver->cuMemcpyHtoDAsync_v2(bench->target, bench->pinned, bytes, bench->streams[0]),
                     "copying in");
        bench_driver(&bench->device,
                     driver->cuMemcpyDtoHAsync_v2(bench->pinned_out, bench->source, bytes, bench->streams[1]),
                     "copying out");
    }
    for (int i = 0; i < 2; i++) bench_driver(&bench->device, driver->cuStreamSynchronize(bench->streams[i]), "waiting");
    return bench->run_ms = jr_clock_ms() - begin;
}

static double scan_host(pump_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_U32, .device_bytes = LIMIT_BYTES);
    const uint64_t count = bench->request.count;
    uint32_t last;
    const double begin = jr_clock_ms();
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = JR_WORK_SCAN_INCLUSIVE);
    const void *const in[] = {bench->data};
    const jr_work_data data = JR_INIT(jr_work_data, .in = in, .count = count, .out = bench->results);
    bench_check(jr_work_run_host(bench->device.context, &work, &data), "scanning");
    bench->run_ms = jr_clock_ms() - begin;
    memcpy(&last, bench->results + (count - 1) * sizeof last, sizeof last);
    bench_demand(last == bench->last, "the last result is %u, not %u", last, bench->last);
    return bench->run_ms;
}

/* How the array will go. */
static void print_way(const pump_bench *bench) {
    jr_pump *pump;
    bench_check(jr_pump_open(&bench->device.context->device, &bench->request, &pump), "opening the pump");
    printf("%s, %.3f GB in %llu chunks, %s\n", bench->device.info.name, (double)bench->bytes * 1e-9,
           (unsigned long long)jr_pump_chunk_count(pump),
           jr_pump_stages(pump) ? "staged" : "not staged: too few bytes, or memory that the driver knows");
    jr_pump_close(pump);
}

static double pump_and_sum(pump_bench *bench) {
    const double ms = run_pump(bench, &bench->request, sum_it);
    const uint64_t count = (bench->bytes - 1) / BLOCK_BYTES + 1; /* at least as many as chunks */
    uint64_t *sums = calloc(count, sizeof *sums), sum = 0;
    bench_demand(sums != NULL, "no host memory for the sums");
    bench_driver(&bench->device, bench->device.driver.cuMemcpyDtoH_v2(sums, bench->sums, count * sizeof *sums),
                 "reading the sums");
    for (uint64_t i = 0; i < count; i++) sum += sums[i];
    free(sums);
    bench_demand(sum == bench->sum, "the sum is %llu, not %llu", (unsigned long long)sum,
                 (unsigned long long)bench->sum);
    return ms;
}

static const struct {
    const char *name;
    double (*move)(pump_bench *bench);
    const char *of; /* whose speed it is a share of */
} kinds[] = {{"pinned", copy_pinned, "pinned"},     {"pump", pump_alone, "pinned"},
             {"sum", pump_and_sum, "pinned"},       {"host", reduce_host, "pinned"},
             {"unstaged", pump_unstaged, "pinned"}, {"in+out", copy_both_ways, "in+out"},
             {"scan", scan_host, "in+out"}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- what they need ---- */

/* The first block's numbers again and again, as making so many takes long. */
static void fill(pump_bench *bench, uint64_t bytes) {
    uint32_t state = 1;
    bench->data = malloc(bytes);
    bench->results = malloc(bytes);
    bench_demand(bench->data != NULL && bench->results != NULL, "no host memory for twice %llu bytes",
                 (unsigned long long)bytes);
    memset(bench->results, 0, bytes); /* or its pages would be made within the first scan */
    for (size_t i = 0; i < BLOCK_BYTES; i += sizeof state) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator */
        memcpy(bench->data + i, &state, sizeof state);
        bench->sum += state;
        bench->last ^= state;
    }
    for (uint64_t at = BLOCK_BYTES; at < bytes; at += BLOCK_BYTES) memcpy(bench->data + at, bench->data, BLOCK_BYTES);
    bench->sum *= bytes / BLOCK_BYTES;
    if (bytes / BLOCK_BYTES % 2 == 0) bench->last = 0; /* each number is there as often as there are blocks */
}

static void allocate(pump_bench *bench) {
    const bench_device *device = &bench->device;
    const jr_driver *driver = &device->driver;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32);
    const uint64_t bytes = bench->bytes, sums_bytes = bytes / BLOCK_BYTES * sizeof bench->sum;
    bench->pinned_bytes = bytes < PINNED_BYTES ? bytes : PINNED_BYTES;
    bench_driver(device, driver->cuMemHostAlloc(&bench->pinned, bench->pinned_bytes, 0), "allocating pinned memory");
    memcpy(bench->pinned, bench->data, bench->pinned_bytes);
    bench_driver(device, driver->cuMemHostAlloc(&bench->pinned_out, bench->pinned_bytes, 0),
                 "allocating pinned memory");
    bench_driver(device, driver->cuMemAlloc_v2(&bench->target, bench->pinned_bytes), "allocating device memory");
    bench_driver(device, driver->cuMemAlloc_v2(&bench->source, bench->pinned_bytes), "allocating device memory");
    bench_driver(device, driver->cuMemsetD8_v2(bench->source, 0, bench->pinned_bytes), "clearing device memory");
    for (int i = 0; i < 2; i++)
        bench_driver(device, driver->cuStreamCreate(&bench->streams[i], JR_CU_STREAM_NON_BLOCKING), "making a stream");
    bench_driver(device, driver->cuMemAlloc_v2(&bench->sums, sums_bytes), "allocating device memory");
    bench_driver(device, driver->cuMemsetD8_v2(bench->sums, 0, sums_bytes), "clearing device memory");
    bench_check(jr_work_plan_create(device->context, &JR_INIT(jr_work, .spec = &spec), &bench->plan),
                "making the plan");
    const size_t workspace_bytes = jr_plan_workspace_bytes(bench->plan);
    for (int i = 0; i < JR_PUMP_BUFFERS; i++) {
        bench_driver(device, driver->cuMemAlloc_v2(&bench->workspaces[i], workspace_bytes + 1), "allocating");
        bench_check(jr_plan_workspace_prepare(bench->plan, address_of(bench->workspaces[i]), NULL), "preparing");
    }
    bench_driver(device, driver->cuCtxSynchronize(), "waiting");
}

static void let_go(pump_bench *bench) {
    const jr_driver *driver = &bench->device.driver;
    jr_plan_destroy(bench->plan);
    for (int i = 0; i < JR_PUMP_BUFFERS; i++) driver->cuMemFree_v2(bench->workspaces[i]);
    driver->cuMemFree_v2(bench->sums);
    for (int i = 0; i < 2; i++) driver->cuStreamDestroy_v2(bench->streams[i]);
    driver->cuMemFree_v2(bench->source);
    driver->cuMemFree_v2(bench->target);
    driver->cuMemFreeHost(bench->pinned_out);
    driver->cuMemFreeHost(bench->pinned);
    free(bench->results);
    free(bench->data);
    bench_close(&bench->device);
}

static void print_kinds(pump_bench *bench, int rounds) {
    static double all_ms[KINDS][ROUNDS_MAX], run_ms[KINDS][ROUNDS_MAX];
    const double gigabytes = (double)bench->bytes * 1e-9;
    double rates[KINDS];
    for (int round = -1; round < rounds; round++) /* the first one warms up */
        for (int kind = 0; kind < KINDS; kind++) {
            const double ms = kinds[kind].move(bench);
            if (round >= 0) all_ms[kind][round] = ms;
            if (round >= 0) run_ms[kind][round] = bench->run_ms;
        }
    for (int kind = 0; kind < KINDS; kind++) {
        const double all = gigabytes / bench_median(all_ms[kind], rounds) * 1e3;
        const double run = gigabytes / bench_median(run_ms[kind], rounds) * 1e3;
        rates[kind] = all;
        int of = 0;
        while (strcmp(kinds[of].name, kinds[kind].of) != 0) of++;
        printf("%-9s %8.2f GB/s (slowest %.2f, fastest %.2f), %.3f of %s; the run alone %.2f GB/s, %.3f\n",
               kinds[kind].name, all, gigabytes / all_ms[kind][rounds - 1] * 1e3, gigabytes / all_ms[kind][0] * 1e3,
               all / rates[of], kinds[of].name, run, run / rates[of]);
    }
}

int main(int argc, char **argv) {
    pump_bench bench = {0};
    bench_open(&bench.device);
    const int wanted = argc > 1 ? bench_number(argv[1]) : bench.device.info.simulated ? 64 : 20480;
    const uint64_t bytes = (uint64_t)(wanted < 1 ? 1 : wanted) * BLOCK_BYTES;
    int rounds = argc > 2 ? bench_number(argv[2]) : 5;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    bench.bytes = bytes;
    fill(&bench, bytes);
    bench.request = (jr_pump_request){.arrays = {{.data = bench.data, .element_bytes = sizeof(uint32_t)}},
                                      .array_count = 1,
                                      .count = bytes / sizeof(uint32_t),
                                      .limit_bytes = LIMIT_BYTES,
                                      .thread_count = argc > 3 ? bench_number(argv[3]) : 0,
                                      .piece_bytes = argc > 4 ? (uint64_t)bench_number(argv[4]) << 10 : 0};
    if (bench.device.info.simulated) bench.request.stage_from_bytes = 1;
    allocate(&bench);
    print_way(&bench);
    print_kinds(&bench, rounds);
    let_go(&bench);
    return 0;
}
