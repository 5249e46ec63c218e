/* Every allocation and every driver call of a scan fails once, on the simulator: each failure has its reason, nothing
 * leaks or is half written, and the same call made again works. */
/* link: fail_nth */
#include "support/cases/scan_case.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/fakes/fail_nth.h"
#include "support/fakes/sim_faults.h"

enum { COUNT = 1000, ROUNDS_MAX = 200 };

/* What the test keeps through all rounds. */
static struct {
    opened *device;
    sim_faults faults;
    int32_t *d_data;
    int failures; /* calls of the library that failed in this round */
} test;

/* The host scan writes all or nothing: all, if only the wait for the last copy fails. */
static void scan_host(const jr_spec *spec) {
    static const int32_t data[3] = {4, -9, 12};
    int32_t out[3] = {77, 77, 77};
    jr_context *context = test.device->context;
    const jr_status status = jr_work_run_host(context, WORK(spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                                              DATA(.in = FROM(data), .count = 3, .out = out));
    if (sim_faults_failed(status, "jr_work_run_host")) {
        test.failures++;
        const bool none = out[0] == 77 && out[1] == 77 && out[2] == 77,
                   all = out[0] == 4 && out[1] == 4 && out[2] == 12;
        assert_true(none || all);
        works(jr_work_run_host(context, WORK(spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                               DATA(.in = FROM(data), .count = 3, .out = out)));
    }
    assert_true(out[0] == 4 && out[1] == 4 && out[2] == 12);
}

static void session(void) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32, .block = 32, .grid = 3);
    jr_plan *plan = NULL;
    test.failures = 0;
    sim_faults_forget();
    twice(jr_work_plan_create(test.device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE), &plan), test.failures);
    twice(jr_work_plan_run(plan, DATA(.in = FROM(test.d_data), .count = COUNT, .out = test.d_data), NULL, NULL),
          test.failures);
    scan_host(&spec);
    test.faults.refuse(NULL); /* what is let go of stays when that fails, whoever calls */
    jr_plan_destroy(plan);
}

TEST(every_allocation_may_fail) {
    int failing = 0;
    bool used = true;
    session(); /* compiles, which other tests let fail */
    for (int n = 1; used; n++) {
        if (n > ROUNDS_MAX) fail_msg("the session still allocates after %d rounds", ROUNDS_MAX);
        fail_nth_begin(FAIL_MEMORY, n);
        session();
        used = fail_nth_end();
        assert_int_equal(fail_nth_live_allocations(), 0);
        failing += test.failures > 0;
    }
    assert_int_equal(test.failures, 0);
    assert_true(failing > 3);
}

TEST(every_driver_call_may_fail) {
    static const char *const calls[] = {
        "cuMemAlloc_v2",        "cuLaunchKernelEx",    "cuStreamCreate",
        "cuEventCreate",        "cuEventRecord",       "cuMemcpyHtoDAsync_v2",
        "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize", "cuEventElapsedTime",
        "cuMemsetD8_v2",        "cuCtxPushCurrent_v2", "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
    const sim_alive before = sim_faults_alive(&test.faults);
    char rule[80];
    drives(test.device->driver.cuCtxSetCurrent(NULL)); /* so that contexts are pushed */
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        for (int n = 1; test.failures > 0 || n == 1; n++) {
            snprintf(rule, sizeof rule, "%s:%d", calls[c], n);
            assert_int_equal(test.faults.refuse(rule), 0);
            session();
            if (n == 1 && test.failures == 0) fail_msg("no call fails when %s does", calls[c]);
            sim_faults_compare(&test.faults, &before, rule);
        }
    }
    drives(test.device->driver.cuCtxSetCurrent(test.device->cuda));
}

static int begin(void **state) {
    const int32_t host[COUNT] = {0};
    void *fixture = NULL;
    assert_int_equal(setenv("JITREDUCE_DEVICE", "sim", 1), 0);
    assert_int_equal(open_context(&fixture), 0);
    test.device = fixture;
    test.faults = sim_faults_of(test.device->driver.library);
    test.d_data = device_new(test.device, sizeof host);
    device_write(test.device, test.d_data, host, sizeof host);
    *state = fixture;
    return 0;
}

static int end(void **state) {
    if (*state == NULL) return 0;
    device_free(test.device, test.d_data);
    return close_context(state);
}

RUN_TESTS(begin, end)
