/* tuned_bench: each number of the table of tuned numbers compared with alternatives, interleaved, as CSV.
 *
 * usage: tuned_bench [NUMBER...]   names of tuned.h without JR_NUMBER_, as WARPS_PACKS; default: all that are here
 *
 * The library asks jr_tuned_number_of for its numbers. The linker gives it the function below instead (build.mk), which
 * answers with the alternative of the trial at work. Each line is of a number, a value of it and a work that the number
 * decides on; the value that is chosen now comes first, and its time is the ratio's divisor. On the simulator arrays
 * are small and each number has one work. Numbers of scans and runs are measured by scan_bench (calibrate.sh). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spread.h" /* tools/jitreduce */
#include "bench.h"
#include "plan/plan.h"
#include "plan/tuned.h"

enum { VALUES_MAX = 4, WORKS_MAX = 4, ROUNDS = 15, SIM_SIDE = 20 };

static const uint64_t DATA_BYTES = 1ull << 30, RESULTS_BYTES = 1ull << 28;

/* A reduction of an array: of all elements, or along the axes that `along` has bits for. */
typedef struct tuned_work {
    const char *name;
    uint64_t shape[4];
    unsigned along;
    const char *map; /* of two inputs; NULL: none */
    jr_accuracy accuracy;
    jr_algorithm algorithm;
    bool in_host_memory;
} tuned_work;

typedef struct tuned_row {
    const char *name;
    jr_tuned_number number;
    uint64_t others[VALUES_MAX];
    tuned_work works[WORKS_MAX];
} tuned_row;

