/* Values of groups whose devices reach each other's memory: the states meet on the first device. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/allreduce_case.h"

DEVICE_TEST(parts_that_meet_make_what_the_whole_makes) {
    jr_spec specs[GROUP_SPECS];
    int32_t *data = group_numbers(), *d_data = device_new(device, GROUP_COUNT * sizeof *d_data);
    group_specs(specs);
    device_write(device, d_data, data, GROUP_COUNT * sizeof *data);
    for (size_t count = 2; count <= dealt_devices(device); count++) {
        dealt of;
        dealt_open(device, count, &of);
        dealt_give(data, sizeof *data, &of);
        for (int s = 0; s < GROUP_SPECS; s++) {
            jr_value wanted[JR_OPS_MAX] = {0}, values[JR_OPS_MAX];
            jr_group_plan *plan = NULL;
            group_whole(device, &specs[s], d_data, GROUP_COUNT, wanted);
            works(jr_work_group_plan_create(of.group, WORK(&specs[s]), &plan));
            for (int run = 0; run < 3; run++) {
                memset(values, 0, sizeof values);
                works(group_values(plan, of.parts, values));
                group_assert_same(values, wanted, group_value_count(&specs[s]));
            }
            jr_group_plan_destroy(plan);
        }
        dealt_close(&of);
    }
}

/* A plan for the sum of ones on two devices, with streams. */
typedef struct met {
    dealt of;
    jr_group_plan *plan;
    jr_stream streams[DEALT_DEVICES];
} met;

static void open_ones(const opened *device, met *own) {
    static int32_t ones[GROUP_COUNT];
    for (int i = 0; i < GROUP_COUNT; i++) ones[i] = 1;
    dealt_open(device, 2, &own->of);
    dealt_give(ones, sizeof *ones, &own->of);
    works(jr_work_group_plan_create(
        own->of.group, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .finish = "a")), &own->plan));
    for (size_t i = 0; i < 2; i++)
        works(jr_stream_create(jr_group_context(own->of.group, i), JR_STREAM_NON_BLOCKING, &own->streams[i]));
    own->of.parts.streams = own->streams;
}

static void close_ones(met *own) {
    jr_group_plan_destroy(own->plan);
    for (size_t i = 0; i < 2; i++) works(jr_stream_destroy(jr_group_context(own->of.group, i), own->streams[i]));
    dealt_close(&own->of);
}

static void assert_counted(const met *own) {
    jr_value value;
    for (int run = 0; run < 3; run++) {
        works(group_values(own->plan, own->of.parts, &value));
        assert_int_equal(value.as.i64, GROUP_COUNT);
    }
}

TEST(a_launch_that_fails_is_told_and_the_plan_goes_on) {
    met own;
    jr_value value = {.as.i64 = 7};
    open_ones(*state, &own);
    for (size_t wrong = 0; wrong < 2; wrong++) {
        jr_stream right = own.streams[wrong];
        own.streams[wrong] = own.streams[1 - wrong];
        fails(group_values(own.plan, own.of.parts, &value), JR_ERROR_WRONG_CONTEXT,
              wrong == 0 ? "device 0 of the group" : "device 1 of the group");
        assert_int_equal(value.as.i64, 7);
        own.streams[wrong] = right;
        assert_counted(&own);
    }
    close_ones(&own);
}

/* A capture that the default stream would invalidate keeps the devices from restarting at once: they restart at the
 * next call. */
TEST(what_cannot_begin_anew_at_once_does_at_the_next_call) {
    met own;
    jr_value value;
    jr_stream blocking;
    jr_graph graph;
    open_ones(*state, &own);
    jr_context *context = jr_group_context(own.of.group, 0);
    jr_stream right[] = {own.streams[0], own.streams[1]};
    works(jr_stream_create(context, 0, &blocking));
    works(jr_capture_begin(context, blocking));
    own.streams[0] = right[1];
    fails(group_values(own.plan, own.of.parts, &value), JR_ERROR_WRONG_CONTEXT, "device 0 of the group");
    own.streams[0] = right[0];
    fails(group_values(own.plan, own.of.parts, &value), JR_ERROR_INVALID_ARGUMENT, "being captured");
    works(jr_capture_end(context, blocking, &graph));
    assert_counted(&own);
    works(jr_graph_destroy(context, graph));
    works(jr_stream_destroy(context, blocking));
    close_ones(&own);
}

TEST(a_stream_that_is_captured_is_refused_and_its_capture_goes_on) {
    met own;
    jr_value value;
    open_ones(*state, &own);
    for (size_t i = 0; i < 2; i++) {
        jr_context *context = jr_group_context(own.of.group, i);
        jr_graph graph;
        works(jr_capture_begin(context, own.streams[i]));
        fails(group_values(own.plan, own.of.parts, &value), JR_ERROR_INVALID_ARGUMENT, "being captured");
        works(jr_capture_end(context, own.streams[i], &graph));
        works(jr_graph_destroy(context, graph));
        assert_counted(&own);
    }
    close_ones(&own);
}

TEST(nothing_that_is_kept_has_no_value) {
    const jr_spec least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "x > 1");
    met own;
    jr_group_plan *plan = NULL;
    jr_value value = {.as.i64 = 7};
    open_ones(*state, &own);
    works(jr_work_group_plan_create(own.of.group, WORK(&least), &plan));
    fails(group_values(plan, own.of.parts, &value), JR_ERROR_EMPTY_INPUT, "min");
    memset(own.of.counts, 0, sizeof own.of.counts);
    fails(group_values(plan, own.of.parts, &value), JR_ERROR_EMPTY_INPUT, "min");
    assert_int_equal(value.as.i64, 7);
    jr_group_plan_destroy(plan);
    close_ones(&own);
}

/* The first device waits for a state that never comes. What is lost is lost for the process: this test is the last. */
DEVICE_TEST(a_device_that_faults_ends_the_others) {
    met own;
    jr_value value = {.as.i64 = 7};
    if (!device->info.simulated) skip_because("a fault would end the GPU's context for all\n");
    open_ones(device, &own);
    own.of.counts[1] *= 1000;
    fails(group_values(own.plan, own.of.parts, &value), JR_ERROR_DEVICE_FAULT, "device 1 of the group");
    fails(group_values(own.plan, own.of.parts, &value), JR_ERROR_DEVICE_FAULT, "device 1 of the group");
    assert_int_equal(value.as.i64, 7);
    works(jr_stream_wait(jr_group_context(own.of.group, 0), own.streams[0]));
    jr_group_plan_destroy(own.plan);
    jr_group_close(own.of.group);
}

RUN_TESTS(open_four_devices, close_context)
