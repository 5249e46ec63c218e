/* Plans: values, times, and the contexts in which they run. */
#include "support/fixtures/plan_case.h"

/* Values that the host waits for: from every algorithm, run after run, and what is refused. */
DEVICE_TEST(a_value_comes_back_from_every_algorithm) {
    enum { RUNS = 40 };
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t seed = 11;
    jr_stream stream = stream_new(device);
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        for (int i = 0; i < RUNS; i++) {
            const uint64_t count = i == 0 ? 0 : random_below(&seed, i % 2 == 0 ? MOST : 3000);
            jr_value value;
            works(jr_plan_value(plan, FROM(d_in), count, i % 3 == 0 ? stream : NULL, &value));
            assert_int_equal(value.type, JR_U64);
            assert_int_equal(value.as.u64, iota_sum(count));
        }
        jr_plan_destroy(plan);
    }
    stream_free(device, stream);
}

DEVICE_TEST(a_value_waits_for_what_is_in_front_of_it) {
    uint32_t *d_in = device_new(device, MOST * sizeof *d_in);
    jr_stream stream = stream_new(device);
    jr_plan *plan = sum_plan(device, JR_ALGORITHM_AUTO);
    for (unsigned turn = 1; turn <= 100; turn++) {
        jr_value value;
        drives(device->driver.cuMemsetD32Async(device_address(d_in), turn, MOST, stream));
        works(jr_plan_value(plan, FROM(d_in), MOST, stream, &value));
        assert_int_equal(value.as.u64, (uint64_t)turn * MOST);
    }
    jr_plan_destroy(plan);
    stream_free(device, stream);
}

DEVICE_TEST(a_list_of_operators_gives_all_its_values) {
    const jr_op ops[] = {JR_OP_MIN, JR_OP_SUM, JR_OP_ARGMAX, JR_OP_MEAN};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 4, .type = JR_U32);
    uint32_t *d_in = iota_new(device, MOST);
    jr_value values[4];
    jr_plan *plan = plan_held(device, WORK(&spec));
    works(jr_plan_value(plan, FROM(d_in), 1001, NULL, values));
    assert_int_equal(values[0].as.u32, 0);
    assert_int_equal(values[1].as.u64, iota_sum(1001));
    assert_int_equal(values[2].as.i64, 1000);
    assert_true(values[3].type == JR_F64 && values[3].as.f64 == 500);
}

/* What the host puts where the result will come: waiting for it ends all the same. */
DEVICE_TEST(any_bits_may_be_the_value) {
    const uint32_t bits[] = {0x7fb5eed1, 0, 0xffffffff, 0x7ff4c0de};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_OR, .type = JR_U32),
                  wide = JR_INIT(jr_spec, .op = JR_OP_OR, .type = JR_U64);
    const uint64_t wide_bits = 0x7ff4c0de7fb5eed1;
    uint32_t *d_in = device_new(device, 16);
    jr_plan *plan = NULL, *wide_plan = NULL;
    jr_value value;
    works(jr_work_plan_create(device->context, WORK(&spec), &plan));
    works(jr_work_plan_create(device->context, WORK(&wide), &wide_plan));
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        device_write(device, d_in, &bits[i], sizeof bits[i]);
        works(jr_plan_value(plan, FROM(d_in), 1, NULL, &value));
        assert_int_equal(value.as.u32, bits[i]);
    }
    device_write(device, d_in, &wide_bits, sizeof wide_bits);
    works(jr_plan_value(wide_plan, FROM(d_in), 1, NULL, &value));
    assert_true(value.as.u64 == wide_bits);
    jr_plan_destroy(wide_plan);
    jr_plan_destroy(plan);
}

