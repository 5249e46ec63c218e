/* What a failed or refused call leaves as it was: the context, the stream, the capture and the last error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "loader/driver.h"
#include "support/fakes/sim_faults.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

/* A call that could not leave the library's CUDA context by cuCtxPopCurrent left the thread in it for ever. */
static jr_cu_context current_of(const opened *device) {
    jr_cu_context current = NULL;
    drives(device->driver.cuCtxGetCurrent(&current));
    return current;
}

/* Calls that enter the context, from a thread that is in none and from one that is in another. */
static void call_with(const opened *device, const char *rule, jr_cu_context outside) {
    const sim_faults faults = sim_faults_of(device->driver.library);
    const int data[3] = {3, 1, 2};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    jr_device_info info = JR_INIT(jr_device_info);
    jr_value value;
    while (current_of(device) != NULL) drives(device->driver.cuCtxSetCurrent(NULL)); /* leaves one of a stack */
    drives(device->driver.cuCtxSetCurrent(outside));
    faults.refuse(rule);
    works(jr_context_device_info(device->context, &info));
    faults.refuse(NULL);
    assert_ptr_equal(current_of(device), outside);
    faults.refuse(rule);
    works(jr_reduce_host(device->context, &spec, data, 3, &value));
    faults.refuse(NULL);
    assert_int_equal(value.as.i32, 3);
    assert_ptr_equal(current_of(device), outside);
}

DEVICE_TEST(a_context_that_cannot_be_popped_is_left_all_the_same) {
    jr_cu_context other = NULL;
    if (!device->info.simulated) skip_because("only the simulator's calls can be told to fail\n");
    drives(device->driver.cuCtxCreate_v2(&other, 0, 0));
    call_with(device, "cuCtxPopCurrent:1:700", other);
    call_with(device, "cuCtxPopCurrent:0:700", other);
    call_with(device, "cuCtxPopCurrent:1", NULL);
    call_with(device, "cuCtxPopCurrent", NULL);
    drives(device->driver.cuCtxSetCurrent(device->cuda));
    drives(device->driver.cuCtxDestroy_v2(other));
}

/* Opening enters the context for the pinned memory that goes with it, and closing to give that back. */
DEVICE_TEST(a_thread_that_opens_and_closes_is_in_no_context_afterwards) {
    const sim_faults faults = sim_faults_of(device->driver.library);
    const jr_options options = JR_INIT(jr_options, .device = "sim");
    if (!device->info.simulated) skip_because("only the simulator's calls can be told to fail\n");
    while (current_of(device) != NULL) drives(device->driver.cuCtxSetCurrent(NULL));
    jr_context *context = NULL;
    faults.refuse("cuCtxPopCurrent");
    works(jr_context_open(&options, &context));
    assert_null(current_of(device));
    jr_context_close(context);
    assert_null(current_of(device));
    faults.refuse(NULL);
    drives(device->driver.cuCtxSetCurrent(device->cuda));
}

/* A call for a value whose wait failed left its kernel running, which wrote its value over the next call's: that
 * returned the sum of the elements before. A failing call now leaves nothing running. */
enum { COUNT = 1 << 22 };

/* The driver is asked about the stream after some thousand looks: each sum takes far longer. */
DEVICE_TEST(the_value_after_a_failed_wait_is_of_its_own_elements) {
    const sim_faults faults = sim_faults_of(device->driver.library);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    int *data = test_bytes(COUNT * sizeof *data);
    for (int i = 0; i < COUNT; i++) data[i] = 1;
    int *d_ones = device_new(device, COUNT * sizeof *data), *d_twos = device_new(device, COUNT * sizeof *data);
    device_write(device, d_ones, data, COUNT * sizeof *data);
    for (int i = 0; i < COUNT; i++) data[i] = 2;
    device_write(device, d_twos, data, COUNT * sizeof *data);
    jr_value value = {0};
    jr_plan *plan = plan_held(device, WORK(&spec));
    works(jr_plan_value(plan, FROM(d_ones), 1, NULL, &value)); /* makes what is kept */
    assert_int_equal(faults.refuse("cuStreamQuery:1"), 0);
    fails(jr_plan_value(plan, FROM(d_ones), COUNT, NULL, &value), JR_ERROR_DRIVER, "waiting for the value");
    assert_int_equal(faults.refuse(NULL), 0);
    works(jr_plan_value(plan, FROM(d_twos), COUNT, NULL, &value));
    assert_int_equal(value.as.i64, 2 * COUNT);
}

/* When a driver failed to report a device's compute capability or number of multiprocessors, they were taken to be 0:
 * the context opened, and every plan of it failed with "compute capability 0.0". */
TEST(opening_fails_when_the_device_does_not_tell_what_is_needed) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = "");
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_driver driver;
    int refused = 0;
    assert_int_equal(jr_driver_open(NULL, NULL, true, NULL, &driver), JR_OK);
    const sim_faults faults = sim_faults_of(driver.library);
    for (int n = 1; n <= 20; n++) {
        char rule[40];
        jr_context *context = NULL;
        jr_value value = {0};
        snprintf(rule, sizeof rule, "cuDeviceGetAttribute:%d", n);
        assert_int_equal(faults.refuse(rule), 0);
        const jr_status status = jr_context_open(&options, &context);
        assert_int_equal(faults.refuse(NULL), 0);
        if (status == JR_OK) { /* then it did without, and everything works */
            assert_int_equal(jr_reduce_host(context, &spec, (int32_t[]){3, 4}, 2, &value), JR_OK);
            assert_int_equal(value.as.i64, 7);
        } else {
            refused++;
            assert_int_equal(status, JR_ERROR_DRIVER);
            assert_non_null(strstr(jr_last_error()->message, "asking for"));
            assert_null(context);
        }
        jr_context_close(context);
    }
    assert_true(refused >= 3);
    jr_driver_close(&driver);
}

