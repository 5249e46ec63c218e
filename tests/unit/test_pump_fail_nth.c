/* Every allocation, thread and driver call of a pump fails once, on the simulator: each failure has its reason, nothing
 * leaks, and a new pump works. */
/* link: fail_nth */
#include "support/fixtures/pump_case.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernel/context.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/sim_faults.h"

enum { BYTES = 200000, ROUNDS_MAX = 500 };

/* Made before the rounds, so that they make no driver calls of their own that could fail. */
static struct {
    pump_case pumped;
    sim_faults faults;
} test;

/* A pump of its own: 40 chunks of 2 pieces each, and as many of results, several times around its rings, run twice. */
static jr_status session(void *unused) {
    (void)unused;
    jr_pump *pump = NULL;
    jr_status status = jr_pump_open(&test.pumped.device->context->device, &test.pumped.request, &pump);
    test.pumped.pump = pump;
    for (int i = 0; i < 2 && status == JR_OK; i++) {
        test.pumped.chunks = test.pumped.next = 0;
        status = jr_pump_run(pump, pump_case_callback, &test.pumped);
    }
    jr_pump_close(pump);
    test.pumped.pump = NULL;
    return status;
}

static void works_again(void) {
    works(session(NULL));
    pump_case_compare(&test.pumped);
}

TEST(every_allocation_may_fail) {
    assert_int_equal(fail_nth_walk(FAIL_MEMORY, session, NULL), 5); /* the pump, two ways, and their rings */
    works_again();
}

TEST(a_thread_that_does_not_start_is_not_missed) {
    for (int n = 1; n <= 12; n++) {
        fail_nth_begin(FAIL_THREADS, n);
        works(session(NULL));
        assert_true(fail_nth_end());
        pump_case_compare(&test.pumped);
    }
}

/* The n-th call of one driver function fails; returns how many sessions failed. A sample has one in ten of the later
 * calls. */
enum { SAMPLE = 10 };
static int walk_function(const char *name, int *rounds) {
    const sim_alive before = sim_faults_alive(&test.faults);
    int failing = 0;
    char rule[80];
    for (*rounds = 1; *rounds <= ROUNDS_MAX; *rounds += *rounds < SAMPLE || tests_are_whole() ? 1 : SAMPLE) {
        snprintf(rule, sizeof rule, "%s:%d", name, *rounds);
        sim_faults_forget();
        assert_int_equal(test.faults.refuse(rule), 0);
        const jr_status status = session(NULL);
        assert_int_equal(test.faults.refuse(NULL), 0);
        sim_faults_compare(&test.faults, &before, rule);
        if (!sim_faults_failed(status, rule)) break;
        failing++;
    }
    works_again();
    return failing;
}

TEST(every_driver_call_may_fail) {
    static const struct {
        const char *name;
        int least; /* sessions that fail at least */
    } rows[] = {{"cuMemAlloc_v2", 1},          {"cuStreamCreate", 3},        {"cuEventCreate", 19},
                {"cuMemcpyHtoDAsync_v2", 100}, {"cuEventRecord", 200},       {"cuEventSynchronize", 200},
                {"cuStreamSynchronize", 6},    {"cuMemcpyDtoDAsync_v2", 40}, {"cuMemcpyDtoHAsync_v2", 100},
                {"cuStreamWaitEvent", 40},     {"cuLaunchKernel", 40}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int rounds;
        const int failing = walk_function(rows[i].name, &rounds);
        if (failing * (tests_are_whole() ? 1 : SAMPLE) < rows[i].least)
            fail_msg("only %d sessions failed when %s did", failing, rows[i].name);
    }
}

TEST(without_pinned_memory_the_driver_stages) {
    int rounds;
    assert_int_equal(walk_function("cuMemHostAlloc", &rounds), 0);
    for (int n = 1; n <= 2; n++) {
        assert_int_equal(test.faults.refuse(n == 1 ? "cuMemHostAlloc:1" : "cuMemHostAlloc:2"), 0);
        works(jr_pump_open(&test.pumped.device->context->device, &test.pumped.request, &test.pumped.pump));
        assert_int_equal(test.faults.refuse(NULL), 0);
        assert_true(jr_pump_stages(test.pumped.pump) == (n == 2));
        assert_true(jr_pump_uses_landing(test.pumped.pump) == (n == 1));
        pump_case_run(&test.pumped);
        jr_pump_close(test.pumped.pump);
    }
    works_again();
}

TEST(a_fault_that_shows_in_the_middle_is_a_device_fault) {
    const sim_alive before = sim_faults_alive(&test.faults);
    assert_int_equal(test.faults.refuse("cuEventSynchronize:9:700"), 0);
    fails(session(NULL), JR_ERROR_DEVICE_FAULT, "waiting for a copy to or from the device");
    assert_int_equal(test.faults.refuse(NULL), 0);
    sim_faults_compare(&test.faults, &before, "cuEventSynchronize");
}

static int begin(void **state) {
    const jr_pump_request request = {.count = BYTES,
                                     .granule_count = 16,
                                     .limit_bytes = 30 << 10,
                                     .stage_from_bytes = 1,
                                     .piece_bytes = 1,
                                     .thread_count = 3,
                                     .results = {.bytes = 1},
                                     .ordered = true};
    void *fixture = NULL;
    assert_int_equal(setenv("JITREDUCE_DEVICE", "sim", 1), 0);
    assert_int_equal(open_context(&fixture), 0);
    test.pumped = (pump_case){.device = fixture};
    test.faults = sim_faults_of(test.pumped.device->driver.library);
    pump_case_begin(&test.pumped, &request);
    assert_true(jr_pump_stages(test.pumped.pump));
    assert_true(jr_pump_uses_landing(test.pumped.pump));
    jr_pump_close(test.pumped.pump);
    *state = fixture;
    return 0;
}

static int end(void **state) {
    if (*state == NULL) return 0;
    test.pumped.pump = NULL;
    pump_case_end(&test.pumped);
    return close_context(state);
}

RUN_TESTS(begin, end)
