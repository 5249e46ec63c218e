/* first_bench: the time from an uninitialised driver to a first result.
 *
 * usage: first_bench [rounds [PEER.so]] Milliseconds from before the driver is initialised until a sum of f32 is
 * loaded, compiled with nothing in any cache, and until its first value is in host memory: ours, and the peer's
 * (tools/jitreduce/bench/peer.h). Every number is from a fresh process, one per round and contestant, the two in turn
 * (A B A B). The program for a peer opens the driver without our library. On the simulator nothing is measured: it
 * takes a GPU. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench.h"

enum { ROUNDS_MAX = 101, COUNT = 1024 };
enum { LOADED, VALUE, NUMBERS }; /* what a process measures */

typedef struct first_options {
    int ordinal; /* of the device */
    const char *peer;
} first_options;

/* Values whose f32 sum is exact in any order. */
static void fill(float data[COUNT]) {
    for (int i = 0; i < COUNT; i++) data[i] = (float)(i + 1);
}

static void check_sum(float sum) {
    const float right = 0.5F * COUNT * (COUNT + 1);
    bench_demand(sum == right, "the sum is %.9g instead of %.9g", (double)sum, (double)right);
}

static void start_ours(const void *options, double *ms) {
    static const jr_options no_cache = {.size = sizeof(jr_options), .cache_dir = "", .start_in_background = 1};
    static const jr_spec spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32};
    float data[COUNT], sum = 0;
    jr_context *context;
    jr_plan *plan;
    void *in, *out;
    (void)options;
    fill(data);
    const double begin = jr_clock_ms();
    bench_check(jr_context_open(&no_cache, &context), "opening a context");
    bench_check(jr_plan_create(context, &spec, &plan), "making the plan");
    bench_check(jr_memory_new(context, sizeof data, &in), "allocating");
    bench_check(jr_memory_new(context, 16, &out), "allocating");
    bench_check(jr_memory_write(context, in, data, sizeof data), "copying");
    ms[LOADED] = jr_clock_ms() - begin;
    bench_check(jr_plan_run(plan, in, COUNT, out, NULL, NULL), "running");
    bench_check(jr_memory_read(context, &sum, out, sizeof sum), "copying");
    ms[VALUE] = jr_clock_ms() - begin;
    check_sum(sum);
    jr_plan_destroy(plan);
    jr_memory_free(context, in);
    jr_memory_free(context, out);
    jr_context_close(context);
}

static void open_bare(bench_device *device, int ordinal) {
    jr_cu_context context;
    bench_check(jr_driver_open(NULL, NULL, false, NULL, &device->driver), "opening the driver");
    bench_driver(device, device->driver.cuInit(0), "initialising the driver");
    bench_driver(device, device->driver.cuDevicePrimaryCtxRetain(&context, ordinal), "retaining the context");
    bench_driver(device, device->driver.cuCtxSetCurrent(context), "setting the context");
}

static void start_peer(const void *opaque, double *ms) {
    const first_options *options = opaque;
    float data[COUNT], sum = 0;
    bench_device device = {0};
    const jr_driver *driver = &device.driver;
    jr_cu_deviceptr in, out;
    fill(data);
    const double begin = jr_clock_ms();
    open_bare(&device, options->ordinal);
    bench_driver(&device, driver->cuMemAlloc_v2(&in, sizeof data), "allocating");
    bench_driver(&device, driver->cuMemAlloc_v2(&out, 16), "allocating");
    bench_driver(&device, driver->cuMemcpyHtoD_v2(in, data, sizeof data), "copying");
    const peer *other = bench_peer(options->peer);
    peer_work work = {.device = options->ordinal, .op = "sum", .type = "f32", .count = COUNT};
    work.in[0] = (const void *)(uintptr_t)in;
    work.out = (void *)(uintptr_t)out;
    void *handle = other->prepare(&work);
    ms[LOADED] = jr_clock_ms() - begin;
    bench_demand(handle != NULL, "%s cannot sum f32 here", other->name);
    const int failure = other->run(handle, &work, NULL);
    bench_demand(failure == 0, "%s failed with %d", other->name, failure);
    bench_driver(&device, driver->cuMemcpyDtoH_v2(&sum, out, sizeof sum), "copying");
    ms[VALUE] = jr_clock_ms() - begin;
    check_sum(sum);
    other->release(handle);
}

enum { SIMULATED, ORDINAL, FACTS }; /* about the device */

static void describe_device(const void *options, double *facts) {
    bench_device device;
    (void)options;
    bench_open(&device);
    facts[SIMULATED] = device.info.simulated;
    facts[ORDINAL] = device.info.ordinal;
    printf("%s, driver %d\n", device.info.name, device.info.driver_version);
    bench_close(&device);
}

static void print_medians(const char *name, double times[NUMBERS][ROUNDS_MAX], int rounds, double medians[NUMBERS]) {
    for (int i = 0; i < NUMBERS; i++) medians[i] = bench_median(times[i], rounds);
    printf("%s, from nothing, medians of %d: loaded after %.1f ms (slowest %.1f), first value after %.1f ms (slowest "
           "%.1f)\n",
           name, rounds, medians[LOADED], times[LOADED][rounds - 1], medians[VALUE], times[VALUE][rounds - 1]);
}

int main(int argc, char **argv) {
    static const bench_measure starts[] = {start_ours, start_peer};
    static double times[2][NUMBERS][ROUNDS_MAX];
    const char *names[] = {"jitreduce", argc > 2 ? argv[2] : ""};
    const int contestants = argc > 2 ? 2 : 1;
    double facts[FACTS], numbers[NUMBERS], medians[2][NUMBERS];
    int rounds = argc > 1 ? bench_number(argv[1]) : 11;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    setenv("CUDA_CACHE_DISABLE", "1", 1); /* the driver's own cache */
    bench_fresh(describe_device, NULL, facts, FACTS);
    if (facts[SIMULATED] != 0) {
        printf("not measured: how soon a first reduction is there takes a GPU\n");
        return 0;
    }
    const first_options options = {(int)facts[ORDINAL], names[1]};
    for (int round = -1; round < rounds; round++) /* the first fills the page cache */
        for (int who = 0; who < contestants; who++) {
            bench_fresh(starts[who], &options, numbers, NUMBERS);
            for (int i = 0; round >= 0 && i < NUMBERS; i++) times[who][i][round] = numbers[i];
        }
    for (int who = 0; who < contestants; who++) print_medians(names[who], times[who], rounds, medians[who]);
    if (contestants == 2)
        printf("ratios of the peer to jitreduce: loaded %.2f, first value %.2f\n",
               medians[1][LOADED] / medians[0][LOADED], medians[1][VALUE] / medians[0][VALUE]);
    return 0;
}
