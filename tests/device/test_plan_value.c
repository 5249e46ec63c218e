/* Values that the host waits for: from every algorithm, run after run, and what is refused. */
#include "support/fixtures/plan_case.h"

TEST(a_value_comes_back_from_every_algorithm) {
    const opened *device = *state;
    enum { RUNS = 40 };
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t seed = 11;
    jr_stream stream = stream_new(device);
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        for (int i = 0; i < RUNS; i++) {
            const uint64_t count = i == 0 ? 0 : random_below(&seed, i % 2 == 0 ? MOST : 3000);
            jr_value value;
            works(jr_plan_value(plan, (const void *[]){d_in}, count, i % 3 == 0 ? stream : NULL, &value));
            assert_int_equal(value.type, JR_U64);
            assert_int_equal(value.as.u64, iota_sum(count));
        }
        jr_plan_destroy(plan);
    }
    stream_free(device, stream);
    device_free(device, d_in);
}

TEST(a_value_waits_for_what_is_in_front_of_it) {
    const opened *device = *state;
    uint32_t *d_in = device_new(device, MOST * sizeof *d_in);
    jr_stream stream = stream_new(device);
    jr_plan *plan = sum_plan(device, JR_ALGORITHM_AUTO);
    for (unsigned turn = 1; turn <= 100; turn++) {
        jr_value value;
        drives(device->driver.cuMemsetD32Async(device_address(d_in), turn, MOST, stream));
        works(jr_plan_value(plan, (const void *[]){d_in}, MOST, stream, &value));
        assert_int_equal(value.as.u64, (uint64_t)turn * MOST);
    }
    jr_plan_destroy(plan);
    stream_free(device, stream);
    device_free(device, d_in);
}

TEST(a_list_of_operators_gives_all_its_values) {
    const opened *device = *state;
    const jr_op ops[] = {JR_OP_MIN, JR_OP_SUM, JR_OP_ARGMAX, JR_OP_MEAN};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 4, .type = JR_U32);
    uint32_t *d_in = iota_new(device, MOST);
    jr_plan *plan = NULL;
    jr_value values[4];
    works(jr_plan_create(device->context, &spec, &plan));
    works(jr_plan_value(plan, (const void *[]){d_in}, 1001, NULL, values));
    assert_int_equal(values[0].as.u32, 0);
    assert_int_equal(values[1].as.u64, iota_sum(1001));
    assert_int_equal(values[2].as.i64, 1000);
    assert_true(values[3].type == JR_F64 && values[3].as.f64 == 500);
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

/* What the host puts where the result will come: waiting for it ends all the same. */
TEST(any_bits_may_be_the_value) {
    const opened *device = *state;
    const uint32_t bits[] = {0x7fb5eed1, 0, 0xffffffff, 0x7ff4c0de};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_OR, .type = JR_U32),
                  wide = JR_INIT(jr_spec, .op = JR_OP_OR, .type = JR_U64);
    const uint64_t wide_bits = 0x7ff4c0de7fb5eed1;
    uint32_t *d_in = device_new(device, 16);
    jr_plan *plan = NULL, *wide_plan = NULL;
    jr_value value;
    works(jr_plan_create(device->context, &spec, &plan));
    works(jr_plan_create(device->context, &wide, &wide_plan));
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        device_write(device, d_in, &bits[i], sizeof bits[i]);
        works(jr_plan_value(plan, (const void *[]){d_in}, 1, NULL, &value));
        assert_int_equal(value.as.u32, bits[i]);
    }
    device_write(device, d_in, &wide_bits, sizeof wide_bits);
    works(jr_plan_value(wide_plan, (const void *[]){d_in}, 1, NULL, &value));
    assert_true(value.as.u64 == wide_bits);
    jr_plan_destroy(wide_plan);
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

TEST(what_has_no_value_is_refused_and_leaves_it_alone) {
    const opened *device = *state;
    const jr_spec minimum = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_U32);
    uint32_t *d_in = iota_new(device, 16);
    const void *arrays[] = {d_in}, *shifted[] = {(const char *)d_in + 1};
    jr_plan *plan = NULL, *scan = NULL, *segments = NULL;
    jr_value value = {.type = JR_F64, .as.f64 = 7};
    works(jr_plan_create(device->context, &minimum, &plan));
    fails(jr_plan_value(plan, arrays, 0, NULL, &value), JR_ERROR_EMPTY_INPUT, "min");
    fails(jr_plan_value(plan, shifted, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "not aligned");
    fails(jr_plan_value(NULL, arrays, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "plan");
    fails(jr_plan_value(plan, NULL, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "d_in");
    fails(jr_plan_value(plan, arrays, 8, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "values");
    works(jr_scan_plan_create(device->context, &minimum, JR_SCAN_INCLUSIVE, &scan));
    fails(jr_plan_value(scan, arrays, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "for every element");
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4);
    works(jr_segment_plan_create(device->context, &minimum, &layout, &segments));
    fails(jr_plan_value(segments, arrays, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT,
          "this is a plan of segments: run it with jr_segment_plan_run");
    assert_true(value.type == JR_F64 && value.as.f64 == 7);
    works(jr_plan_value(plan, arrays, 8, NULL, &value));
    assert_true(value.type == JR_U32 && value.as.u32 == 0);
    jr_plan_destroy(segments);
    jr_plan_destroy(scan);
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

RUN_TESTS(open_context, close_context)