#define ROW(which) .name = #which, .number = JR_NUMBER_##which
#define EACH(...)  .others = {__VA_ARGS__}
#define ROWS(rows, length)                                                                                             \
    { .name = #rows "x" #length ":1", .shape = {rows, length}, .along = 2 }
#define COLUMNS(rows, row)                                                                                             \
    { .name = #rows "x" #row ":0", .shape = {rows, row}, .along = 1 }
#define SLABS(a, b, c)                                                                                                 \
    { .name = #a "x" #b "x" #c ":1", .shape = {a, b, c}, .along = 2 }
#define OUTER(a, b, c)                                                                                                 \
    { .name = #a "x" #b "x" #c ":0+2", .shape = {a, b, c}, .along = 5 }
#define KiB(count) ((uint64_t)(count) << 10)
#define MiB(count) ((uint64_t)(count) << 20)

static const tuned_row rows[] = {
    {ROW(CHUNK_FROM_BYTES),
     EACH(MiB(16), MiB(256)),
     {{.name = "host 8388608", .shape = {8388608}, .in_host_memory = true},
      {.name = "host 12582912", .shape = {12582912}, .in_host_memory = true},
      {.name = "host 33554432", .shape = {33554432}, .in_host_memory = true}}},
    {ROW(VECTORS_IN_FLIGHT),
     EACH(1536, 6144),
     {{.name = "strided 67108864", .shape = {67108864}, .algorithm = JR_ALGORITHM_STRIDED},
      {.name = "atomic 67108864", .shape = {67108864}, .algorithm = JR_ALGORITHM_ATOMIC}}},
    {ROW(BLOCK),
     EACH(256, 1024),
     {{.name = "strided 67108864", .shape = {67108864}, .algorithm = JR_ALGORITHM_STRIDED},
      {.name = "atomic 67108864", .shape = {67108864}, .algorithm = JR_ALGORITHM_ATOMIC},
      {.name = "rows 67108864", .shape = {67108864}, .algorithm = JR_ALGORITHM_ROWS}}},
    {ROW(UNROLL),
     EACH(2, 8),
     {{.name = "atomic 67108864", .shape = {67108864}, .algorithm = JR_ALGORITHM_ATOMIC},
      {.name = "rows 67108864", .shape = {67108864}, .algorithm = JR_ALGORITHM_ROWS},
      ROWS(671088, 100)}},

    {ROW(EXACT_SEGMENT_LENGTH),
     EACH(1, 8, 64),
     {{.name = "exact 4194304x4:1", .shape = {4194304, 4}, .along = 2, .accuracy = JR_ACCURACY_EXACT},
      {.name = "exact 1048576x16:1", .shape = {1048576, 16}, .along = 2, .accuracy = JR_ACCURACY_EXACT},
      {.name = "exact 524288x32:1", .shape = {524288, 32}, .along = 2, .accuracy = JR_ACCURACY_EXACT}}},
    {ROW(EXACT_SEGMENT_LOADS_OF_SEVERAL),
     EACH(1, 2, 8),
     {{.name = "exact x + y 65536x1024:1",
       .shape = {65536, 1024},
       .along = 2,
       .map = "x + y",
       .accuracy = JR_ACCURACY_EXACT}}},

    {ROW(LANES_LENGTH_MAX), EACH(255, 511, 2047), {ROWS(131072, 500), ROWS(65536, 1000), ROWS(32768, 1500)}},
    {ROW(WARPS_PACKS), EACH(64, 256), {ROWS(262144, 256), ROWS(131072, 512), ROWS(65536, 1024)}},
    {ROW(WARPS_PACKS_MAX), EACH(1023, 4095), {ROWS(16384, 4096), ROWS(10240, 6144), ROWS(5120, 12288)}},
    {ROW(WARPS_SEGMENTS), EACH(1, 6, 24), {ROWS(800, 4096), ROWS(1584, 4096), ROWS(3168, 4096), ROWS(3168, 1024)}},
    {ROW(BLOCKS_PACKS), EACH(1024, 4096), {ROWS(16384, 6000), ROWS(5120, 12000), ROWS(512, 12000)}},
    {ROW(BLOCKS_PART_TILES), EACH(2, 4, 32), {ROWS(10, 4194304), ROWS(100, 524288), ROWS(1000, 65536)}},
    {ROW(STEPS_LENGTH), EACH(4, 64), {OUTER(8, 65536, 8), OUTER(32, 65536, 32), OUTER(16, 4096, 16)}},

    {ROW(THREADS_ROWS_MAX), EACH(16, 64), {COLUMNS(20, 3200000), COLUMNS(32, 2097152), COLUMNS(48, 1400000)}},
    {ROW(THREADS_ROW_BYTES), EACH(64, 1024), {SLABS(131072, 8, 32), SLABS(65536, 8, 128), SLABS(131072, 8, 64)}},
    {ROW(THREADS_LOADS), EACH(4, 16), {COLUMNS(8, 8388608), COLUMNS(7, 8388608), COLUMNS(16, 4194304)}},
    {ROW(THREADS_LOADS_OF_MANY),
     EACH(5, 6, 8),
     {COLUMNS(10, 10000000), COLUMNS(12, 8000000), COLUMNS(16, 6000000), COLUMNS(20, 5000000)}},
    {ROW(COLUMNS_LIGHT_BYTES), EACH(16, 64), {COLUMNS(16384, 16384), COLUMNS(100, 1000000)}},
    {ROW(COLUMNS_LOADS), EACH(4, 16), {COLUMNS(1024, 65536), SLABS(32, 1024, 4096)}},
    {ROW(COLUMNS_LONG_LOADS), EACH(2, 8), {COLUMNS(16384, 16384)}},
    {ROW(COLUMNS_LONG_LENGTH), EACH(1024, 16384), {COLUMNS(4096, 65536), COLUMNS(2048, 65536), SLABS(32, 1024, 4096)}},
    {ROW(COLUMNS_LONG_ROW_BYTES), EACH(KiB(1), KiB(256)), {COLUMNS(65536, 256), COLUMNS(16384, 16384)}},
    {ROW(COLUMNS_SHORT_BLOCK), EACH(64, 256), {SLABS(16384, 56, 56), COLUMNS(100, 1000000), SLABS(128, 128, 16384)}},
    {ROW(COLUMNS_JOINED_LENGTH), EACH(1 << 14, 1 << 20), {COLUMNS(32768, 100), COLUMNS(131072, 100)}},
    {ROW(BANDS_SHORT_LINES), EACH(64, 1024), {COLUMNS(100, 1000000), COLUMNS(512, 131072), SLABS(128, 512, 1024)}},
    {ROW(BANDS_LINES_OF_LANE), EACH(6, 24, 48), {SLABS(16384, 56, 56), COLUMNS(100, 1000000)}},
    {ROW(BANDS_LANES_MAX), EACH(1, 4, 8), {SLABS(128, 128, 16384), COLUMNS(200, 500000)}},
    {ROW(BANDS_THREADS_MIN), EACH(64, 400), {COLUMNS(1000000, 100), COLUMNS(500000, 180)}},
    {ROW(BANDS_THREADS_MAX), EACH(255, 511, 1023), {COLUMNS(1000000, 100), COLUMNS(1000000, 36)}},
    {ROW(JOIN_ROUNDS), EACH(1, 200, 100000), {COLUMNS(65536, 64), COLUMNS(65536, 256), COLUMNS(8192, 1024)}}};

/* ---- the number of the trial at work ---- */

static jr_tuned_number number_at_work = JR_NUMBERS;
static uint64_t value_at_work;

uint64_t __real_jr_tuned_number_of(const jr_device_info *device, jr_tuned_number number);
uint64_t __wrap_jr_tuned_number_of(const jr_device_info *device, jr_tuned_number number);
uint64_t __wrap_jr_tuned_number_of(const jr_device_info *device, jr_tuned_number number) {
    return number == number_at_work ? value_at_work : __real_jr_tuned_number_of(device, number);
}

/* ---- trials ---- */

typedef struct tuned_bench {
    bench_device device;
    jr_cu_deviceptr data, results;
    uint64_t data_bytes;
    float *host;
} tuned_bench;

typedef struct tuned_trial {
    const tuned_bench *bench;
    jr_spec spec;
    jr_tuned_number number;
    uint64_t value, count;
    jr_plan *plan; /* NULL: in host memory */
} tuned_trial;

static void set_number(const tuned_trial *trial) {
    number_at_work = trial->number;
    value_at_work = trial->value;
}

/* Each run takes the next elements of the data, so that none finds its own in the caches. */
static jr_status run_once(void *user, uint64_t run, jr_stream stream) {
    const tuned_trial *trial = user;
    const uint64_t bytes = trial->count * sizeof(float), slot = (bytes + 255) / 256 * 256,
                   slots = trial->bench->data_bytes / slot;
    const jr_cu_deviceptr at = trial->bench->data + run % (slots > 0 ? slots : 1) * slot;
    const void *const in[] = {(const void *)(uintptr_t)at, (const void *)(uintptr_t)trial->bench->data};
    jr_value value;
    set_number(trial);
    if (trial->plan == NULL)
        return jr_reduce_host(trial->bench->device.context, &trial->spec, trial->bench->host, trial->count, &value);
    const jr_work_data data =
        JR_INIT(jr_work_data, .in = in, .count = trial->count, .out = (void *)(uintptr_t)trial->bench->results,
                .segments = trial->plan->segments);
    return jr_work_plan_run(trial->plan, &data, NULL, stream);
}

/* The dimensions of a work, on the simulator smaller ones. */
static int take_shape(const tuned_bench *bench, const tuned_work *work, uint64_t shape[4]) {
    int dimensions = 0;
    for (; dimensions < 4 && work->shape[dimensions] > 0; dimensions++) {
        const bool cut = bench->device.info.simulated && work->shape[dimensions] > SIM_SIDE;
        shape[dimensions] = cut ? SIM_SIDE : work->shape[dimensions];
    }
    return dimensions;
}

/* False, with a line on standard error: the library does not take the work so. */
static bool make_trial(const tuned_bench *bench, const tuned_row *row, const tuned_work *work, uint64_t value,
                       tuned_trial *trial) {
    uint64_t shape[4];
    const int dimensions = take_shape(bench, work, shape);
    int axes[4], axis_count = 0;
    *trial = (tuned_trial){.bench = bench, .number = row->number, .value = value, .count = 1};
    trial->spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .map = work->map, .type = JR_F32, .accuracy = work->accuracy);
    trial->spec.algorithm = work->algorithm;
    if (work->map != NULL) trial->spec.input_count = 2;
    for (int k = 0; k < dimensions; k++) {
        trial->count *= shape[k];
        if (work->along >> k & 1) axes[axis_count++] = k;
    }
    if (work->in_host_memory) return true;
    if (axis_count == 0) trial->spec.capacity = trial->count;
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = shape, .dimensions = dimensions, .axes = axes, .axis_count = (size_t)axis_count);
    set_number(trial);
    const jr_work made = JR_INIT(jr_work, .spec = &trial->spec, .axis = axis_count > 0 ? &axis : NULL);
    if (jr_work_plan_create(bench->device.context, &made, &trial->plan) == JR_OK) return true;
    fprintf(stderr, "tuned_bench: %s = %llu, %s: %s\n", row->name, (unsigned long long)value, work->name,
            jr_last_error()->message);
    return false;
}

static void print(const tuned_row *row, const tuned_work *work, const tuned_trial *trial, const cli_spread *spread,
                  double first_us) {
    const jr_plan *plan = trial->plan;
    printf("%s,%llu,%s,%llu,%.3f,%.3f,%.3f,%.4f,%s", row->name, (unsigned long long)trial->value, work->name,
           (unsigned long long)trial->count, spread->median, spread->lower_quartile, spread->upper_quartile,
           spread->median / first_us, plan == NULL ? "host" : plan->choice.row->name);
    if (plan != NULL) printf(" uf %d block %d", plan->choice.tuning.unroll, plan->choice.tuning.block);
    printf("\n");
}

static void measure(const tuned_bench *bench, const tuned_row *row, const tuned_work *work) {
    tuned_trial trials[VALUES_MAX + 1];
    jr_measured items[VALUES_MAX + 1];
    double us[(VALUES_MAX + 1) * ROUNDS];
    int count = 0;
    const bool simulated = bench->device.info.simulated;
    const jr_measure_options how =
        JR_INIT(jr_measure_options, .mode = work->in_host_memory ? JR_MEASURE_HOST : JR_MEASURE_LAUNCHES,
                .rounds = simulated ? 1 : ROUNDS, .batch = simulated ? 1 : 0);
    const uint64_t now = __real_jr_tuned_number_of(&bench->device.info, row->number);
    if (!make_trial(bench, row, work, now, &trials[count])) return;
    for (count = 1; count <= VALUES_MAX && row->others[count - 1] > 0;) {
        if (!make_trial(bench, row, work, row->others[count - 1], &trials[count])) break;
        count++;
    }
    for (int i = 0; i < count; i++) items[i] = (jr_measured){run_once, &trials[i]};
    bench_check(jr_measure(bench->device.context, &how, items, count, us, NULL), row->name);
    number_at_work = JR_NUMBERS;
    double first_us = 0;
    for (int i = 0; i < count; i++) {
        const cli_spread spread = cli_spread_of(us + i * how.rounds, how.rounds);
        if (i == 0) first_us = spread.median;
        print(row, work, &trials[i], &spread, first_us);
        jr_plan_destroy(trials[i].plan);
    }
    fflush(stdout);
}

static bool is_wanted(const tuned_row *row, int argc, char **argv) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; i++) wanted |= strcmp(argv[i], row->name) == 0;
    return wanted;
}

