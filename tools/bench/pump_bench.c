/* pump_bench: how fast pageable host memory goes through the device in chunks, beside a plain copy of pinned memory.
 *
 * usage: pump_bench [mebibytes [rounds [threads [piece_kib]]]]
 * Defaults: 20480 (on the simulator 64), 5, the pump's choice. Device memory is limited to 1 GB. The kinds take turns
 * (A B C D E A B C D E), each moves the whole size, and every time is of opening, running and closing:
 *   pinned    copies out of one pinned buffer, back to back: the bus
 *   pump      the pump without kernels
 *   sum       the pump with a sum of each chunk; the result is checked
 *   host      jr_reduce_host with that limit; the result is checked
 *   unstaged  the pump without its ring: chunks of pageable memory, staged by the driver */
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
    void *pinned; /* and where it is copied to: */
    jr_cu_deviceptr target;
    uint64_t pinned_bytes;
    jr_plan *plan;
    jr_cu_deviceptr workspaces[JR_PUMP_BUFFERS];
    jr_cu_deviceptr sums; /* one for each chunk */
    uint64_t sum;         /* what must come out */
    double run_ms;        /* of the last run alone */
} pump_bench;

static void *address_of(jr_cu_deviceptr address) {
    return (void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
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
    return jr_plan_run(bench->plan, address_of(chunk->in[0]), chunk->count,
                       address_of(bench->sums + chunk->index * sizeof bench->sum),
                       address_of(bench->workspaces[chunk->buffer]), chunk->stream);
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
} kinds[] = {{"pinned", copy_pinned},
             {"pump", pump_alone},
             {"sum", pump_and_sum},
             {"host", reduce_host},
             {"unstaged", pump_unstaged}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- what they need ---- */

/* The first block's numbers again and again, as making so many takes long. */
static void fill(pump_bench *bench, uint64_t bytes) {
    uint32_t state = 1;
    bench->data = malloc(bytes);
    bench_demand(bench->data != NULL, "no host memory for %llu bytes", (unsigned long long)bytes);
    for (size_t i = 0; i < BLOCK_BYTES; i += sizeof state) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator */
        memcpy(bench->data + i, &state, sizeof state);
        bench->sum += state;
    }
    for (uint64_t at = BLOCK_BYTES; at < bytes; at += BLOCK_BYTES) memcpy(bench->data + at, bench->data, BLOCK_BYTES);
    bench->sum *= bytes / BLOCK_BYTES;
}

static void allocate(pump_bench *bench) {
    const bench_device *device = &bench->device;
    const jr_driver *driver = &device->driver;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32);
    const uint64_t bytes = bench->bytes, sums_bytes = bytes / BLOCK_BYTES * sizeof bench->sum;
    bench->pinned_bytes = bytes < PINNED_BYTES ? bytes : PINNED_BYTES;
    bench_driver(device, driver->cuMemHostAlloc(&bench->pinned, bench->pinned_bytes, 0), "allocating pinned memory");
    memcpy(bench->pinned, bench->data, bench->pinned_bytes);
    bench_driver(device, driver->cuMemAlloc_v2(&bench->target, bench->pinned_bytes), "allocating device memory");
    bench_driver(device, driver->cuMemAlloc_v2(&bench->sums, sums_bytes), "allocating device memory");
    bench_driver(device, driver->cuMemsetD8_v2(bench->sums, 0, sums_bytes), "clearing device memory");
    bench_check(jr_plan_create(device->context, &spec, &bench->plan), "making the plan");
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
    driver->cuMemFree_v2(bench->target);
    driver->cuMemFreeHost(bench->pinned);
    free(bench->data);
    bench_close(&bench->device);
}

static void print_kinds(pump_bench *bench, int rounds) {
    static double all_ms[KINDS][ROUNDS_MAX], run_ms[KINDS][ROUNDS_MAX];
    double gigabytes = (double)bench->bytes * 1e-9, bus = 0;
    for (int round = -1; round < rounds; round++) /* the first one warms up */
        for (int kind = 0; kind < KINDS; kind++) {
            const double ms = kinds[kind].move(bench);
            if (round >= 0) all_ms[kind][round] = ms;
            if (round >= 0) run_ms[kind][round] = bench->run_ms;
        }
    for (int kind = 0; kind < KINDS; kind++) {
        const double all = gigabytes / bench_median(all_ms[kind], rounds) * 1e3;
        const double run = gigabytes / bench_median(run_ms[kind], rounds) * 1e3;
        if (kind == 0) bus = all;
        printf("%-9s %8.2f GB/s (slowest %.2f, fastest %.2f), %.3f of the bus; the run alone %.2f GB/s, %.3f\n",
               kinds[kind].name, all, gigabytes / all_ms[kind][rounds - 1] * 1e3, gigabytes / all_ms[kind][0] * 1e3,
               all / bus, run, run / bus);
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
