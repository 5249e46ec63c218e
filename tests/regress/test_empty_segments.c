/* Segments, columns and scans of which `where` leaves nothing: host calls refuse what has no value, device plans write
 * the documented one. */
#include "support/fixtures/open_context.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 6 };

/* Lengths that each way to reduce equal segments takes: short, short and whole, lanes, warps, blocks, blocks in parts.
 */
static const uint64_t lengths[LENGTHS] = {3, 8, 100, 2000, 9000, 70000};
enum { SEGMENTS = 5, EMPTY = 3 }; /* of which nothing is kept */

/* Segment s is s + 1 throughout, but for EMPTY, which is -1. */
static float *segments_of(uint64_t length) {
    float *data = test_bytes(SEGMENTS * length * sizeof *data);
    for (uint64_t s = 0; s < SEGMENTS; s++)
        for (uint64_t k = 0; k < length; k++) data[s * length + k] = s == EMPTY ? -1 : (float)s + 1;
    return data;
}

static void judge_equal(const opened *device, uint64_t length) {
    float *data = segments_of(length), got[SEGMENTS];
    const void *const arrays[] = {data};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .where = "x > 0");
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
    jr_work_data segments = JR_INIT(jr_work_data, .segments = SEGMENTS);
    fails(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, arrays, got)),
          JR_ERROR_EMPTY_INPUT,
          "min of no elements has no value: segment 3 (the first is 0) has none left; give an initial value, or set "
          "spec.kept");
    segments.segments = EMPTY;
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, arrays, got)));
    for (int s = 0; s < EMPTY; s++) assert_true(got[s] == (float)s + 1);
    segments.segments = SEGMENTS;
    spec.op = JR_OP_MEAN;
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(segments, arrays, got)));
    for (int s = 0; s < SEGMENTS; s++) assert_true(s == EMPTY ? isnan(got[s]) : got[s] == (float)s + 1);
}

TEST(equal_segments_of_every_length_tell_nothing_from_a_value) {
    for (int i = 0; i < LENGTHS; i++) judge_equal(*state, lengths[i]);
}

DEVICE_TEST(ragged_segments_and_columns_tell_nothing_from_a_value) {
    enum { LENGTH = 1000 };
    float *data = segments_of(LENGTH), got[LENGTH];
    const void *const arrays[] = {data};
    const uint64_t offsets[] = {
        0, 10, EMPTY * LENGTH - 500, EMPTY * LENGTH + 500, EMPTY * LENGTH + 600, SEGMENTS * LENGTH};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .where = "x > 0");
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_work_data segments = JR_INIT(jr_work_data, .segments = 5, .offsets = offsets);
    fails(jr_work_run_host(device->context, WORK(&spec, .layout = &ragged), DATA_OF(segments, arrays, got)),
          JR_ERROR_EMPTY_INPUT, "segment 3 (the first is 0)");
    const uint64_t hollow[] = {0, 10, 10};
    segments = JR_INIT(jr_work_data, .segments = 2, .offsets = hollow);
    fails(jr_work_run_host(device->context,
                           WORK(&JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_F32), .layout = &ragged),
                           DATA_OF(segments, arrays, got)),
          JR_ERROR_EMPTY_INPUT,
          "argmax of no elements has no value: segment 1 (the first is 0) has none; set spec.kept");
    segments = JR_INIT(jr_work_data, .segments = 5, .offsets = offsets);
    segments.segments = 3;
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &ragged), DATA_OF(segments, arrays, got)));
    assert_true(got[0] == 1 && got[1] == EMPTY && got[2] == EMPTY);
    const uint64_t shape[] = {SEGMENTS, LENGTH}, turned[] = {LENGTH, SEGMENTS};
    const jr_axis down = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 0);
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &down), DATA(.in = arrays, .out = got)));
    for (int k = 0; k < LENGTH; k++) assert_true(got[k] == SEGMENTS);
    for (int k = 0; k < LENGTH; k++)
        for (int s = 0; s < SEGMENTS; s++) data[k * SEGMENTS + s] = s == EMPTY ? -1 : (float)s;
    const jr_axis columns = JR_INIT(jr_axis, .shape = turned, .dimensions = 2, .axis = 0);
    fails(jr_work_run_host(device->context, WORK(&spec, .axis = &columns), DATA(.in = arrays, .out = got)),
          JR_ERROR_EMPTY_INPUT, "segment 0 (the first is 0) has none left");
}

