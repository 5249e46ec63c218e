/* group_scan_bench: scans of f32 that lie on several GPUs, beside one GPU that scans its part alone.
 *
 * usage: group_scan_bench [DEVICES [ROUNDS [COUNT...]]]
 *   DEVICES   as of jr_group_options (cuda:all; on the simulator sim:all)
 *   ROUNDS    samples of each contestant (101; on the simulator 1)
 *   COUNT     elements a GPU (2^10, 2^20, 2^24, 2^28; on the simulator 1024)
 *
 * CSV, a row for each count and contestant: the median and the least time in microseconds from the call until all
 * streams have been waited for, and GB/s of elements and results over all GPUs by the median. Contestants take turns in
 * every round: `group`, all GPUs, each of which folds its part and then scans it; `one`, a plan of the first GPU's
 * elements alone, which needs no fold. Fails where a result is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"

enum { ROUNDS_MAX = 1001, DEVICES_MAX = 16, COUNTS_MAX = 16 };
enum { GROUP, ONE, CONTESTANTS };

typedef struct scan_bench {
    jr_group *group;
    size_t devices;
    bool simulated;
    int rounds, count_count;
    uint64_t counts[COUNTS_MAX], most; /* elements of a GPU */
    jr_group_plan *plan;
    jr_plan *one;
    float *d_in[DEVICES_MAX], *d_out[DEVICES_MAX];
    double us[CONTESTANTS][ROUNDS_MAX];
} scan_bench;

/* ---- measuring ---- */

static void scan_by_group(const scan_bench *bench, uint64_t count) {
    const void *arrays[DEVICES_MAX];
    const void *const *in[DEVICES_MAX];
    uint64_t counts[DEVICES_MAX];
    for (size_t i = 0; i < bench->devices; i++) {
        arrays[i] = bench->d_in[i];
        in[i] = &arrays[i];
        counts[i] = count;
    }
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = counts);
    bench_check(jr_group_scan_plan_run(bench->plan, &parts, (void *const *)bench->d_out), "scanning by the group");
    for (size_t i = 0; i < bench->devices; i++)
        bench_check(jr_stream_wait(jr_group_context(bench->group, i), NULL), "waiting");
}

static void scan_by_one(const scan_bench *bench, uint64_t count) {
    bench_check(jr_plan_run(bench->one, bench->d_in[0], count, bench->d_out[0], NULL, NULL), "scanning by one");
    bench_check(jr_stream_wait(jr_group_context(bench->group, 0), NULL), "waiting");
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
    for (size_t i = 0; i < bench->devices; i++) {
        float last = 0;
        const double wanted = (double)count * (double)(i + 1);
        bench_check(jr_memory_read(jr_group_context(bench->group, i), &last, bench->d_out[i] + count - 1, sizeof last),
                    "reading a result");
        bench_demand(fabs((double)last - wanted) <= wanted * 1e-5, "the last result of GPU %zu is %g, not %g", i,
                     (double)last, wanted);
    }
}

static void measure_count(scan_bench *bench, uint64_t count) {
    static const char *const contestants[] = {"group", "one"};
    for (int round = -1; round < bench->rounds; round++) /* the first one warms up */
        for (int who = 0; who < CONTESTANTS; who++) {
            const double us = measure(bench, who, count);
            if (round >= 0) bench->us[who][round] = us;
            if (who == GROUP && round < 1) check_results(bench, count);
        }
    for (int who = 0; who < CONTESTANTS; who++) {
        const double median = bench_median(bench->us[who], bench->rounds); /* sorted now */
        const double bytes = 2.0 * sizeof(float) * (double)count * (who == GROUP ? (double)bench->devices : 1);
        printf("%zu,%llu,%s,%.2f,%.2f,%.0f\n", bench->devices, (unsigned long long)count, contestants[who], median,
               bench->us[who][0], bytes / median / 1e3);
    }
    fflush(stdout);
}

/* ---- what is measured with ---- */

