/* A call that waits was refused on a capturing stream, but only after it had spoilt the caller's capture. */
#include "support/fixtures/open_context.h"

enum { COUNT = 1000 };

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
    int32_t data[COUNT];
    jr_value value;
    for (int i = 0; i < COUNT; i++) data[i] = i;
    made.d_in = device_new(device, sizeof data);
    made.d_out = device_new(device, sizeof(int64_t));
    device_write(device, made.d_in, data, sizeof data);
    works(jr_plan_create(device->context, &spec, &made.plan));
    works(jr_plan_value(made.plan, (const void *[]){made.d_in}, COUNT, NULL, &value)); /* its mailbox is there */
    drives(device->driver.cuStreamBeginCapture_v2(stream, mode));
    works(jr_plan_run(made.plan, made.d_in, COUNT, made.d_out, NULL, stream));
    return made;
}

/* The capture is whole: its graph is that of one run. */
static void captured_end(captured *made) {
    int64_t sum = 0;
    jr_cu_graph_exec graph = graph_end(made->device, made->stream);
    drives(made->device->driver.cuGraphLaunch(graph, made->stream));
    stream_wait(made->device, made->stream);
    device_read(made->device, &sum, made->d_out, sizeof sum);
    assert_int_equal(sum, COUNT * (COUNT - 1) / 2);
    graph_free(made->device, graph);
    jr_plan_destroy(made->plan);
    device_free(made->device, made->d_in);
    device_free(made->device, made->d_out);
    stream_free(made->device, made->stream);
}

TEST(a_value_is_refused_on_a_capturing_stream_and_the_capture_goes_on) {
    const opened *device = *state;
    captured c = captured_begin(device, stream_new(device), JR_CU_CAPTURE_GLOBAL);
    const void *arrays[] = {c.d_in};
    jr_value value = {.type = JR_F64, .as.f64 = 7};
    fails(jr_plan_value(c.plan, arrays, COUNT, c.stream, &value), JR_ERROR_INVALID_ARGUMENT, "is being captured");
    assert_true(value.type == JR_F64 && value.as.f64 == 7);
    captured_end(&c);
}

/* What waits for the default stream, which waits for this one. */
TEST(calls_that_wait_leave_the_capture_of_a_blocking_stream_alone) {
    const opened *device = *state;
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
    refused(jr_plan_value(c.plan, arrays, COUNT, NULL, &value));
    refused(jr_plan_value(c.plan, arrays, COUNT, c.stream, &value));
    refused(jr_plan_time(c.plan, arrays, COUNT, c.d_out, 1, &cost));
    refused(jr_memory_read(context, &number, c.d_in, sizeof number));
    refused(jr_memory_write(context, c.d_in, &number, sizeof number));
    refused(jr_plan_create(context, &spec, &plan));
    refused(jr_reduce_host(context, &spec, data, 2, &value));
    refused(jr_scan_host(context, &spec, JR_SCAN_INCLUSIVE, data, 2, sums));
    refused(jr_reduce_host_axis(context, &spec, host, &axis, sums));
    assert_null(plan);
    captured_end(&c);
}

RUN_TESTS(open_context, close_context)