/* With spec.kept the count of each result says which have no value: the call gives all the others. */
DEVICE_TEST(counts_tell_which_of_many_results_have_no_value) {
    static const jr_op ops[] = {JR_OP_MAX, JR_OP_ARGMIN};
    struct {
        float max, pad[3];
        int64_t index, more;
        uint64_t kept, rest;
    } got[4];
    const float data[] = {5, 7, -1, -2, 3, 9};
    const int32_t keys[] = {4, 4, 6, 6, 8, 8};
    const uint64_t offsets[] = {0, 2, 4, 4, 6};
    const void *const arrays[] = {data};
    int32_t run_keys[6];
    uint64_t runs = 0;
    const jr_spec spec =
        JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_F32, .where = "x > 0 && x < 9", .kept = 1);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    const jr_segment_layout by_key = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    jr_work_data segments = JR_INIT(jr_work_data, .segments = 4, .offsets = offsets);
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &ragged), DATA_OF(segments, arrays, got)));
    assert_true(got[0].kept == 2 && got[0].max == 7 && got[0].index == 0);
    for (int s = 1; s < 3; s++) assert_true(got[s].kept == 0 && got[s].max == -INFINITY && got[s].index == -1);
    assert_true(got[3].kept == 1 && got[3].max == 3 && got[3].index == 0);
    segments = JR_INIT(jr_work_data, .count = 6, .keys = keys, .run_keys = run_keys, .run_count = &runs);
    struct {
        float max, pad[3];
        int64_t index, more;
        uint64_t kept, rest;
    } by_run[6];
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &by_key), DATA_OF(segments, arrays, by_run)));
    assert_true(runs == 3 && by_run[0].kept == 2 && by_run[1].kept == 0 && by_run[2].kept == 1);
    assert_true(by_run[0].max == 7 && by_run[1].index == -1 && by_run[2].max == 3);
    const uint64_t shape[] = {3, 0};
    const jr_axis nothing = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 1);
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &nothing), DATA(.in = arrays, .out = got)));
    for (int s = 0; s < 3; s++) assert_true(got[s].kept == 0 && got[s].max == -INFINITY && got[s].index == -1);
}

/* Results of no elements stand before the first one that is kept. */
DEVICE_TEST(an_inclusive_scan_that_begins_with_nothing_has_no_value_for_it) {
    enum { COUNT = 3000 };
    int32_t data[COUNT], got[COUNT];
    int64_t sums[COUNT];
    const jr_value initial = {JR_I32, {.i32 = 9999}};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "x >= 500");
    for (int i = 0; i < COUNT; i++) data[i] = i;
    fails(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = got)),
          JR_ERROR_EMPTY_INPUT, "min");
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data + 500), .count = COUNT - 500, .out = got)));
    assert_true(got[0] == 500 && got[COUNT - 501] == 500);
    spec.initial = &initial;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = got)));
    assert_true(got[0] == 9999 && got[499] == 9999 && got[500] == 500);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = got)));
    assert_true(got[0] == 9999 && got[500] == 9999 && got[501] == 500);
    spec.initial = NULL;
    spec.op = JR_OP_SUM;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = sums)));
    assert_true(sums[499] == 0 && sums[501] == 1001);
}

DEVICE_TEST(device_plans_write_the_documented_values) {
    enum { COUNT = 1000 };
    static const jr_op ops[] = {JR_OP_MIN, JR_OP_MAX, JR_OP_ARGMIN};
    int32_t data[COUNT], got[COUNT];
    int32_t *d_in = device_new(device, sizeof data), *d_out = device_new(device, sizeof got);
    const void *const arrays[] = {d_in};
    for (int i = 0; i < COUNT; i++) data[i] = i;
    device_write(device, d_in, data, sizeof data);
    for (int o = 0; o < 3; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = ops[o], .type = JR_I32, .where = "x > 5000");
        jr_plan *plan;
        jr_value value = {JR_I32, {.i32 = 77}};
        int64_t index;
        works(jr_work_plan_create(device->context, WORK(&spec), &plan));
        works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = COUNT, .out = d_out), NULL, NULL));
        device_read(device, &index, d_out, sizeof index);
        device_read(device, got, d_out, sizeof got[0]);
        if (o == 2) assert_int_equal(index, -1);
        if (o < 2) assert_int_equal(got[0], o == 0 ? INT32_MAX : INT32_MIN);
        fails(jr_plan_value(plan, arrays, COUNT, NULL, &value), JR_ERROR_EMPTY_INPUT, "of no elements");
        assert_int_equal(value.as.i32, 77);
        jr_plan_destroy(plan);
    }
    const jr_spec scan = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .where = "x > 700");
    jr_plan *plan = plan_held(device, WORK(&scan, .kind = JR_WORK_SCAN_INCLUSIVE));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = COUNT, .out = d_out), NULL, NULL));
    device_read(device, got, d_out, sizeof got);
    assert_true(got[0] == INT32_MAX && got[700] == INT32_MAX && got[701] == 701 && got[COUNT - 1] == 701);
}

RUN_TESTS(open_context, close_context)
