/* Plans and CUDA contexts: what is current stays so and does not matter; streams of another context are refused. */
#include "support/fixtures/plan_case.h"

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

TEST(a_run_works_whatever_context_is_current) {
    const opened *device = *state;
    const jr_driver *driver = &device->driver;
    jr_cu_context other = NULL;
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, 2 * sizeof *d_out);
    jr_stream stream = stream_new(device);
    other_context(device, &other);
    drives(driver->cuCtxSetCurrent(other));
    jr_plan *plan = sum_plan(device, JR_ALGORITHM_SINGLE_PASS);
    works(jr_plan_run(plan, d_in, MOST, d_out, NULL, stream));
    assert_current(device, other);
    drives(driver->cuCtxSetCurrent(NULL));
    works(jr_plan_run(plan, d_in, 1000, d_out + 1, NULL, stream));
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
    device_free(device, d_out);
    device_free(device, d_in);
}

TEST(a_stream_of_another_context_is_refused_and_breaks_nothing) {
    const opened *device = *state;
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
            fails(jr_plan_run(plan, d_in, MOST, d_out, NULL, foreign), JR_ERROR_WRONG_CONTEXT, "stream");
            works(jr_plan_run(plan, d_in, MOST, d_out, NULL, NULL));
            assert_int_equal(word_read(device, d_out), iota_sum(MOST));
        }
        jr_plan_destroy(plan);
    }
    drives(driver->cuCtxSetCurrent(other));
    stream_free(device, foreign);
    drives(driver->cuCtxSetCurrent(device->cuda));
    drives(driver->cuCtxDestroy_v2(other));
    device_free(device, d_out);
    device_free(device, d_in);
}

/* An application's own context that is current when ours is opened: no primary context is made, and it is used. */
TEST(a_current_context_is_borrowed) {
    const opened *device = *state;
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
    works(jr_plan_create(context, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32), &plan));
    works(jr_plan_run(plan, d_in, 1000, d_out, NULL, stream));
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
