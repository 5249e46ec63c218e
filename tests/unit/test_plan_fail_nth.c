/* Every allocation, file call, library call and driver call of a whole session fails once, on the simulator: each
 * failure has its reason, nothing leaks, and the same call made again works. */
/* link: fail_nth */
#include "support/fixtures/open_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fakes/fail_nth.h"
#include "support/fakes/sim_faults.h"
#include "support/fixtures/scratch.h"

enum { COUNT = 1000, ROUNDS_MAX = 2000, DRIVER_ROUNDS = 40 };

/* What the test keeps through all rounds, so that it makes no driver calls of its own that could fail. */
static struct {
    opened fixture; /* holds the primary context */
    sim_faults faults;
    int32_t *d_in;
    int64_t *d_out;
    char folder[SCRATCH_BYTES];
    const char *cache_dir; /* the folder above, or "" */
    int failures;          /* calls of the library that failed in this round */
} test;

/* Whatever context is current, or none. */
static int64_t read_sum(void) {
    const jr_driver *driver = &test.fixture.driver;
    jr_cu_context popped = NULL;
    int64_t sum = 0;
    drives(driver->cuCtxPushCurrent_v2(test.fixture.cuda));
    device_read(&test.fixture, &sum, test.d_out, sizeof sum);
    drives(driver->cuCtxPopCurrent_v2(&popped));
    return sum;
}

static void session(void) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = test.cache_dir);
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32),
                  max = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32, .block = 64);
    const int32_t data[3] = {4, 9, -2};
    jr_context *context = NULL;
    jr_plan *plan = NULL;
    jr_value value = {0};
    jr_device_info info = JR_INIT(jr_device_info);
    jr_run_cost cost = JR_INIT(jr_run_cost);
    const void *arrays[] = {test.d_in};
    test.failures = 0;
    sim_faults_forget();
    twice(jr_context_open(&options, &context), test.failures);
    twice(jr_work_plan_create(context, WORK(&sum), &plan), test.failures);
    twice(jr_work_plan_run(plan, DATA(.in = FROM(test.d_in), .count = COUNT, .out = test.d_out), NULL, NULL),
          test.failures);
    twice(jr_plan_time(plan, arrays, COUNT, test.d_out, 2, &cost), test.failures);
    twice(jr_reduce_host(context, &max, data, 3, &value), test.failures);
    twice(jr_context_device_info(context, &info), test.failures);
    fail_nth_pause();
    test.faults.refuse(NULL);
    assert_int_equal(read_sum(), COUNT * (COUNT - 1) / 2);
    assert_int_equal(value.as.i32, 9);
    jr_plan_destroy(plan);
    jr_context_close(context);
}

/* Walks through all calls of these kinds; returns how many of the rounds had a failing call. A sample takes every
 * eighth call where each round compiles. */
static int walk(int call_kinds) {
    const sim_alive before = sim_faults_alive(&test.faults);
    const int step = tests_are_whole() || test.cache_dir[0] != '\0' ? 1 : 8;
    int failing = 0;
    for (int n = 1; n <= ROUNDS_MAX; n += step) {
        fail_nth_begin(call_kinds, n);
        session();
        const bool used = fail_nth_end();
        sim_faults_compare(&test.faults, &before, "call");
        if (fail_nth_live_allocations() || fail_nth_live_files() || fail_nth_live_libraries())
            fail_msg("round %d leaked %d allocations, %d files, %d libraries", n, fail_nth_live_allocations(),
                     fail_nth_live_files(), fail_nth_live_libraries());
        if (!used) {
            assert_int_equal(test.failures, 0);
            print_message("%d rounds, %d with a failing call\n", n, failing);
            return failing;
        }
        failing += test.failures > 0;
    }
    fail_msg("the session still makes new calls after %d rounds", ROUNDS_MAX);
    return 0;
}

TEST(every_allocation_may_fail) {
    test.cache_dir = test.folder;
    assert_true(walk(FAIL_MEMORY) > 10);
    test.cache_dir = "";
    assert_true(walk(FAIL_MEMORY) > 5);
}

