/* launch_bench: the host's cost of jr_work_plan_run compared with the driver's bare launch, and the time until a value
 * is on the host.
 *
 * usage: launch_bench [CALLS [PEER.so]] Calls of jr_work_plan_run, of cuLaunchKernel and of cuLaunchKernelEx
 * (dependent, as jr_work_plan_run launches) with the plan's own kernel, grid, block and arguments take turns, a hundred
 * of each; medians over CALLS (100000) of each. With a peer (tools/jitreduce/bench/peer.h) its call that reduces the
 * same 1024 f32 takes its turn, too. Then, from a call until the sum of 2^20 f32 is in host memory: jr_plan_value
 * compared with jr_work_plan_run followed by a copy. On the simulator nothing is measured. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench.h"
#include "plan/cut.h"
#include "plan/plan.h"

enum { TURN = 100, VALUES = 2001, COUNT = 1024 };
enum { PLAN, RAW, DEPENDENT, PEER, KINDS }; /* whose calls */

typedef struct launch_bench {
    bench_device device;
    jr_plan *plan;
    jr_cu_deviceptr in, out;
    uint64_t count;
    jr_cu_stream stream;
    double *us[KINDS];
    const peer *other; /* NULL: none */
    peer_work work;    /* of other */
    void *handle;      /* of other */
} launch_bench;

static void run_plan(const launch_bench *bench) {
    const void *const in[] = {(const void *)(uintptr_t)bench->in};
    const jr_work_data data =
        JR_INIT(jr_work_data, .in = in, .count = bench->count, .out = (void *)(uintptr_t)bench->out);
    bench_check(jr_work_plan_run(bench->plan, &data, NULL, bench->stream), "running");
}

/* The arguments are made once, outside of what is timed. */
typedef struct raw_arguments {
    jr_cut cut;
    jr_call call;
    uint64_t out, workspace;
    unsigned grid;
    void *pointers[4];
} raw_arguments;

static void fill_arguments(const launch_bench *bench, raw_arguments *raw) {
    const jr_cu_deviceptr in[JR_INPUTS_MAX] = {bench->in};
    raw->cut = jr_cut_of(bench->plan->reduction, in, bench->count);
    raw->call = jr_plan_call(bench->plan, &(jr_run){.count = bench->count});
    raw->out = bench->out;
    raw->workspace = bench->plan->workspace;
    raw->grid = (unsigned)jr_plan_grid(bench->plan, bench->count);
    void *pointers[] = {&raw->cut, &raw->out, &raw->workspace, &raw->call};
    for (int i = 0; i < 4; i++) raw->pointers[i] = pointers[i];
}

static void run_raw(const launch_bench *bench, raw_arguments *raw, bool dependent) {
    const jr_driver *driver = &bench->device.driver;
    jr_cu_function function = bench->plan->kernels[0]->module.function;
    const unsigned block = (unsigned)bench->plan->choice.tuning.block;
    jr_cu_launch_attribute attribute = {.id = JR_CU_LAUNCH_DEPENDENT, .value.flag = 1};
    const jr_cu_launch_config config = {.grid = {raw->grid, 1, 1},
                                        .block = {block, 1, 1},
                                        .stream = bench->stream,
                                        .attributes = &attribute,
                                        .attribute_count = 1};
    const jr_cu_result result = dependent ? driver->cuLaunchKernelEx(&config, function, raw->pointers, NULL)
                                          : driver->cuLaunchKernel(function, raw->grid, 1, 1, block, 1, 1, 0,
                                                                   bench->stream, raw->pointers, NULL);
    bench_driver(&bench->device, result, "launching");
}

static void run_peer(const launch_bench *bench) {
    if (bench->other->run(bench->handle, &bench->work, bench->stream) != 0)
        bench_check(JR_ERROR_DRIVER, "running the peer");
}

static void prepare_peer(launch_bench *bench, const char *path) {
    bench->other = bench_peer(path);
    bench->work = (peer_work){.device = bench->device.info.ordinal, .op = "sum", .type = "f32", .count = COUNT};
    bench->work.in[0] = (const void *)(uintptr_t)bench->in;
    bench->work.out = (void *)(uintptr_t)bench->out;
    bench->handle = bench->other->prepare(&bench->work);
    bench_demand(bench->handle != NULL, "%s cannot sum f32 here", bench->other->name);
}

static float sum_of(const launch_bench *bench, void (*run)(const launch_bench *)) {
    const jr_driver *driver = &bench->device.driver;
    float sum = 0;
    bench_driver(&bench->device, driver->cuMemsetD8Async(bench->out, 0, sizeof sum, bench->stream), "clearing");
    run(bench);
    bench_driver(&bench->device, driver->cuStreamSynchronize(bench->stream), "waiting");
    bench_driver(&bench->device, driver->cuMemcpyDtoH_v2(&sum, bench->out, sizeof sum), "copying");
    return sum;
}

/* A call that does not do the work is not compared. */
static void check_peer(const launch_bench *bench) {
    const float ours = sum_of(bench, run_plan), theirs = sum_of(bench, run_peer);
    bench_demand(fabsf(ours - theirs) <= 1e-4F * ours, "the sum of %s is %g, and ours is %g", bench->other->name,
                 (double)theirs, (double)ours);
}