static void open_group(const char *devices, scan_bench *bench) {
    const jr_group_options options = JR_INIT(jr_group_options, .devices = devices);
    bench_check(jr_group_open(&options, &bench->group), "opening a group");
    bench->devices = jr_group_size(bench->group);
    bench_demand(bench->devices <= DEVICES_MAX, "%zu devices: at most %d", bench->devices, DEVICES_MAX);
    for (size_t i = 0; i < bench->devices; i++) {
        jr_device_info info = JR_INIT(jr_device_info);
        bench_check(jr_context_device_info(jr_group_context(bench->group, i), &info), "describing a device");
        bench->simulated = info.simulated;
        printf("# device %zu: %s\n", i, info.name);
    }
}

static void read_counts(scan_bench *bench, int count, char **texts) {
    static const uint64_t usual[] = {1 << 10, 1 << 20, 1 << 24, 1 << 28};
    for (int i = 0; i < count && i < COUNTS_MAX; i++) bench->counts[bench->count_count++] = strtoull(texts[i], NULL, 0);
    for (size_t i = 0; count <= 0 && i < (bench->simulated ? 1 : 4); i++)
        bench->counts[bench->count_count++] = usual[i];
    for (int i = 0; i < bench->count_count; i++) {
        bench_demand(bench->counts[i] > 0, "a count is 0 or no number");
        if (bench->most < bench->counts[i]) bench->most = bench->counts[i];
    }
}

static void make_plans(scan_bench *bench) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    bench_check(jr_group_scan_plan_create(bench->group, &spec, JR_SCAN_INCLUSIVE, &bench->plan), "making a plan");
    bench_check(jr_scan_plan_create(jr_group_context(bench->group, 0), &spec, JR_SCAN_INCLUSIVE, &bench->one),
                "making a plan of one");
}

static void fill(scan_bench *bench) {
    enum { PIECE = 1 << 22 };
    const uint64_t piece_count = bench->most < PIECE ? bench->most : PIECE;
    float *piece = malloc(piece_count * sizeof *piece);
    bench_demand(piece != NULL, "no host memory");
    for (uint64_t i = 0; i < piece_count; i++) piece[i] = 1;
    for (size_t i = 0; i < bench->devices; i++) {
        jr_context *context = jr_group_context(bench->group, i);
        bench_check(jr_memory_new(context, bench->most * sizeof *piece, (void **)&bench->d_in[i]), "allocating");
        bench_check(jr_memory_new(context, bench->most * sizeof *piece, (void **)&bench->d_out[i]), "allocating");
        for (uint64_t at = 0; at < bench->most; at += piece_count) {
            const uint64_t left = bench->most - at < piece_count ? bench->most - at : piece_count;
            bench_check(jr_memory_write(context, bench->d_in[i] + at, piece, left * sizeof *piece), "copying");
        }
    }
    free(piece);
}

static void close_all(scan_bench *bench) {
    jr_group_plan_destroy(bench->plan);
    jr_plan_destroy(bench->one);
    for (size_t i = 0; i < bench->devices; i++) {
        jr_memory_free(jr_group_context(bench->group, i), bench->d_in[i]);
        jr_memory_free(jr_group_context(bench->group, i), bench->d_out[i]);
    }
    jr_group_close(bench->group);
}

int main(int argc, char **argv) {
    static scan_bench bench;
    const char *named = getenv("JITREDUCE_DEVICE");
    open_group(argc > 1 ? argv[1] : named != NULL && strncmp(named, "sim", 3) == 0 ? "sim:all" : "cuda:all", &bench);
    bench.rounds = argc > 2 ? bench_number(argv[2]) : bench.simulated ? 1 : 101;
    bench_demand(bench.rounds >= 1 && bench.rounds <= ROUNDS_MAX, "%d rounds: 1 to %d", bench.rounds, ROUNDS_MAX);
    read_counts(&bench, argc - 3, argv + 3);
    make_plans(&bench);
    fill(&bench);
    printf("devices,elements,contestant,median_us,least_us,gbps\n");
    for (int i = 0; i < bench.count_count; i++) measure_count(&bench, bench.counts[i]);
    close_all(&bench);
    return 0;
}
