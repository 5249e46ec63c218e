/* Every allocation and driver call of calls on host data in parts fails once, on the simulator: each failure has its
 * reason, nothing leaks, and the same call works afterwards. */
/* link: fail_nth */
#include "support/fixtures/open_context.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/fakes/fail_nth.h"
#include "support/fakes/sim_faults.h"

/* Tiles of 128 elements, 8 parts. */
enum { COUNT = 1000, LITTLE_BYTES = 3 * 1536, PLACES = 200 };

static struct {
    const opened *device;
    sim_faults faults;
    int32_t data[COUNT];
} test;

static jr_status scan(void *unused) {
    static int64_t results[COUNT];
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .block = 32, .unroll = 1, .device_bytes = LITTLE_BYTES);
    jr_stats stats = JR_INIT(jr_stats);
    (void)unused;
    const jr_status status = jr_work_run_host(test.device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                                              DATA(.in = FROM(test.data), .count = COUNT, .out = results));
    if (status != JR_OK) return status;
    assert_int_equal(results[COUNT - 1], (int64_t)COUNT * (COUNT - 1) / 2);
    works(jr_context_stats(test.device->context, &stats));
    assert_int_equal(stats.parts, 8);
    return status;
}

/* The middle one in several pieces, the last ones together. */
static jr_status reduce_segments(void *unused) {
    static const uint64_t offsets[] = {0, 100, 900, 950, COUNT};
    int64_t results[4] = {-7, -7, -7, -7};
    const void *arrays[] = {test.data};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .device_bytes = 3 * 1300);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_stats stats = JR_INIT(jr_stats);
    (void)unused;
    const jr_status status = jr_work_run_host(test.device->context, WORK(&spec, .layout = &layout),
                                              DATA(.in = arrays, .segments = 4, .offsets = offsets, .out = results));
    assert_int_equal(results[1], status == JR_OK ? 899 * 450 - 99 * 50 : -7);
    assert_int_equal(results[3], status == JR_OK ? 999 * 500 - 949 * 475 : -7);
    if (status != JR_OK) return status;
    works(jr_context_stats(test.device->context, &stats));
    assert_int_equal(stats.parts, 9);
    return status;
}

/* Columns in pieces of 6 rows. */
static jr_status reduce_columns(void *unused) {
    static const uint64_t shape[] = {COUNT / 10, 10};
    int64_t results[10] = {-7, -7, -7, -7, -7, -7, -7, -7, -7, -7};
    const void *arrays[] = {test.data};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .device_bytes = 3 * 1200);
    jr_stats stats = JR_INIT(jr_stats);
    (void)unused;
    const jr_status status = jr_work_run_host(test.device->context, WORK(&spec, .axis = &JR_INIT(jr_axis, shape, 2, 0)),
                                              DATA(.in = arrays, .out = results));
    assert_int_equal(results[9], status == JR_OK ? 100 * 9 + 10 * 99 * 50 : -7);
    if (status != JR_OK) return status;
    works(jr_context_stats(test.device->context, &stats));
    assert_int_equal(stats.parts, 17);
    return status;
}

/* First the call's kernels are made and kept. */
static void fail_every_allocation(jr_status (*call)(void *), int least) {
    works(call(NULL));
    assert_true(fail_nth_walk(FAIL_MEMORY, call, NULL) >= least);
    works(call(NULL));
}

static void fail_at_every_place(jr_status (*call)(void *), const char *name) {
    int failing = 0;
    for (int place = 1; place <= PLACES; place++) {
        char rule[16];
        const sim_alive before = sim_faults_alive(&test.faults);
        snprintf(rule, sizeof rule, "*:%d", place);
        sim_faults_forget();
        assert_int_equal(test.faults.refuse(rule), 0);
        const jr_status status = call(NULL);
        assert_int_equal(test.faults.refuse(NULL), 0);
        if (!sim_faults_failed(status, name)) continue; /* or what was refused was giving something back */
        sim_faults_compare(&test.faults, &before, name);
        failing++;
    }
    if (failing < 30) fail_msg("only %d failing driver calls make %s fail", failing, name);
    works(call(NULL));
}

TEST(every_allocation_of_a_scan_may_fail) {
    fail_every_allocation(scan, 3);
}

TEST(every_driver_call_of_a_scan_may_fail) {
    fail_at_every_place(scan, "scan in parts");
}

TEST(every_allocation_of_segments_may_fail) {
    fail_every_allocation(reduce_segments, 5);
}

TEST(every_driver_call_of_segments_may_fail) {
    fail_at_every_place(reduce_segments, "reduction of segments in parts");
}

TEST(every_allocation_of_columns_may_fail) {
    fail_every_allocation(reduce_columns, 5);
}

TEST(every_driver_call_of_columns_may_fail) {
    fail_at_every_place(reduce_columns, "reduction of columns in parts");
}

static int begin(void **state) {
    void *fixture = NULL;
    assert_int_equal(setenv("JITREDUCE_DEVICE", "sim", 1), 0);
    assert_int_equal(open_context(&fixture), 0);
    test.device = fixture;
    test.faults = sim_faults_of(test.device->driver.library);
    for (int i = 0; i < COUNT; i++) test.data[i] = i;
    *state = fixture;
    return 0;
}

RUN_TESTS(begin, close_context)