static void check_names(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        bool known = false;
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) known |= strcmp(argv[i], rows[r].name) == 0;
        bench_demand(known, "'%s' is not a number that is measured here", argv[i]);
    }
}

int main(int argc, char **argv) {
    tuned_bench bench = {.host = malloc(MiB(128))};
    bench_demand(bench.host != NULL, "no host memory for %llu bytes", (unsigned long long)MiB(128));
    for (size_t i = 0; i < MiB(128) / sizeof *bench.host; i++) bench.host[i] = (float)(i % 1000); /* pages of its own */
    bench_open(&bench.device);
    check_names(argc, argv);
    const bool simulated = bench.device.info.simulated;
    bench.data_bytes = simulated ? MiB(1) : DATA_BYTES;
    bench.data = bench_fill(&bench.device, bench.data_bytes);
    bench.results = bench_fill(&bench.device, simulated ? MiB(1) : RESULTS_BYTES);
    bench_head(&bench.device, NULL, 0, argc, argv);
    printf("number,value,work,count,median_us,lower_quartile_us,upper_quartile_us,ratio,chosen\n");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int w = 0; w < (simulated ? 1 : WORKS_MAX) && rows[r].works[w].name != NULL; w++)
            if (is_wanted(&rows[r], argc, argv)) measure(&bench, &rows[r], &rows[r].works[w]);
    free(bench.host);
    bench.device.driver.cuMemFree_v2(bench.data);
    bench.device.driver.cuMemFree_v2(bench.results);
    bench_close(&bench.device);
    return 0;
}
