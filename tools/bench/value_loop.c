/* What jr_plan_value and jr_plan_run cost from C: the measure of what Python takes. Built by python_bench.py. */
#include <jitreduce.h>
#include <stdlib.h>
#include <time.h>

double value_us(const char *device, const void *data, uint64_t count, int rounds);
double run_us(const char *device, const void *data, uint64_t count, int rounds);

static double now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(jr_plan *plan, const void *data, uint64_t count, double *samples, int rounds) {
    jr_value value;
    for (int i = 0; i < rounds; i++) {
        const double begin = now_us();
        if (jr_plan_value(plan, &data, count, NULL, &value)) return -1;
        samples[i] = now_us() - begin;
    }
    qsort(samples, (size_t)rounds, sizeof *samples, by_size);
    return samples[rounds / 2];
}

/* Batches of runs, as python_bench.py has them: the device is waited for in between, which does not count. */
static double median_run(jr_context *context, jr_plan *plan, const void *data, uint64_t count, double *samples,
                         int rounds) {
    enum { BATCH = 200 };
    void *out = NULL;
    double us = -1;
    if (jr_memory_new(context, 16, &out)) return us;
    for (int i = 0; i < rounds; i++) {
        const double begin = now_us();
        for (int k = 0; k < BATCH; k++)
            if (jr_plan_run(plan, data, count, out, NULL, NULL)) goto end_run;
        samples[i] = (now_us() - begin) / BATCH;
        if (jr_context_wait(context)) goto end_run;
    }
    qsort(samples, (size_t)rounds, sizeof *samples, by_size);
    us = samples[rounds / 2];
end_run:
    jr_memory_free(context, out);
    return us;
}

static double measure(const char *device, const void *data, uint64_t count, int rounds, int run) {
    jr_options options = JR_INIT(jr_options, .device = device);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_context *context = NULL;
    jr_plan *plan = NULL;
    double *samples = malloc((size_t)rounds * sizeof *samples), us = -1;
    if (samples && jr_context_open(&options, &context) == JR_OK && jr_plan_create(context, &spec, &plan) == JR_OK)
        us = run ? median_run(context, plan, data, count, samples, rounds) : median(plan, data, count, samples, rounds);
    jr_plan_destroy(plan);
    jr_context_close(context);
    free(samples);
    return us;
}

/* The median of so many calls that sum floats in device memory of the primary context; -1: it failed. */
double value_us(const char *device, const void *data, uint64_t count, int rounds) {
    return measure(device, data, count, rounds, 0);
}

/* The same of jr_plan_run, of so many batches. */
double run_us(const char *device, const void *data, uint64_t count, int rounds) {
    return measure(device, data, count, rounds, 1);
}
