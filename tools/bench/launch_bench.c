/* launch_bench: what jr_plan_run costs the host beside the driver's bare launch, and a value's way to the host.
 *
 * usage: launch_bench [CALLS]
 * Calls of jr_plan_run, of cuLaunchKernel and of cuLaunchKernelEx (dependent, as jr_plan_run launches) with the plan's
 * own kernel, grid, block and arguments take turns, a hundred of each; medians over CALLS (100000) of each. Then, from
 * a call until the sum of 2^20 f32 is in host memory: jr_plan_value beside jr_plan_run followed by a copy. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench.h"
#include "reduce/cut.h"
#include "reduce/plan.h"

enum { TURN = 100, VALUES = 2001 };

typedef struct launch_bench {
    bench_device device;
    jr_plan *plan;
    jr_cu_deviceptr in, out;
    uint64_t count;
    jr_cu_stream stream;
    double *us[3];
} launch_bench;

static void run_plan(const launch_bench *bench) {
    bench_check(jr_plan_run(bench->plan, (const void *)(uintptr_t)bench->in, /* NOLINT(performance-no-int-to-ptr) */
                            bench->count, (void *)(uintptr_t)bench->out,     /* NOLINT(performance-no-int-to-ptr) */
                            NULL, bench->stream),
                "running");
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
    const void *in[JR_INPUTS_MAX] = {(const void *)(uintptr_t)bench->in}; /* NOLINT(performance-no-int-to-ptr) */
    raw->cut = jr_cut_of(&bench->plan->reduction, in, bench->count);
    raw->call = jr_plan_call(bench->plan, bench->count);
    raw->out = bench->out;
    raw->workspace = bench->plan->workspace;
    raw->grid = (unsigned)jr_plan_grid(bench->plan, bench->count);
    void *pointers[] = {&raw->cut, &raw->out, &raw->workspace, &raw->call};
    for (int i = 0; i < 4; i++) raw->pointers[i] = pointers[i];
}

static void run_raw(const launch_bench *bench, raw_arguments *raw, bool dependent) {
    const jr_driver *driver = &bench->device.driver;
    jr_cu_function function = bench->plan->kernels[0]->module.function;
    const unsigned block = (unsigned)bench->plan->tuning.block;
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

static void time_launches(launch_bench *bench, int calls) {
    raw_arguments raw;
    fill_arguments(bench, &raw);
    for (int done = -TURN; done < calls; done += TURN) /* the first turn warms up */
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < TURN; i++) {
                const double begin = jr_clock_ms();
                if (kind == 0) run_plan(bench);
                if (kind > 0) run_raw(bench, &raw, kind == 2);
                if (done >= 0) bench->us[kind][done + i] = (jr_clock_ms() - begin) * 1e3;
            }
            bench_driver(&bench->device, bench->device.driver.cuStreamSynchronize(bench->stream), "waiting");
        }
    const double ours = bench_median(bench->us[0], calls), raw_us = bench_median(bench->us[1], calls);
    const double dependent = bench_median(bench->us[2], calls);
    printf("medians of %d calls: jr_plan_run %.3f us, cuLaunchKernel %.3f us, cuLaunchKernelEx (dependent) %.3f us: "
           "%+.3f us over cuLaunchKernel\n",
           calls, ours, raw_us, dependent, ours - raw_us);
}

static void time_values(launch_bench *bench) {
    static double us[2][VALUES];
    const void *in[JR_INPUTS_MAX] = {(const void *)(uintptr_t)bench->in}; /* NOLINT(performance-no-int-to-ptr) */
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
    const jr_spec spec = {.op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_SINGLE_PASS, .capacity = count};
    bench->count = count;
    bench_check(jr_plan_create(bench->device.context, &spec, &bench->plan), "making the plan");
}

int main(int argc, char **argv) {
    launch_bench bench = {0};
    const int calls = (argc > 1 ? bench_number(argv[1]) : 100000) / TURN * TURN;
    bench_open(&bench.device);
    const jr_driver *driver = &bench.device.driver;
    bench.in = bench_fill(&bench.device, 4u << 20);
    bench_driver(&bench.device, driver->cuMemAlloc_v2(&bench.out, 256), "allocating");
    bench_driver(&bench.device, driver->cuStreamCreate(&bench.stream, JR_CU_STREAM_NON_BLOCKING), "creating a stream");
    for (int i = 0; i < 3; i++) bench.us[i] = calloc((size_t)(calls > 0 ? calls : 1), sizeof *bench.us[i]);
    printf("%s, driver %d\n", bench.device.info.name, bench.device.info.driver_version);
    if (calls > 0 && bench.us[0] != NULL && bench.us[1] != NULL && bench.us[2] != NULL) {
        open_plan(&bench, 1024);
        time_launches(&bench, calls);
        jr_plan_destroy(bench.plan);
    }
    open_plan(&bench, 1 << 20);
    time_values(&bench);
    jr_plan_destroy(bench.plan);
    for (int i = 0; i < 3; i++) free(bench.us[i]);
    driver->cuStreamDestroy_v2(bench.stream);
    driver->cuMemFree_v2(bench.out);
    driver->cuMemFree_v2(bench.in);
    bench_close(&bench.device);
    return 0;
}
