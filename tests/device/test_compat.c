/* What the names of 0.2 refuse by themselves, before a work is made of their arguments. */
#include "support/fixtures/open_context.h"

static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32},
                     dot = {.size = sizeof(jr_spec), .op = JR_OP_DOT, .type = JR_F32};
static const jr_status wrong = JR_ERROR_INVALID_ARGUMENT;

TEST(layouts_and_axes_must_be_given) {
    jr_context *context = ((const opened *)*state)->context;
    const int32_t host[] = {1, 2, 3};
    int64_t out[3];
    jr_plan *plan = NULL;
    jr_allreduce *all = NULL;
    jr_group *group = NULL;
    const jr_segments three = JR_INIT(jr_segments, .count = 3);
    fails(jr_segment_plan_create(context, &sum, NULL, &plan), wrong, "layout is NULL");
    fails(jr_scan_segment_plan_create(context, &sum, JR_SCAN_INCLUSIVE, NULL, &plan), wrong, "layout is NULL");
    fails(jr_reduce_host_segments(context, &sum, NULL, FROM(host), &three, out), wrong, "layout is NULL");
    fails(jr_scan_host_segments(context, &sum, JR_SCAN_INCLUSIVE, FROM(host), &three, out), wrong,
          "segments.layout is NULL: set it");
    fails(jr_reduce_host_axis(context, &sum, FROM(host), NULL, out), wrong, "axis is NULL");
    fails(jr_pack_add_segments(NULL, &sum, NULL), wrong, "layout is NULL");
    fails(jr_allreduce_segment_create(group, &sum, NULL, NULL, &all), wrong, "layouts is NULL");
    assert_null(plan);
    assert_null(all);
}

TEST(kinds_are_those_of_0_2) {
    jr_context *context = ((const opened *)*state)->context;
    const int32_t host[] = {1};
    int64_t out[1];
    jr_plan *plan = NULL;
    fails(jr_scan_host(context, &sum, (jr_scan_kind)7, host, 1, out), wrong, "unknown kind of work");
    fails(jr_scan_plan_create(context, &sum, (jr_scan_kind)2, &plan), wrong, "unknown kind of work");
    fails(jr_merge_plan_create(context, &sum, (jr_merge_kind)2, &plan), wrong, "unknown merge kind 2");
    assert_null(plan);
}

DEVICE_TEST(one_array_is_not_taken_for_two) {
    const float host[] = {1, 2, 3};
    float out[3];
    jr_plan *plan = NULL;
    fails(jr_scan_host(device->context, &dot, JR_SCAN_INCLUSIVE, host, 3, out), wrong,
          "2 inputs: jr_scan_host takes one");
    fails(jr_scan_host(device->context, &sum, JR_SCAN_INCLUSIVE, NULL, 3, out), wrong,
          "data is NULL, but the count is 3");
    works(jr_plan_create(device->context, &dot, &plan));
    fails(jr_plan_run(plan, host, 3, out, NULL, NULL), wrong, "the plan has 2 inputs: use jr_work_plan_run");
    jr_plan_destroy(plan);
}

DEVICE_TEST(a_plan_is_run_by_the_function_of_its_kind) {
    const jr_segment_layout rows = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4);
    const jr_segments four = JR_INIT(jr_segments, .count = 4), unsized_segments = {.count = 4};
    int32_t *d_in = device_new(device, 64);
    int64_t *d_out = device_new(device, 64);
    const void *const arrays[] = {d_in};
    const jr_part part = JR_INIT(jr_part, .d_in = arrays, .count = 1), no_arrays = JR_INIT(jr_part),
                  unsized = {.d_in = arrays};
    const jr_states states = JR_INIT(jr_states, .d_states = d_in, .count = 1, .elements = 1);
    jr_plan *flat = NULL, *by_rows = NULL, *writes_state = NULL, *merge = NULL;
    works(jr_plan_create(device->context, &sum, &flat));
    works(jr_segment_plan_create(device->context, &sum, &rows, &by_rows));
    works(jr_state_plan_create(device->context, &sum, &writes_state));
    works(jr_merge_plan_create(device->context, &sum, JR_MERGE_TO_RESULT, &merge));
    fails(jr_segment_plan_run(flat, d_in, &four, d_out, NULL, NULL), wrong, "not a plan of segments");
    fails(jr_segment_plan_run(by_rows, d_in, NULL, d_out, NULL, NULL), wrong, "segments is NULL");
    fails(jr_segment_plan_run(by_rows, d_in, &unsized_segments, d_out, NULL, NULL), wrong, "jr_segments.size is 0");
    fails(jr_plan_run(by_rows, d_in, 4, d_out, NULL, NULL), wrong, "jr_work_plan_run");
    fails(jr_plan_run(writes_state, d_in, 1, d_out, NULL, NULL), wrong, "writes states: run it with");
    fails(jr_plan_run(merge, d_in, 1, d_out, NULL, NULL), wrong, "merges states: run it with");
    fails(jr_state_plan_run(merge, &part, d_out, NULL, NULL), wrong, "writes no states");
    fails(jr_merge_plan_run(writes_state, &states, d_out, NULL), wrong, "merges no states");
    fails(jr_state_plan_run(writes_state, &no_arrays, d_out, NULL, NULL), wrong, "part->d_in is NULL");
    fails(jr_state_plan_run(writes_state, &unsized, d_out, NULL, NULL), wrong, "jr_part.size is 0");
    jr_plan_destroy(flat);
    jr_plan_destroy(by_rows);
    jr_plan_destroy(writes_state);
    jr_plan_destroy(merge);
}

RUN_TESTS(open_context, close_context)