DEVICE_TEST(what_has_no_value_is_refused_and_leaves_it_alone) {
    const jr_spec minimum = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_U32);
    uint32_t *d_in = iota_new(device, 16);
    const void *arrays[] = {d_in}, *shifted[] = {(const char *)d_in + 1};
    jr_plan *plan = NULL, *scan = NULL, *segments = NULL;
    jr_value value = {.type = JR_F64, .as.f64 = 7};
    works(jr_work_plan_create(device->context, WORK(&minimum), &plan));
    fails(jr_plan_value(plan, arrays, 0, NULL, &value), JR_ERROR_EMPTY_INPUT, "min");
    fails(jr_plan_value(plan, shifted, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "not aligned");
    fails(jr_plan_value(NULL, arrays, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "plan");
    fails(jr_plan_value(plan, NULL, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "d_in");
    fails(jr_plan_value(plan, arrays, 8, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "values");
    works(jr_work_plan_create(device->context, WORK(&minimum, .kind = JR_WORK_SCAN_INCLUSIVE), &scan));
    fails(jr_plan_value(scan, arrays, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT, "for every element");
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4);
    works(jr_work_plan_create(device->context, WORK(&minimum, .layout = &layout), &segments));
    fails(jr_plan_value(segments, arrays, 8, NULL, &value), JR_ERROR_INVALID_ARGUMENT,
          "this plan is of segments: run it with jr_work_plan_run");
    assert_true(value.type == JR_F64 && value.as.f64 == 7);
    works(jr_plan_value(plan, arrays, 8, NULL, &value));
    assert_true(value.type == JR_U32 && value.as.u32 == 0);
    jr_plan_destroy(segments);
    jr_plan_destroy(scan);
    jr_plan_destroy(plan);
}

/* What a plan reports about its cost: times, launches, bytes moved, and how its kernels are launched. */
DEVICE_TEST(arguments_that_are_wrong_are_named) {
    jr_plan *plan = sum_plan(device, JR_ALGORITHM_TWO_PASS);
    uint32_t *d_in = iota_new(device, 100);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    jr_run_cost cost = JR_INIT(jr_run_cost, .launches = 77);
    jr_launch launch = JR_INIT(jr_launch, .shared_bytes = 77);
    fails(jr_plan_time(NULL, arrays, 100, d_out, 1, &cost), JR_ERROR_INVALID_ARGUMENT, "plan is NULL");
    fails(jr_plan_time(plan, NULL, 100, d_out, 1, &cost), JR_ERROR_INVALID_ARGUMENT, "d_in is NULL");
    fails(jr_plan_time(plan, arrays, 100, d_out, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "cost is NULL");
    fails(jr_plan_time(plan, arrays, 100, d_out, 0, &cost), JR_ERROR_INVALID_ARGUMENT, "0 rounds");
    fails(jr_plan_time(plan, arrays, 100, NULL, 1, &cost), JR_ERROR_INVALID_ARGUMENT, "output address");
    fails(jr_plan_launch_get(plan, jr_plan_kernel_count(plan), &launch), JR_ERROR_INVALID_ARGUMENT, "is out of range");
    fails(jr_plan_launch_get(plan, 0, NULL), JR_ERROR_INVALID_ARGUMENT, "launch is NULL");
    assert_int_equal(cost.launches, 77);
    assert_int_equal(launch.shared_bytes, 77);
    jr_plan_destroy(plan);
}

DEVICE_TEST(a_measured_run_gives_the_value_and_its_cost) {
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        const uint64_t zero = 0;
        jr_run_cost cost = JR_INIT(jr_run_cost);
        device_write(device, d_out, &zero, sizeof zero);
        works(jr_plan_time(plan, arrays, MOST, d_out, 3, &cost));
        assert_int_equal(word_read(device, d_out), iota_sum(MOST));
        assert_true(cost.kernel_ms > 0 && cost.kernel_ms < 60000);
        assert_true(cost.launches >= 1);
        assert_true(cost.moved_bytes >= MOST * sizeof *d_in + sizeof *d_out);
        jr_plan_destroy(plan);
    }
}

DEVICE_TEST(partial_results_count_as_moved) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_TWO_PASS, .grid = 5, .block = 64);
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    jr_run_cost cost = JR_INIT(jr_run_cost);
    jr_plan *plan = plan_held(device, WORK(&spec));
    works(jr_plan_time(plan, arrays, MOST, d_out, 1, &cost));
    assert_int_equal(cost.launches, 2);
    assert_int_equal(cost.moved_bytes, MOST * sizeof *d_in + sizeof *d_out + 2 * 5 * sizeof(uint64_t));
}

DEVICE_TEST(a_launch_tells_its_dynamic_shared_memory) {
    for (jr_shared shared = JR_SHARED_STATIC; shared <= JR_SHARED_DYNAMIC; shared = (jr_shared)(shared + 1)) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .algorithm = JR_ALGORITHM_TWO_PASS,
                                     .grid = 3, .block = 96, .shared = shared);
        jr_launch launch = JR_INIT(jr_launch);
        jr_plan *plan = plan_held(device, WORK(&spec));
        works(jr_plan_launch_get(plan, 0, &launch));
        assert_int_equal(launch.grid[0], 3);
        assert_int_equal(launch.block[0], 96);
        assert_int_equal(launch.shared_bytes, shared == JR_SHARED_DYNAMIC ? 96 * sizeof(double) : 0);
    }
}

