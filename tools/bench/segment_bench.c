/* segment_bench: device time of segmented sums of f32 compared with the flat sum of as many elements, interleaved.
 *
 * usage: segment_bench [power [op [PEER.so]]]   (2^power elements: 28, on the simulator 18; op: sum; PEER.so: peer.h)
 *        segment_bench power op exact           exact segments, and plain ones
 * For each length: equal segments, the same by offsets, and the axis of a matrix of as many columns; at the end random
 * lengths of 1 to 512 together with one segment that has half of the elements. The ratio is the flat sum's median time
 * over this one's: 1 is as fast as the flat sum. A peer that can do it, or the plain form, takes its turn, too; its
 * ratio is its time over ours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { ROUNDS = 15, GPU_POWER = 28, SIM_POWER = 18, LAUNCHES = 5, MOST_RANDOM = 512 };

/* What all trials share. */
typedef struct segment_bench {
    bench_device device;
    jr_spec spec;
    jr_plan *flat;
    jr_cu_deviceptr data, out, offsets;
    uint64_t count;
    int rounds;
    const peer *other; /* NULL: none */
    bool exact;
} segment_bench;

/* One segmented run; a count of 0: the flat one; with a handle: the peer's. */
typedef struct segment_trial {
    const segment_bench *bench;
    jr_plan *plan;
    jr_segments segments;
    void *handle;
    peer_work work;
} segment_trial;

static void *pointer(jr_cu_deviceptr address) {
    return (void *)(uintptr_t)address;
}

static jr_status run_once(void *user, uint64_t run, jr_stream stream) {
    const segment_trial *trial = user;
    const segment_bench *bench = trial->bench;
    const void *in = pointer(bench->data);
    void *out = pointer(bench->out);
    (void)run;
    if (trial->handle != NULL)
        return bench->other->run(trial->handle, &trial->work, stream) == 0 ? JR_OK : JR_ERROR_DRIVER;
    if (trial->segments.count == 0) return jr_plan_run(trial->plan, in, bench->count, out, NULL, stream);
    return jr_segment_plan_run(trial->plan, in, &trial->segments, out, NULL, stream);
}

/* The peer's form of the same work; without a handle when there is no peer or it cannot do it. */
static segment_trial peer_trial(segment_bench *bench, const jr_segment_layout *layout, const jr_segments *segments) {
    segment_trial trial = {.bench = bench,
                           .work = {.op = jr_op_name(bench->spec.op),
                                    .type = jr_type_name(bench->spec.type),
                                    .in = {pointer(bench->data)},
                                    .count = bench->count,
                                    .out = pointer(bench->out),
                                    .segment_count = segments->count,
                                    .segment_length = layout->length,
                                    .offsets = (const int64_t *)segments->offsets}};
    if (bench->other != NULL && layout->kind != JR_SEGMENTS_STRIDED) trial.handle = bench->other->prepare(&trial.work);
    return trial;
}

static jr_plan *segment_plan(const segment_bench *bench, const jr_segment_layout *layout, jr_accuracy accuracy) {
    jr_spec spec = bench->spec;
    jr_plan *plan = NULL;
    spec.accuracy = accuracy;
    bench_check(jr_segment_plan_create(bench->device.context, &spec, layout, &plan), "making the plan");
    return plan;
}

/* The plain form of exact segments. */
static segment_trial plain_trial(const segment_bench *bench, const jr_segment_layout *layout,
                                 const jr_segments *segments) {
    return (segment_trial){
        .bench = bench, .plan = segment_plan(bench, layout, JR_ACCURACY_FAST), .segments = *segments};
}

/* Runs flat and segmented in turn, and prints the medians. */
static void compare(segment_bench *bench, const char *name, const jr_segment_layout *layout,
                    const jr_segments *segments) {
    segment_trial flat = {.bench = bench, .plan = bench->flat};
    segment_trial other = bench->exact ? plain_trial(bench, layout, segments) : peer_trial(bench, layout, segments);
    segment_trial trial = {.bench = bench, .segments = *segments};
    const bool beside = bench->exact || other.handle != NULL;
    const jr_measured trials[] = {{run_once, &flat}, {run_once, &trial}, {run_once, &other}};
    const jr_measure_options how =
        JR_INIT(jr_measure_options, .rounds = bench->rounds, .batch = bench->device.info.simulated ? 1 : LAUNCHES);
    double us[3 * ROUNDS];
    trial.plan = segment_plan(bench, layout, bench->exact ? JR_ACCURACY_EXACT : JR_ACCURACY_FAST);
    bench_check(jr_measure(bench->device.context, &how, trials, beside ? 3 : 2, us, NULL), "measuring");
    const double flat_median = bench_median(us, bench->rounds);
    const double median = bench_median(us + bench->rounds, bench->rounds);
    const double bytes = (double)bench->count * (double)jr_type_size(bench->spec.type);
    printf("%-28s %10llu segments  %10.2f us  %8.1f GB/s  flat %10.2f us  ratio %.3f", name,
           (unsigned long long)segments->count, median, bytes / median * 1e-3, flat_median, flat_median / median);
    if (beside) {
        const double other_median = bench_median(us + 2 * bench->rounds, bench->rounds);
        printf("  %s %10.2f us  ratio %.3f", bench->exact ? "plain" : bench->other->name, other_median,
               other_median / median);
    }
    if (other.handle != NULL) bench->other->release(other.handle);
    printf("\n");
    fflush(stdout);
    jr_plan_destroy(trial.plan);
    jr_plan_destroy(other.plan);
}