TEST(every_file_call_may_fail) {
    test.cache_dir = test.folder;
    (void)walk(FAIL_FILES); /* most cost time only: then the cache is off */
}

TEST(every_library_call_may_fail) {
    test.cache_dir = "";
    assert_true(walk(FAIL_LIBRARY) > 5);
}

/* The n-th call of one driver function fails; returns how many rounds had a failing call. A sample ends after so many
 * rounds in a row without one: the session has no more calls of the function. */
static int walk_function(const char *name) {
    const sim_alive before = sim_faults_alive(&test.faults);
    int failing = 0, quiet = 0;
    char rule[80];
    for (int n = 1; n <= DRIVER_ROUNDS && (quiet < 5 || tests_are_whole()); n++) {
        snprintf(rule, sizeof rule, "%s:%d", name, n);
        assert_int_equal(test.faults.refuse(rule), 0);
        session();
        sim_faults_compare(&test.faults, &before, rule);
        failing += test.failures > 0;
        quiet = test.failures > 0 ? 0 : quiet + 1;
    }
    return failing;
}

static bool is_one_of(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0) return true;
    return false;
}

TEST(every_driver_call_may_fail) {
    static const char *const all[] = {
#define FUNCTION_NAME(need, name, parameters) #name,
        JR_DRIVER_FUNCTIONS(FUNCTION_NAME)
#undef FUNCTION_NAME
    };
    /* What is let go of by a call that fails stays, whoever calls. */
    static const char *const ends[] = {"cuMemFree_v2",      "cuModuleUnload",     "cuStreamDestroy_v2",
                                       "cuEventDestroy_v2", "cuCtxPopCurrent_v2", "cuDevicePrimaryCtxRelease_v2"};
    static const char *const needed[] = {"cuInit",
                                         "cuDeviceGetCount",
                                         "cuMemAlloc_v2",
                                         "cuModuleLoadDataEx",
                                         "cuModuleGetFunction",
                                         "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                                         "cuLaunchKernelEx",
                                         "cuStreamCreate",
                                         "cuEventCreate",
                                         "cuEventRecord",
                                         "cuMemcpyHtoDAsync_v2",
                                         "cuMemcpyDtoHAsync_v2",
                                         "cuStreamSynchronize",
                                         "cuEventElapsedTime",
                                         "cuMemGetInfo_v2"};
    size_t seen = 0;
    test.cache_dir = test.folder;
    drives(test.fixture.driver.cuCtxSetCurrent(NULL)); /* so that contexts are retained and pushed */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (is_one_of(all[i], ends, sizeof ends / sizeof *ends)) continue;
        const int failing = walk_function(all[i]);
        const bool must_fail = is_one_of(all[i], needed, sizeof needed / sizeof *needed);
        if (must_fail && failing == 0) fail_msg("no call fails when %s does", all[i]);
        seen += must_fail;
    }
    drives(test.fixture.driver.cuCtxSetCurrent(test.fixture.cuda));
    assert_int_equal(seen, sizeof needed / sizeof *needed);
}

static int begin(void **state) {
    (void)state;
    int32_t host[COUNT];
    void *fixture = NULL;
    assert_int_equal(setenv("JITREDUCE_DEVICE", "sim", 1), 0);
    assert_int_equal(open_context(&fixture), 0);
    test.fixture = *(opened *)fixture;
    test.faults = sim_faults_of(test.fixture.driver.library);
    for (int i = 0; i < COUNT; i++) host[i] = i;
    test.d_in = device_new(&test.fixture, sizeof host);
    test.d_out = device_new(&test.fixture, sizeof *test.d_out);
    device_write(&test.fixture, test.d_in, host, sizeof host);
    scratch_make(test.folder);
    *state = fixture;
    return 0;
}

static int end(void **state) {
    if (*state == NULL) return 0;
    device_free(&test.fixture, test.d_in);
    device_free(&test.fixture, test.d_out);
    scratch_remove(test.folder);
    return close_context(state);
}

RUN_TESTS(begin, end)
