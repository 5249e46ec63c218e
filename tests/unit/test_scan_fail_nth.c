/* Every allocation and every driver call of a scan fails once, on the simulator: each failure has its reason, nothing
 * leaks or is half written, and the same call made again works. */
/* link: fail_nth */
#include "support/scan_case.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "support/fail_nth.h"

enum { COUNT = 1000, ROUNDS_MAX = 200 };

static const char *const kinds[] = {"memory", "host", "modules", "streams", "events", "graphs", "contexts"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* What the test keeps through all rounds. */
static struct {
    opened *device;
    int (*sim_fail)(const char *rule);
    int (*sim_live)(const char *kind);
    int32_t *d_data;
    int failures; /* calls of the library that failed in this round */
} test;

/* A failure has a reason of its own, not one that an earlier call left. */
static void failed_well(jr_status status, const char *call) {
    const jr_error *error = jr_last_error();
    test.failures++;
    if (error->status != status || error->message[0] == '\0' || strcmp(error->message, "an old reason") == 0)
        fail_msg("%s failed with %s, but the reason is '%s'", call, jr_status_name(status), error->message);
    (void)jr_fail(JR_OK, "an old reason");
}

/* Makes a call that may fail once; made again, it works. */
#define twice(call)                                                                                                    \
    do {                                                                                                               \
        const jr_status status_of_call = (call);                                                                       \
        if (status_of_call != JR_OK) {                                                                                 \
            failed_well(status_of_call, #call);                                                                        \
            works(call);                                                                                               \
        }                                                                                                              \
    } while (0)

/* The host scan writes all or nothing: all, if only the wait for the last copy fails. */
static void scan_host(const jr_spec *spec) {
    static const int32_t data[3] = {4, -9, 12};
    int32_t out[3] = {77, 77, 77};
    jr_context *context = test.device->context;
    const jr_status status = jr_scan_host(context, spec, JR_SCAN_INCLUSIVE, data, 3, out);
    if (status != JR_OK) {
        failed_well(status, "jr_scan_host");
        const bool none = out[0] == 77 && out[1] == 77 && out[2] == 77,
                   all = out[0] == 4 && out[1] == 4 && out[2] == 12;
        assert_true(none || all);
        works(jr_scan_host(context, spec, JR_SCAN_INCLUSIVE, data, 3, out));
    }
    assert_true(out[0] == 4 && out[1] == 4 && out[2] == 12);
}

static void session(void) {
    const jr_spec spec = {.op = JR_OP_MAX, .type = JR_I32, .block = 32, .grid = 3};
    jr_plan *plan = NULL;
    test.failures = 0;
    (void)jr_fail(JR_OK, "an old reason");
    twice(jr_scan_plan_create(test.device->context, &spec, JR_SCAN_INCLUSIVE, &plan));
    twice(jr_plan_run(plan, test.d_data, COUNT, test.d_data, NULL, NULL));
    scan_host(&spec);
    test.sim_fail(NULL); /* what is let go of stays when that fails, whoever calls */
    jr_plan_destroy(plan);
}

static void live_now(int live[KINDS]) {
    for (int i = 0; i < KINDS; i++) live[i] = test.sim_live(kinds[i]);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
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

static void every_driver_call_may_fail(void **state) {
    (void)state;
    static const char *const calls[] = {
        "cuMemAlloc_v2",        "cuLaunchKernelEx",    "cuStreamCreate",
        "cuEventCreate",        "cuEventRecord",       "cuMemcpyHtoDAsync_v2",
        "cuMemcpyDtoHAsync_v2", "cuStreamSynchronize", "cuEventElapsedTime",
        "cuMemsetD8_v2",        "cuCtxPushCurrent_v2", "cuOccupancyMaxActiveBlocksPerMultiprocessor"};
    int before[KINDS], after[KINDS];
    char rule[80];
    live_now(before);
    drives(test.device->driver.cuCtxSetCurrent(NULL)); /* so that contexts are pushed */
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        for (int n = 1; test.failures > 0 || n == 1; n++) {
            snprintf(rule, sizeof rule, "%s:%d", calls[c], n);
            assert_int_equal(test.sim_fail(rule), 0);
            session();
            if (n == 1 && test.failures == 0) fail_msg("no call fails when %s does", calls[c]);
            live_now(after);
            if (memcmp(after, before, sizeof before) != 0) fail_msg("a failing %s leaks", rule);
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
    void *library = test.device->driver.library;
    *(void **)&test.sim_fail = dlsym(library, "jrsim_fail");
    *(void **)&test.sim_live = dlsym(library, "jrsim_live");
    assert_non_null(test.sim_fail);
    assert_non_null(test.sim_live);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_driver_call_may_fail),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
