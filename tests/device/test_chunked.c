/* Host data that goes through a few buffers of the device in turn, and runs that are split into short launches. */
#include "support/fakes/allocations.h"
#include "support/fixtures/chunked_data.h"
#include "support/fixtures/open_context.h"

#include <math.h>
#include <stdlib.h>

enum { COUNT = 1000003, LITTLE_BYTES = 65536 };

/* The same values with and without a bound of device memory, and more launches with it. */
static void chunked_agrees(const opened *device, const jr_spec *spec, const void *const *data, int results) {
    jr_value whole[JR_OPS_MAX], parts[JR_OPS_MAX];
    jr_stats stats = JR_INIT(jr_stats);
    jr_spec bounded = *spec;
    bounded.device_bytes = LITTLE_BYTES;
    works(jr_work_run_host(device->context, WORK(spec), DATA(.in = data, .count = COUNT, .values = whole)));
    works(jr_work_run_host(device->context, WORK(&bounded), DATA(.in = data, .count = COUNT, .values = parts)));
    works(jr_context_stats(device->context, &stats));
    assert_true(stats.launches >= COUNT / LITTLE_BYTES);
    for (int i = 0; i < results; i++) {
        assert_int_equal(parts[i].type, whole[i].type);
        assert_memory_equal(&parts[i].as, &whole[i].as, jr_type_size(whole[i].type));
    }
}

/* Whole numbers: no order of evaluation rounds. */
TEST(data_beyond_the_bound_has_the_same_result) {
    const chunked_data data = chunked_data_new(COUNT, false);
    const void *arrays[] = {data.x, data.y, data.small};
    const jr_op list[] = {JR_OP_MIN, JR_OP_ARGMAX, JR_OP_COUNT_NONZERO, JR_OP_SUM};
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32),
                  dot = JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32);
    const jr_spec all = JR_INIT(jr_spec, .ops = list, .op_count = 4, .type = JR_F32);
    const jr_spec three =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .input_count = 3, .more_types = {JR_F32, JR_I8},
                .accumulate = JR_F64, .map = "x * y + i % 3", .map_type = JR_F64, .where = "z > 0");
    const void *bytes[] = {data.small};
    const jr_spec small = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_I8);
    chunked_agrees(*state, &sum, arrays, 1);
    chunked_agrees(*state, &dot, arrays, 1);
    chunked_agrees(*state, &all, arrays, 4);
    chunked_agrees(*state, &three, arrays, 1);
    chunked_agrees(*state, &small, bytes, 1);
}

DEVICE_TEST(the_extremum_keeps_its_place_across_parts) {
    static const int places[] = {0, 1, 8191, 16384, 500000, COUNT - 1};
    const chunked_data data = chunked_data_new(COUNT, false);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_ARGMAX, .type = JR_F32, .device_bytes = LITTLE_BYTES);
        const float before = data.x[places[p]];
        jr_value value;
        data.x[places[p]] = 1e6f;
        works(jr_reduce_host(device->context, &spec, data.x, COUNT, &value));
        assert_int_equal(value.as.i64, places[p]);
        data.x[places[p]] = before;
    }
}

DEVICE_TEST(the_buffers_are_given_back) {
    enum { BOUND = 8 << 20, MUCH = 32 << 20 };
    unsigned char *data = test_bytes(MUCH);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .device_bytes = BOUND);
    jr_value value;
    for (size_t i = 0; i < MUCH; i++) data[i] = (unsigned char)(i * 7);
    works(jr_reduce_host(device->context, &spec, data, MUCH, &value)); /* whatever the driver takes once */
    allocations_watch(device);
    works(jr_reduce_host(device->context, &spec, data, MUCH, &value));
    assert_true(allocations_seen().made > 0);
    assert_int_equal(allocations_seen().live, 0);
    uint64_t wanted = 0;
    for (size_t i = 0; i < MUCH; i++) wanted += data[i];
    assert_int_equal(value.as.u64, wanted);
}

DEVICE_TEST(an_algorithm_that_cannot_work_in_parts_is_refused) {
    const chunked_data data = chunked_data_new(COUNT, false);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_ONE_BLOCK,
                           .device_bytes = LITTLE_BYTES);
    jr_value value;
    jr_plan *plan = NULL;
    fails(jr_reduce_host(device->context, &spec, data.x, COUNT, &value), JR_ERROR_NOT_APPLICABLE,
          "one_block cannot work in parts");
    spec.device_bytes = 0;
    spec.max_launch_ms = 1;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_NOT_APPLICABLE,
          "one_block cannot work in parts");
    spec.max_launch_ms = -1;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_INVALID_ARGUMENT,
          "max_launch_ms -1 is not allowed");
    assert_null(plan);
}

DEVICE_TEST(a_limit_on_launches_splits_the_run) {
    const chunked_data data = chunked_data_new(COUNT, false);
    const jr_op list[] = {JR_OP_SUM, JR_OP_ARGMIN};
    jr_spec spec = JR_INIT(jr_spec, .ops = list, .op_count = 2, .type = JR_F32);
    jr_value whole[2], split[2];
    jr_stats stats = JR_INIT(jr_stats);
    const void *arrays[] = {data.x};
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = whole)));
    spec.max_launch_ms = 1e-6;
    works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = split)));
    works(jr_context_stats(device->context, &stats));
    assert_true(stats.launches >= 10);
    assert_true(split[0].as.f32 == whole[0].as.f32);
    assert_int_equal(split[1].as.i64, whole[1].as.i64);
}

DEVICE_TEST(a_plan_with_a_limit_needs_a_capacity) {
    const chunked_data data = chunked_data_new(COUNT, false);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I8, .max_launch_ms = 1e-6, .capacity = COUNT - 1);
    void *d_in = device_new(device, COUNT), *d_out = device_new(device, 16);
    device_write(device, d_in, data.small, COUNT);
    jr_plan *plan = plan_held(device, WORK(&spec));
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = COUNT, .out = d_out), NULL, NULL),
          JR_ERROR_INVALID_ARGUMENT, "set spec.capacity");
    for (uint64_t count = 1; count < COUNT; count = count * 3 + 1) {
        int8_t wanted = INT8_MIN;
        for (uint64_t i = 0; i < count; i++) wanted = data.small[i] > wanted ? data.small[i] : wanted;
        assert_int_equal(plan_value(device, plan, d_in, count).as.i8, wanted);
    }
}

RUN_TESTS(open_context, close_context)
