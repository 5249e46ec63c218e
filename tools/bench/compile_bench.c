/* compile_bench: the cost of a cold compile compared with NVRTC's empty kernel, and the time to a first result.
 *
 * usage: compile_bench [rounds] Every number is from a fresh process, one per round and kind, the kinds in turn (A B A
 * B):
 * - empty: NVRTC time of an empty kernel with no option but --no-cache, the process' first compile
 * - minimal: the same with --minimal, as our kernels are compiled
 * - sum: NVRTC time of the default sum f32, the process' first compile
 * - min: the same of the command's `--op min --uf 4` over f32
 * - result: disk cache filled: milliseconds from an open context to the first value of 1024 elements
 * and then the compiles of the empty kernels and of sum again in one process, interleaved, when NVRTC is warm. All
 * compiles are made with --no-cache.
 */
#include <stdio.h>

#include "base/clock.h"
#include "bench.h"

enum { ROUNDS_MAX = 101 };

/* A new text each time, so that neither our disk cache nor the memo knows it. */
static double empty_ms(jr_context *context, int round, bool minimal) {
    char source[128];
    jr_kernel *kernel;
    jr_stats stats = JR_INIT(jr_stats);
    static const char *const options[] = {"--minimal"};
    snprintf(source, sizeof source, "extern \"C\" __global__ void empty() {} // %d", round);
    const jr_program program = JR_INIT(jr_program, .name = "empty", .source = source, .entry = "empty",
                                       .options = options, .option_count = minimal);
    bench_check(jr_kernel_get(context, &program, &kernel), "compiling the empty kernel");
    bench_check(jr_context_stats(context, &stats), "reading the statistics");
    return stats.nvrtc_ms;
}

static double plan_ms(jr_context *context, const jr_spec *spec) {
    jr_plan *plan;
    jr_stats stats = JR_INIT(jr_stats);
    bench_check(jr_plan_create(context, spec, &plan), "compiling the reduction");
    bench_check(jr_plan_stats(plan, &stats), "reading the statistics");
    jr_plan_destroy(plan);
    return stats.nvrtc_ms;
}

static double sum_ms(jr_context *context, int round) { /* each round's block is another kernel */
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 32 + round % 32 * 32);
    return plan_ms(context, &spec);
}

/* Opens a context without a disk cache, so that it compiles. */
static jr_context *open_uncached(void) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = "");
    jr_context *context;
    bench_check(jr_context_open(&options, &context), "opening a context");
    return context;
}

/* The kinds: each is called in a process of its own. minimal: a bool. */
static void measure_empty(const void *minimal, double *ms) {
    jr_context *context = open_uncached();
    *ms = empty_ms(context, 0, *(const bool *)minimal);
    jr_context_close(context);
}

/* spec: a jr_spec. */
static void measure_plan(const void *spec, double *ms) {
    jr_context *context = open_uncached();
    *ms = plan_ms(context, spec);
    jr_context_close(context);
}

static void measure_result(const void *unused, double *ms) {
    static const float data[1024] = {1, 2, 3};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_context *context;
    jr_value value;
    (void)unused;
    bench_check(jr_context_open(NULL, &context), "opening a context");
    const double begin = jr_clock_ms();
    bench_check(jr_reduce_host(context, &spec, data, 1024, &value), "reducing");
    *ms = jr_clock_ms() - begin;
    jr_context_close(context);
}

static void run_fresh(int rounds) {
    static const bool as_ours[] = {false, true};
    static const jr_spec sum_f32 = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32},
                         min_f32 = {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_F32, .unroll = 4};
    double empty[ROUNDS_MAX], minimal[ROUNDS_MAX], sum[ROUNDS_MAX], min[ROUNDS_MAX], result[ROUNDS_MAX];
    bench_fresh(measure_result, NULL, result, 1); /* fills the cache */
    for (int i = 0; i < rounds; i++) {
        bench_fresh(measure_empty, &as_ours[0], &empty[i], 1);
        bench_fresh(measure_empty, &as_ours[1], &minimal[i], 1);
        bench_fresh(measure_plan, &sum_f32, &sum[i], 1);
        bench_fresh(measure_plan, &min_f32, &min[i], 1);
        bench_fresh(measure_result, NULL, &result[i], 1);
    }
    const double e = bench_median(empty, rounds), m = bench_median(minimal, rounds);
    const double s = bench_median(sum, rounds), l = bench_median(min, rounds), r = bench_median(result, rounds);
    printf("first in the process, medians of %d: empty kernel %.1f ms, with --minimal %.1f ms\n", rounds, e, m);
    printf("  sum f32 %.1f ms: ratios %.2f and %.2f; min f32 of unroll factor 4 %.1f ms: %.2f and %.2f\n", s, s / e,
           s / m, l, l / e, l / m);
    printf("from the disk cache: first result %.2f ms after the context was open (slowest %.2f)\n", r,
           result[rounds - 1]);
}

static void run_warm(int rounds) {
    double empty[ROUNDS_MAX], minimal[ROUNDS_MAX], sum[ROUNDS_MAX];
    jr_context *context = open_uncached();
    if (rounds > 32) rounds = 32; /* as many block sizes as there are */
    for (int i = 0; i < rounds; i++) {
        empty[i] = empty_ms(context, i, false);
        minimal[i] = empty_ms(context, i, true);
        sum[i] = sum_ms(context, i);
    }
    const double e = bench_median(empty, rounds), m = bench_median(minimal, rounds), s = bench_median(sum, rounds);
    printf("later in a process, medians of %d: empty kernel %.1f ms, with --minimal %.1f ms\n", rounds, e, m);
    printf("  sum f32 %.1f ms: ratios %.2f and %.2f\n", s, s / e, s / m);
    jr_context_close(context);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? bench_number(argv[1]) : 11;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    run_fresh(rounds);
    run_warm(rounds);
    return 0;
}