/* Storing a tuning in place of a damaged file succeeded, and left the damage as the last error. */
TEST(a_store_that_replaces_a_damaged_file_leaves_the_last_error_alone) {
    const jr_tune_candidate way = {.algorithm = JR_ALGORITHM_TWO_PASS, .unroll = 4, .block = 128, .us = 1, .gain = 2};
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = 1000, .best = way, .estimate = way, .better = 1, .complete = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    char folder[SCRATCH_BYTES];
    jr_context *context = NULL;
    scratch_make(folder);
    const jr_options options = JR_INIT(jr_options, .wisdom = scratch_path(folder, "tunings"));
    works(jr_context_open(&options, &context));
    scratch_text(options.wisdom, "jitreduce wisdom 1\nnot what it should be\n");
    fails(jr_work_plan_create(NULL, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    works(jr_work_tuned_store(context, WORK(&spec), &tuned));
    assert_string_equal(jr_last_error()->message, "context is NULL");
    jr_context_close(context);
}

/* A call that waits was refused on a capturing stream, but only after it had spoilt the caller's capture. */
enum { CAPTURED = 1000 };

/* A plan that works, its memory, and a stream that is being captured with one run on it. */
typedef struct captured {
    const opened *device;
    jr_plan *plan;
    void *d_in, *d_out;
    jr_stream stream;
} captured;

static jr_cu_stream blocking_stream(const opened *device) {
    jr_cu_stream stream = NULL;
    drives(device->driver.cuStreamCreate(&stream, 0));
    return stream;
}

static captured captured_begin(const opened *device, jr_stream stream, int mode) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    captured made = {.device = device, .stream = stream};
    int32_t data[CAPTURED];
    jr_value value;
    for (int i = 0; i < CAPTURED; i++) data[i] = i;
    made.d_in = device_new(device, sizeof data);
    made.d_out = device_new(device, sizeof(int64_t));
    device_write(device, made.d_in, data, sizeof data);
    works(jr_work_plan_create(device->context, WORK(&spec), &made.plan));
    works(jr_plan_value(made.plan, FROM(made.d_in), CAPTURED, NULL, &value)); /* its mailbox is there */
    drives(device->driver.cuStreamBeginCapture_v2(stream, mode));
    works(jr_work_plan_run(made.plan, DATA(.in = FROM(made.d_in), .count = CAPTURED, .out = made.d_out), NULL, stream));
    return made;
}

/* The capture is whole: its graph is that of one run. */
static void captured_end(captured *made) {
    int64_t sum = 0;
    jr_cu_graph_exec graph = graph_end(made->device, made->stream);
    drives(made->device->driver.cuGraphLaunch(graph, made->stream));
    stream_wait(made->device, made->stream);
    device_read(made->device, &sum, made->d_out, sizeof sum);
    assert_int_equal(sum, CAPTURED * (CAPTURED - 1) / 2);
    graph_free(made->device, graph);
    jr_plan_destroy(made->plan);
    device_free(made->device, made->d_in);
    device_free(made->device, made->d_out);
    stream_free(made->device, made->stream);
}

DEVICE_TEST(a_value_is_refused_on_a_capturing_stream_and_the_capture_goes_on) {
    captured c = captured_begin(device, stream_new(device), JR_CU_CAPTURE_GLOBAL);
    const void *arrays[] = {c.d_in};
    jr_value value = {.type = JR_F64, .as.f64 = 7};
    fails(jr_plan_value(c.plan, arrays, CAPTURED, c.stream, &value), JR_ERROR_INVALID_ARGUMENT, "is being captured");
    assert_true(value.type == JR_F64 && value.as.f64 == 7);
    captured_end(&c);
}

/* What waits for the default stream, which waits for this one. */
DEVICE_TEST(calls_that_wait_leave_the_capture_of_a_blocking_stream_alone) {
    captured c = captured_begin(device, blocking_stream(device), JR_CU_CAPTURE_RELAXED);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const int32_t data[2] = {1, 2};
    const uint64_t shape[] = {1, 2};
    const jr_axis axis = JR_INIT(jr_axis, shape, 2, 1);
    const void *arrays[] = {c.d_in}, *host[] = {data};
    jr_context *context = device->context;
    jr_run_cost cost = JR_INIT(jr_run_cost);
    jr_value value;
    jr_plan *plan = NULL;
    int32_t number = 0;
    int64_t sums[2];
#define refused(call) fails((call), JR_ERROR_INVALID_ARGUMENT, "is being captured")
    refused(jr_plan_value(c.plan, arrays, CAPTURED, NULL, &value));
    refused(jr_plan_value(c.plan, arrays, CAPTURED, c.stream, &value));
    refused(jr_plan_time(c.plan, arrays, CAPTURED, c.d_out, 1, &cost));
    refused(jr_memory_read(context, &number, c.d_in, sizeof number));
    refused(jr_memory_write(context, c.d_in, &number, sizeof number));
    refused(jr_work_plan_create(context, WORK(&spec), &plan));
    refused(jr_reduce_host(context, &spec, data, 2, &value));
    refused(jr_work_run_host(context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = FROM(data), .count = 2, .out = sums)));
    refused(jr_work_run_host(context, WORK(&spec, .axis = &axis), DATA(.in = host, .out = sums)));
    assert_null(plan);
    captured_end(&c);
}

RUN_TESTS(open_context, close_context)