static void time_launches(launch_bench *bench, int calls) {
    raw_arguments raw;
    fill_arguments(bench, &raw);
    for (int done = -TURN; done < calls; done += TURN) /* the first turn warms up */
        for (int kind = 0; kind < (bench->other != NULL ? KINDS : PEER); kind++) {
            for (int i = 0; i < TURN; i++) {
                const double begin = jr_clock_ms();
                if (kind == PLAN) run_plan(bench);
                if (kind == RAW || kind == DEPENDENT) run_raw(bench, &raw, kind == DEPENDENT);
                if (kind == PEER) run_peer(bench);
                if (done >= 0) bench->us[kind][done + i] = (jr_clock_ms() - begin) * 1e3;
            }
            bench_driver(&bench->device, bench->device.driver.cuStreamSynchronize(bench->stream), "waiting");
        }
    const double ours = bench_median(bench->us[PLAN], calls), raw_us = bench_median(bench->us[RAW], calls);
    const double dependent = bench_median(bench->us[DEPENDENT], calls);
    printf(
        "medians of %d calls: jr_work_plan_run %.3f us, cuLaunchKernel %.3f us, cuLaunchKernelEx (dependent) %.3f us: "
        "%+.3f us over cuLaunchKernel\n",
        calls, ours, raw_us, dependent, ours - raw_us);
    if (bench->other == NULL) return;
    const double theirs = bench_median(bench->us[PEER], calls);
    printf("one call of %s: %.3f us: ratio to jr_work_plan_run %.2f\n", bench->other->name, theirs, theirs / ours);
}

static void time_values(launch_bench *bench) {
    static double us[2][VALUES];
    const void *const in[JR_INPUTS_MAX] = {(const void *)(uintptr_t)bench->in};
    for (int i = -10; i < VALUES; i++)
        for (int copies = 0; copies < 2; copies++) {
            jr_value value;
            float sum = 0;
            const double begin = jr_clock_ms();
            if (copies) {
                run_plan(bench);
                bench_driver(&bench->device,
                             bench->device.driver.cuMemcpyDtoHAsync_v2(&sum, bench->out, sizeof sum, bench->stream),
                             "copying");
                bench_driver(&bench->device, bench->device.driver.cuStreamSynchronize(bench->stream), "waiting");
            } else {
                bench_check(jr_plan_value(bench->plan, in, bench->count, bench->stream, &value), "waiting");
            }
            if (i >= 0) us[copies][i] = (jr_clock_ms() - begin) * 1e3;
        }
    printf("from the call to the sum of %llu f32 in host memory, medians of %d: jr_plan_value %.2f us, run and copy "
           "%.2f us\n",
           (unsigned long long)bench->count, VALUES, bench_median(us[0], VALUES), bench_median(us[1], VALUES));
}

static void open_plan(launch_bench *bench, uint64_t count) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_SINGLE_PASS, .capacity = count);
    bench->count = count;
    bench_check(jr_work_plan_create(bench->device.context, &JR_INIT(jr_work, .spec = &spec), &bench->plan),
                "making the plan");
}

static void time_calls(launch_bench *bench, int calls, const char *peer_path) {
    for (int i = 0; i < KINDS; i++) {
        bench->us[i] = calloc((size_t)calls, sizeof *bench->us[i]);
        if (bench->us[i] == NULL) bench_check(JR_ERROR_OUT_OF_MEMORY, "making room for the times");
    }
    open_plan(bench, COUNT);
    if (peer_path != NULL) prepare_peer(bench, peer_path);
    if (peer_path != NULL) check_peer(bench);
    time_launches(bench, calls);
    if (peer_path != NULL) bench->other->release(bench->handle);
    jr_plan_destroy(bench->plan);
    for (int i = 0; i < KINDS; i++) free(bench->us[i]);
}

int main(int argc, char **argv) {
    launch_bench bench = {0};
    const int calls = (argc > 1 ? bench_number(argv[1]) : 100000) / TURN * TURN;
    bench_open(&bench.device);
    if (bench.device.info.simulated) {
        printf("not measured: what a launch costs the host takes a GPU\n");
        bench_close(&bench.device);
        return 0;
    }
    const jr_driver *driver = &bench.device.driver;
    bench.in = bench_fill(&bench.device, 4u << 20);
    bench_driver(&bench.device, driver->cuMemAlloc_v2(&bench.out, 256), "allocating");
    bench_driver(&bench.device, driver->cuStreamCreate(&bench.stream, JR_CU_STREAM_NON_BLOCKING), "creating a stream");
    printf("%s, driver %d\n", bench.device.info.name, bench.device.info.driver_version);
    if (calls > 0) time_calls(&bench, calls, argc > 2 ? argv[2] : NULL);
    open_plan(&bench, 1 << 20);
    time_values(&bench);
    jr_plan_destroy(bench.plan);
    driver->cuStreamDestroy_v2(bench.stream);
    driver->cuMemFree_v2(bench.out);
    driver->cuMemFree_v2(bench.in);
    bench_close(&bench.device);
    return 0;
}
