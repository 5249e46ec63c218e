/* group_scan_bench: scans of f32 on several GPUs, compared with one GPU that scans its part alone.
 *
 * usage: group_scan_bench [DEVICES [ROUNDS [COUNT...]]]
 *   DEVICES   see jr_group_options (cuda:all; on the simulator sim:all)
 *   ROUNDS    samples of each contestant (101; on the simulator 1)
 *   COUNT     elements a GPU (2^10, 2^20, 2^24, 2^28; on the simulator 1024)
 *
 * CSV, a row for each count and contestant: the median and the least time in microseconds from the call until all
 * streams have been waited for, and GB/s of elements and results over all GPUs by the median. Contestants take turns in
 * every round: `group`, all GPUs, each of which folds its part and then scans it; `one`, a plan of the first GPU's
 * elements alone, which needs no fold. Fails where a result is wrong. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "group_stage.h"

enum { GROUP, ONE, CONTESTANTS };

typedef struct scan_bench {
    group_stage stage;
    jr_group_plan *plan;
    jr_plan *one;
    double us[CONTESTANTS][GROUP_ROUNDS_MAX];
} scan_bench;

/* ---- measuring ---- */

static void scan_by_group(const scan_bench *bench, uint64_t count) {
    group_call made;
    group_stage_call(&bench->stage, 0, count, &made);
    bench_check(jr_group_scan_plan_run(bench->plan, &made.parts, (void *const *)bench->stage.d_out),
                "scanning by the group");
    for (size_t i = 0; i < bench->stage.devices; i++)
        bench_check(jr_stream_wait(jr_group_context(bench->stage.group, i), NULL), "waiting");
}

static void scan_by_one(const scan_bench *bench, uint64_t count) {
    bench_check(jr_plan_run(bench->one, bench->stage.d_in[0], count, bench->stage.d_out[0], NULL, NULL),
                "scanning by one");
    bench_check(jr_stream_wait(jr_group_context(bench->stage.group, 0), NULL), "waiting");
}

static double measure(const scan_bench *bench, int who, uint64_t count) {
    const double begin = jr_clock_ms();
    if (who == GROUP)
        scan_by_group(bench, count);
    else
        scan_by_one(bench, count);
    return (jr_clock_ms() - begin) * 1e3;
}

/* All elements are 1, so that each result is its place, exactly up to 2^24 and nearly beyond. */
static void check_results(const scan_bench *bench, uint64_t count) {
    for (size_t i = 0; i < bench->stage.devices; i++) {
        float last = 0;
        const double wanted = (double)count * (double)(i + 1);
        bench_check(jr_memory_read(jr_group_context(bench->stage.group, i), &last, bench->stage.d_out[i] + count - 1,
                                   sizeof last),
                    "reading a result");
        bench_demand(fabs((double)last - wanted) <= wanted * 1e-5, "the last result of GPU %zu is %g, not %g", i,
                     (double)last, wanted);
    }
}

static void measure_count(scan_bench *bench, uint64_t count) {
    static const char *const contestants[] = {"group", "one"};
    for (int round = -1; round < bench->stage.rounds; round++) /* the first one warms up */
        for (int who = 0; who < CONTESTANTS; who++) {
            const double us = measure(bench, who, count);
            if (round >= 0) bench->us[who][round] = us;
            if (who == GROUP && round < 1) check_results(bench, count);
        }
    for (int who = 0; who < CONTESTANTS; who++) {
        const double median = bench_median(bench->us[who], bench->stage.rounds); /* sorted now */
        const double bytes = 2.0 * sizeof(float) * (double)count * (who == GROUP ? (double)bench->stage.devices : 1);
        printf("%zu,%llu,%s,%.2f,%.2f,%.0f\n", bench->stage.devices, (unsigned long long)count, contestants[who],
               median, bench->us[who][0], bytes / median / 1e3);
    }
    fflush(stdout);
}

/* ---- what is measured with ---- */

static void make_plans(scan_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    bench_check(jr_group_scan_plan_create(bench->stage.group, &spec, JR_SCAN_INCLUSIVE, &bench->plan), "making a plan");
    bench_check(jr_scan_plan_create(jr_group_context(bench->stage.group, 0), &spec, JR_SCAN_INCLUSIVE, &bench->one),
                "making a plan of one");
}

static float element(uint64_t place, size_t device) {
    (void)place, (void)device;
    return 1;
}

int main(int argc, char **argv) {
    static const uint64_t usual[] = {1 << 10, 1 << 20, 1 << 24, 1 << 28};
    static scan_bench bench;
    group_stage_open(argc, argv, 3, usual, &bench.stage);
    make_plans(&bench);
    group_stage_fill(&bench.stage, bench.stage.most, bench.stage.most, element);
    printf("devices,elements,contestant,median_us,least_us,gbps\n");
    for (int i = 0; i < bench.stage.count_count; i++) measure_count(&bench, bench.stage.counts[i]);
    jr_group_plan_destroy(bench.plan);
    jr_plan_destroy(bench.one);
    group_stage_close(&bench.stage);
    return 0;
}
