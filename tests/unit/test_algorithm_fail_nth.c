/* Every allocation and every launch of a plan of each algorithm fails once, on the simulator: each failure has its
 * reason, nothing leaks, and the same plan works again. */
/* link: fail_nth */
#include "support/fixtures/plan_case.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/fakes/fail_nth.h"
#include "support/fakes/sim_faults.h"
#include "support/fixtures/scratch.h"

enum { COUNT = 5000, LAUNCHES_MAX = 20 };

static const opened *fixture;
static char folder[SCRATCH_BYTES];
static uint32_t *d_in;
static uint64_t *d_out;

static jr_spec spec_of(jr_algorithm algorithm) {
    return JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = algorithm, .unroll = 2, .block = 64,
                   .capacity = COUNT);
}

/* Makes, runs and frees. user: the algorithm. */
static jr_status make_and_run(void *user) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = folder);
    const jr_spec spec = spec_of(*(const jr_algorithm *)user);
    jr_context *context = NULL;
    jr_plan *plan = NULL;
    jr_status status = jr_context_open(&options, &context);
    if (status != JR_OK) return status;
    status = jr_work_plan_create(context, WORK(&spec), &plan);
    if (status == JR_OK)
        status = jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = COUNT, .out = d_out), NULL, NULL);
    jr_plan_destroy(plan);
    jr_context_close(context);
    return status;
}

TEST(every_allocation_of_a_plan_may_fail) {
    FOR_EACH_ALGORITHM(algorithm) {
        works(make_and_run(&algorithm)); /* fills the cache: what follows compiles nothing */
        const int failures = fail_nth_walk(FAIL_MEMORY, make_and_run, &algorithm);
        assert_true(failures > 10);
        assert_int_equal(word_read(fixture, d_out), iota_sum(COUNT));
    }
}

/* Returns how many launches a run made before none failed any more. */
static int fail_launches(jr_plan *plan, const sim_faults *faults) {
    char rule[40];
    for (int n = 1; n <= LAUNCHES_MAX; n++) {
        snprintf(rule, sizeof rule, "cuLaunchKernelEx:%d", n);
        assert_int_equal(faults->refuse(rule), 0);
        const jr_status status =
            jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = COUNT, .out = d_out), NULL, NULL);
        faults->refuse(NULL);
        if (status == JR_OK) return n - 1;
        fails(status, JR_ERROR_DRIVER, "launching");
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = COUNT - 1, .out = d_out), NULL, NULL));
        assert_int_equal(word_read(fixture, d_out), iota_sum(COUNT - 1));
    }
    return LAUNCHES_MAX;
}

TEST(every_launch_of_a_run_may_fail) {
    const sim_faults faults = sim_faults_of(fixture->driver.library);
    FOR_EACH_ALGORITHM(algorithm) {
        const jr_spec spec = spec_of(algorithm);
        jr_plan *plan = NULL;
        jr_stats stats = JR_INIT(jr_stats);
        works(jr_work_plan_create(fixture->context, WORK(&spec), &plan));
        works(jr_plan_stats(plan, &stats));
        assert_int_equal(fail_launches(plan, &faults), stats.launches);
        assert_in_range(stats.launches, 1, LAUNCHES_MAX - 1);
        jr_plan_destroy(plan);
    }
}

static int begin(void **state) {
    assert_int_equal(setenv("JITREDUCE_DEVICE", "sim", 1), 0);
    assert_int_equal(open_context(state), 0);
    fixture = *state;
    d_in = iota_new(fixture, COUNT);
    d_out = device_new(fixture, sizeof *d_out);
    scratch_make(folder);
    return 0;
}

static int end(void **state) {
    if (*state == NULL) return 0;
    device_free(fixture, d_in);
    device_free(fixture, d_out);
    scratch_remove(folder);
    return close_context(state);
}

RUN_TESTS(begin, end)