static void put_offsets(segment_bench *bench, const uint64_t *offsets, uint64_t count) {
    bench_driver(&bench->device,
                 bench->device.driver.cuMemcpyHtoD_v2(bench->offsets, offsets, (count + 1) * sizeof *offsets),
                 "copying");
    bench_driver(&bench->device, bench->device.driver.cuCtxSynchronize(), "waiting"); /* jr_measure's stream does not */
}

static void run_length(segment_bench *bench, uint64_t length, uint64_t *offsets) {
    const jr_segment_layout equal = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_segments segments = JR_INIT(jr_segments, .count = bench->count / length);
    const jr_segment_layout columns =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = length, .inner = segments.count);
    char name[64];
    snprintf(name, sizeof name, "equal, length %llu", (unsigned long long)length);
    compare(bench, name, &equal, &segments);
    snprintf(name, sizeof name, "columns, length %llu", (unsigned long long)length);
    compare(bench, name, &columns, &segments);
    for (uint64_t s = 0; s <= segments.count; s++) offsets[s] = s * length;
    put_offsets(bench, offsets, segments.count);
    segments.offsets = pointer(bench->offsets);
    snprintf(name, sizeof name, "offsets, length %llu", (unsigned long long)length);
    compare(bench, name, &ragged, &segments);
}

/* Random lengths, and in their middle one segment that holds half of all. */
static void run_mix(segment_bench *bench, uint64_t *offsets) {
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_segments segments = JR_INIT(jr_segments, .count = 0);
    uint32_t state = 1;
    uint64_t at = 0;
    bool giant = false;
    for (offsets[0] = 0; at < bench->count; offsets[++segments.count] = at) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes */
        const uint64_t length = !giant && at >= bench->count / 4 ? bench->count / 2 : (state >> 8) % MOST_RANDOM + 1;
        giant = giant || length > MOST_RANDOM;
        at = length < bench->count - at ? at + length : bench->count;
    }
    put_offsets(bench, offsets, segments.count);
    segments.offsets = pointer(bench->offsets);
    compare(bench, "offsets, one holds half", &ragged, &segments);
}

int main(int argc, char **argv) {
    static const int powers[] = {0, 2, 4, 5, 6, 8, 10, 12, 14, 17, 20, 24};
    segment_bench bench = {.spec = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32}, .rounds = ROUNDS};
    bench_open(&bench.device);
    const int power = argc > 1 ? bench_number(argv[1]) : bench.device.info.simulated ? SIM_POWER : GPU_POWER;
    if (argc > 2) bench_check(jr_op_find(argv[2], &bench.spec.op), "reading the operator");
    bench.exact = argc > 3 && strcmp(argv[3], "exact") == 0;
    if (argc > 3 && !bench.exact) bench.other = bench_peer(argv[3]);
    if (bench.device.info.simulated) bench.rounds = 1;
    bench.count = 1ull << power;
    uint64_t *offsets = malloc((bench.count + 1) * sizeof *offsets);
    bench_demand(offsets != NULL, "no host memory for %llu offsets", (unsigned long long)bench.count);
    bench_check(jr_plan_create(bench.device.context, &bench.spec, &bench.flat), "making the plan");
    bench.data = bench_fill(&bench.device, bench.count * sizeof(float));
    bench.out = bench_fill(&bench.device, bench.count * sizeof(double));
    bench.offsets = bench_fill(&bench.device, (bench.count + 1) * sizeof *offsets);
    printf("%s, %s of f32, 2^%d elements\n", bench.device.info.name, jr_op_name(bench.spec.op), power);
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        if (powers[i] <= power) run_length(&bench, 1ull << powers[i], offsets);
    run_mix(&bench, offsets);
    free(offsets);
    jr_plan_destroy(bench.flat);
    bench.device.driver.cuMemFree_v2(bench.data);
    bench.device.driver.cuMemFree_v2(bench.out);
    bench.device.driver.cuMemFree_v2(bench.offsets);
    bench_close(&bench.device);
    return 0;
}
