/* Every allocation and every driver call of a measurement fails once, on the simulator: each failure has its reason,
 * nothing leaks, and the measurement made again works. */
/* link: fail_nth */
#include "support/fixtures/plan_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fakes/fail_nth.h"
#include "support/fakes/sim_faults.h"

enum { ROUNDS = 2, CALLS_MAX = 400, COUNT = 1000 };

static struct {
    const opened *device;
    uint32_t *d_in;
    uint64_t *d_out;
    jr_plan *plan;
    jr_measure_mode mode;
    sim_faults faults;
} test;

static jr_status run_sum(void *user, uint64_t run, jr_stream stream) {
    (void)user, (void)run;
    return jr_work_plan_run(test.plan, DATA(.in = FROM(test.d_in), .count = COUNT, .out = test.d_out), NULL, stream);
}

static jr_status measure(void *user) {
    double us[2 * ROUNDS];
    const jr_measured items[2] = {{run_sum, NULL}, {run_sum, NULL}};
    const jr_measure_options options =
        JR_INIT(jr_measure_options, .mode = test.mode, .rounds = ROUNDS, .before = &items[0]);
    (void)user;
    return jr_measure(test.device->context, &options, items, 2, us, NULL);
}

TEST(every_allocation_may_fail) {
    for (test.mode = JR_MEASURE_LAUNCHES; test.mode <= JR_MEASURE_HOST; test.mode++) {
        const sim_alive before = sim_faults_alive(&test.faults);
        assert_true(fail_nth_walk(FAIL_MEMORY, measure, NULL) >= 2);
        sim_faults_compare(&test.faults, &before, "allocation");
    }
}

/* Those whose failure leaves what they should have let go of are not asked. */
TEST(every_driver_call_may_fail) {
    static const char *const names[] = {"cuStreamCreate",          "cuEventCreate",      "cuEventRecord",
                                        "cuEventSynchronize",      "cuEventElapsedTime", "cuLaunchKernelEx",
                                        "cuStreamSynchronize",     "cuCtxGetCurrent",    "cuGraphLaunch",
                                        "cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags"};
    enum { ALWAYS = 6, GRAPHS = 4 };
    const int count = sizeof names / sizeof *names;
    for (test.mode = JR_MEASURE_LAUNCHES; test.mode <= JR_MEASURE_GRAPH; test.mode++)
        for (int f = 0; f < count; f++) {
            const sim_alive before = sim_faults_alive(&test.faults);
            int n = 0, failing = 0;
            for (jr_status status = JR_ERROR_DRIVER; n < CALLS_MAX && (status != JR_OK || n < 3);) {
                char rule[80];
                n += n < 6 || tests_are_whole() ? 1 : 7; /* a sample of the later ones */
                snprintf(rule, sizeof rule, "%s:%d", names[f], n);
                assert_int_equal(test.faults.refuse(rule), 0);
                status = measure(NULL);
                test.faults.refuse(NULL);
                failing += status != JR_OK;
                if (status != JR_OK) assert_true(strlen(jr_last_error()->message) > 10);
                sim_faults_compare(&test.faults, &before, rule);
                assert_int_equal(measure(NULL), JR_OK);
            }
            if (f < ALWAYS || (f >= count - GRAPHS && test.mode == JR_MEASURE_GRAPH)) assert_true(failing > 0);
        }
}

static int begin(void **state) {
    assert_int_equal(setenv("JITREDUCE_DEVICE", "sim", 1), 0);
    assert_int_equal(open_context(state), 0);
    test.device = *state;
    test.d_in = iota_new(test.device, COUNT);
    test.d_out = device_new(test.device, sizeof *test.d_out);
    test.plan = sum_plan(test.device, JR_ALGORITHM_SINGLE_PASS);
    test.faults = sim_faults_of(test.device->driver.library);
    return 0;
}

static int end(void **state) {
    jr_plan_destroy(test.plan);
    device_free(test.device, test.d_in);
    device_free(test.device, test.d_out);
    return close_context(state);
}

RUN_TESTS(begin, end)
