/* compile_bench: what a cold compile costs beside NVRTC's empty kernel, and how soon a first result comes.
 *
 * usage: compile_bench [rounds]
 * Every number is of a fresh process, which this program starts anew for each round, the kinds in turn (A B C D A B C
 * D): plain     NVRTC time of an empty kernel with no option but --no-cache, the process' first compile empty     the
 * same with --minimal, as our kernels are compiled cold      NVRTC time of the default sum f32, the process' first
 * compile result    disk cache filled: milliseconds from an open context to the first value of 1024 elements and then
 * both compiles again in one process, interleaved, when NVRTC is warm. All compiles are made with --no-cache.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"

enum { ROUNDS_MAX = 101 };

/* A new text each time, so that neither our disk cache nor the memo knows it. */
static double empty_ms(jr_context *context, int round, bool minimal) {
    char source[128];
    jr_kernel *kernel;
    jr_stats stats;
    static const char *const options[] = {"--minimal"};
    snprintf(source, sizeof source, "extern \"C\" __global__ void empty() {} // %d", round);
    const jr_program program = {
        .name = "empty", .source = source, .entry = "empty", .options = options, .option_count = minimal};
    bench_check(jr_kernel_get(context, &program, &kernel), "compiling the empty kernel");
    bench_check(jr_context_stats(context, &stats), "reading the statistics");
    return stats.nvrtc_ms;
}

static double sum_ms(jr_context *context, int round) {
    const jr_spec spec = {.op = JR_OP_SUM, .type = JR_F32, .block = 32 + round % 32 * 32};
    jr_plan *plan;
    jr_stats stats;
    bench_check(jr_plan_create(context, &spec, &plan), "compiling the sum");
    bench_check(jr_plan_stats(plan, &stats), "reading the statistics");
    jr_plan_destroy(plan);
    return stats.nvrtc_ms;
}

static void run_child(const char *kind) {
    const bool cached = strcmp(kind, "result") == 0;
    const jr_options options = {.cache_dir = cached ? NULL : ""};
    const jr_spec spec = {.op = JR_OP_SUM, .type = JR_F32};
    jr_context *context;
    jr_value value;
    static float data[1024] = {1, 2, 3};
    bench_check(jr_context_open(&options, &context), "opening a context");
    const double begin = jr_clock_ms();
    if (cached) bench_check(jr_reduce_host(context, &spec, data, 1024, &value), "reducing");
    const double result_ms = jr_clock_ms() - begin;
    const double ms = cached                      ? result_ms
                      : strcmp(kind, "cold") == 0 ? sum_ms(context, 15)
                                                  : empty_ms(context, 0, strcmp(kind, "empty") == 0);
    printf("%.4f\n", ms);
    jr_context_close(context);
}

/* Starts this program anew as one kind and reads the number that it prints. */
static double child_ms(const char *self, const char *kind) {
    char command[4096];
    char line[64] = "", *end = line;
    snprintf(command, sizeof command, "'%s' --child %s", self, kind);
    FILE *pipe = popen(command, "r"); /* NOLINT: our own path */
    const bool printed = pipe != NULL && fgets(line, sizeof line, pipe) != NULL;
    const double ms = strtod(line, &end);
    if (!printed || end == line || pclose(pipe) != 0) {
        fprintf(stderr, "the child '%s' failed\n", command);
        exit(1);
    }
    return ms;
}

static void run_fresh(const char *self, int rounds) {
    double plain[ROUNDS_MAX], empty[ROUNDS_MAX], cold[ROUNDS_MAX], result[ROUNDS_MAX];
    child_ms(self, "result");
    for (int i = 0; i < rounds; i++) {
        plain[i] = child_ms(self, "plain");
        empty[i] = child_ms(self, "empty");
        cold[i] = child_ms(self, "cold");
        result[i] = child_ms(self, "result");
    }
    const double p = bench_median(plain, rounds), e = bench_median(empty, rounds), c = bench_median(cold, rounds);
    const double r = bench_median(result, rounds);
    printf("first in the process, medians of %d: empty kernel %.1f ms, with --minimal %.1f ms, cold sum f32 %.1f ms: "
           "ratios %.2f and %.2f\n",
           rounds, p, e, c, c / p, c / e);
    printf("from the disk cache: first result %.2f ms after the context was open (slowest %.2f)\n", r,
           result[rounds - 1]);
}

static void run_warm(int rounds) {
    const jr_options options = {.cache_dir = ""};
    double plain[ROUNDS_MAX], empty[ROUNDS_MAX], cold[ROUNDS_MAX];
    jr_context *context;
    bench_check(jr_context_open(&options, &context), "opening a context");
    if (rounds > 32) rounds = 32; /* as many block sizes as there are */
    for (int i = 0; i < rounds; i++) {
        plain[i] = empty_ms(context, i, false);
        empty[i] = empty_ms(context, i, true);
        cold[i] = sum_ms(context, i);
    }
    const double p = bench_median(plain, rounds), e = bench_median(empty, rounds), c = bench_median(cold, rounds);
    printf(
        "later in a process, medians of %d: empty kernel %.1f ms, with --minimal %.1f ms, sum f32 %.1f ms: ratios %.2f "
        "and %.2f\n",
        rounds, p, e, c, c / p, c / e);
    jr_context_close(context);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--child") == 0) {
        run_child(argv[2]);
        return 0;
    }
    int rounds = argc > 1 ? bench_number(argv[1]) : 11;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    run_fresh(argv[0], rounds);
    run_warm(rounds);
    return 0;
}