/* Plans and CUDA contexts: what is current stays so and does not matter; streams of another context are refused. */

/* A further context of the device; the thread's stack of contexts is as before. */
static void other_context(const opened *device, jr_cu_context *made) {
    jr_cu_context popped = NULL;
    drives(device->driver.cuCtxCreate_v2(made, 0, device->info.ordinal));
    drives(device->driver.cuCtxPopCurrent_v2(&popped));
    assert_ptr_equal(popped, *made);
}

static void assert_current(const opened *device, jr_cu_context wanted) {
    jr_cu_context current = NULL;
    drives(device->driver.cuCtxGetCurrent(&current));
    assert_ptr_equal(current, wanted);
}

DEVICE_TEST(a_run_works_whatever_context_is_current) {
    const jr_driver *driver = &device->driver;
    jr_cu_context other = NULL;
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, 2 * sizeof *d_out);
    jr_stream stream = stream_new(device);
    other_context(device, &other);
    drives(driver->cuCtxSetCurrent(other));
    jr_plan *plan = sum_plan(device, JR_ALGORITHM_SINGLE_PASS);
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = MOST, .out = d_out), NULL, stream));
    assert_current(device, other);
    drives(driver->cuCtxSetCurrent(NULL));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 1000, .out = d_out + 1), NULL, stream));
    assert_current(device, NULL);
    drives(driver->cuCtxSetCurrent(device->cuda));
    stream_wait(device, stream);
    assert_int_equal(word_read(device, d_out), iota_sum(MOST));
    assert_int_equal(word_read(device, d_out + 1), iota_sum(1000));
    drives(driver->cuCtxSetCurrent(other));
    jr_plan_destroy(plan); /* frees in its own context */
    assert_current(device, other);
    drives(driver->cuCtxSetCurrent(device->cuda));
    drives(driver->cuCtxDestroy_v2(other));
    stream_free(device, stream);
}

DEVICE_TEST(a_stream_of_another_context_is_refused_and_breaks_nothing) {
    const jr_driver *driver = &device->driver;
    jr_cu_context other = NULL;
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    other_context(device, &other);
    drives(driver->cuCtxSetCurrent(other));
    jr_stream foreign = stream_new(device);
    drives(driver->cuCtxSetCurrent(device->cuda));
    FOR_EACH_ALGORITHM(algorithm) {
        jr_plan *plan = sum_plan(device, algorithm);
        for (int i = 0; i < 3; i++) {
            fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = MOST, .out = d_out), NULL, foreign),
                  JR_ERROR_WRONG_CONTEXT, "stream");
            works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = MOST, .out = d_out), NULL, NULL));
            assert_int_equal(word_read(device, d_out), iota_sum(MOST));
        }
        jr_plan_destroy(plan);
    }
    drives(driver->cuCtxSetCurrent(other));
    stream_free(device, foreign);
    drives(driver->cuCtxSetCurrent(device->cuda));
    drives(driver->cuCtxDestroy_v2(other));
}

/* An application's own context that is current when ours is opened: no primary context is made, and it is used. */
DEVICE_TEST(a_current_context_is_borrowed) {
    const jr_driver *driver = &device->driver;
    jr_cu_context other = NULL, of_stream = NULL;
    jr_context *context = NULL;
    other_context(device, &other);
    drives(driver->cuCtxSetCurrent(other));
    works(jr_context_open(NULL, &context));
    uint32_t *d_in = iota_new(device, 1000);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    jr_stream stream = stream_new(device);
    drives(driver->cuStreamGetCtx(stream, &of_stream));
    assert_ptr_equal(of_stream, other);
    jr_plan *plan = NULL;
    works(jr_work_plan_create(context, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32)), &plan));
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 1000, .out = d_out), NULL, stream));
    stream_wait(device, stream);
    assert_int_equal(word_read(device, d_out), iota_sum(1000));
    jr_plan_destroy(plan);
    jr_context_close(context);
    assert_current(device, other); /* it is the application's: closing left it alone */
    stream_free(device, stream);
    device_free(device, d_out);
    device_free(device, d_in);
    drives(driver->cuCtxSetCurrent(device->cuda));
    drives(driver->cuCtxDestroy_v2(other));
}

RUN_TESTS(open_context, close_context)
