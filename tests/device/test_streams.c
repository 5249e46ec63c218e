/* Streams, events, copies and pinned memory through the public functions alone, as a program without CUDA's headers has
 * them. */
#include <string.h>

#include "support/fixtures/open_context.h"

enum { COUNT = 5000 };

/* A plan for a sum with pinned input and output and the device's copies of them. */
typedef struct piped {
    jr_context *context;
    jr_plan *plan;
    int32_t *in;
    int64_t *out;
    void *d_in, *d_out;
} piped;

static piped piped_new(const opened *device) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    piped made = {.context = device->context};
    works(jr_work_plan_create(made.context, WORK(&spec), &made.plan));
    works(jr_pinned_new(made.context, COUNT * sizeof *made.in, (void **)&made.in));
    works(jr_pinned_new(made.context, sizeof *made.out, (void **)&made.out));
    works(jr_memory_new(made.context, COUNT * sizeof *made.in, &made.d_in));
    works(jr_memory_new(made.context, sizeof *made.out, &made.d_out));
    for (int i = 0; i < COUNT; i++) made.in[i] = i;
    *made.out = -1;
    return made;
}

static void piped_free(const piped *p) {
    jr_plan_destroy(p->plan);
    jr_pinned_free(p->context, p->in);
    jr_pinned_free(p->context, p->out);
    jr_memory_free(p->context, p->d_in);
    jr_memory_free(p->context, p->d_out);
}

static const int64_t SUM = (int64_t)COUNT * (COUNT - 1) / 2;

/* ---- streams and copies ---- */

DEVICE_TEST(copies_and_runs_of_a_stream_happen_in_their_order) {
    const piped p = piped_new(device);
    jr_stream stream;
    int done = 7;
    works(jr_stream_create(p.context, JR_STREAM_NON_BLOCKING, &stream));
    works(jr_stream_write(p.context, p.d_in, p.in, COUNT * sizeof *p.in, stream));
    works(jr_work_plan_run(p.plan, DATA(.in = FROM(p.d_in), .count = COUNT, .out = p.d_out), NULL, stream));
    works(jr_stream_read(p.context, p.out, p.d_out, sizeof *p.out, stream));
    works(jr_stream_wait(p.context, stream));
    assert_int_equal(*p.out, SUM);
    works(jr_stream_query(p.context, stream, &done));
    assert_int_equal(done, 1);
    works(jr_stream_destroy(p.context, stream));
    piped_free(&p);
}

DEVICE_TEST(device_memory_is_copied_and_cleared_in_stream_order) {
    const piped p = piped_new(device);
    int32_t back[4] = {9, 9, 9, 9};
    works(jr_stream_write(p.context, p.d_in, p.in + 1, sizeof back, NULL));
    works(jr_stream_copy(p.context, (char *)p.d_in + 400, p.d_in, sizeof back, NULL));
    works(jr_stream_clear(p.context, p.d_in, sizeof back, NULL));
    works(jr_stream_copy(p.context, (char *)p.d_in + 4, (char *)p.d_in + 400, 8, NULL));
    works(jr_stream_read(p.context, back, p.d_in, sizeof back, NULL));
    works(jr_stream_wait(p.context, NULL));
    assert_memory_equal(back, ((int32_t[]){0, 1, 2, 0}), sizeof back);
    piped_free(&p);
}

/* Through CUDA's own functions the same handles serve. */
DEVICE_TEST(the_callers_own_streams_and_events_serve_as_well) {
    const piped p = piped_new(device);
    jr_stream stream = stream_new(device);
    jr_event event = NULL;
    drives(device->driver.cuEventCreate(&event, 0));
    works(jr_stream_write(p.context, p.d_in, p.in, COUNT * sizeof *p.in, stream));
    works(jr_work_plan_run(p.plan, DATA(.in = FROM(p.d_in), .count = COUNT, .out = p.d_out), NULL, stream));
    works(jr_event_record(p.context, event, stream));
    works(jr_event_wait(p.context, event));
    device_read(device, p.out, p.d_out, sizeof *p.out);
    assert_int_equal(*p.out, SUM);
    works(jr_event_destroy(p.context, event));
    works(jr_stream_destroy(p.context, stream));
    piped_free(&p);
}

DEVICE_TEST(all_streams_are_waited_for_with_the_context) {
    const piped p = piped_new(device);
    jr_stream stream;
    works(jr_stream_create(p.context, JR_STREAM_NON_BLOCKING, &stream));
    works(jr_stream_write(p.context, p.d_in, p.in, COUNT * sizeof *p.in, stream));
    works(jr_work_plan_run(p.plan, DATA(.in = FROM(p.d_in), .count = COUNT, .out = p.out), NULL,
                           stream)); /* kernels reach pinned memory, too */
    works(jr_context_wait(p.context));
    assert_int_equal(*p.out, SUM);
    works(jr_stream_destroy(p.context, stream));
    piped_free(&p);
}

DEVICE_TEST(nothing_to_copy_or_to_pin_is_fine) {
    void *address = &address;
    works(jr_stream_write(device->context, NULL, NULL, 0, NULL));
    works(jr_stream_read(device->context, NULL, NULL, 0, NULL));
    works(jr_stream_copy(device->context, NULL, NULL, 0, NULL));
    works(jr_stream_clear(device->context, NULL, 0, NULL));
    works(jr_pinned_new(device->context, 0, &address));
    assert_null(address);
    jr_pinned_free(device->context, NULL);
    works(jr_stream_destroy(device->context, NULL));
    works(jr_event_destroy(device->context, NULL));
    works(jr_graph_destroy(device->context, NULL));
}

/* ---- events ---- */

DEVICE_TEST(a_stream_waits_for_an_event_of_another_one) {
    const piped p = piped_new(device);
    jr_stream copies, runs;
    jr_event there;
    works(jr_stream_create(p.context, JR_STREAM_NON_BLOCKING, &copies));
    works(jr_stream_create(p.context, JR_STREAM_NON_BLOCKING, &runs));
    works(jr_event_create(p.context, JR_EVENT_NO_TIMING, &there));
    for (int round = 1; round <= 3; round++) {
        p.in[0] = round;
        works(jr_stream_write(p.context, p.d_in, p.in, COUNT * sizeof *p.in, copies));
        works(jr_event_record(p.context, there, copies));
        works(jr_stream_wait_event(p.context, runs, there));
        works(jr_work_plan_run(p.plan, DATA(.in = FROM(p.d_in), .count = COUNT, .out = p.d_out), NULL, runs));
        works(jr_stream_read(p.context, p.out, p.d_out, sizeof *p.out, runs));
        works(jr_stream_wait(p.context, runs));
        assert_int_equal(*p.out, SUM + round);
    }
    works(jr_event_destroy(p.context, there));
    works(jr_stream_destroy(p.context, copies));
    works(jr_stream_destroy(p.context, runs));
    piped_free(&p);
}

DEVICE_TEST(two_events_tell_the_time_between_them) {
    const piped p = piped_new(device);
    jr_event begin, end;
    double forth = -1, back = -1;
    int done = 0;
    works(jr_memory_write(p.context, p.d_in, p.in, COUNT * sizeof *p.in));
    works(jr_event_create(p.context, 0, &begin));
    works(jr_event_create(p.context, JR_EVENT_BLOCKING, &end));
    works(jr_event_record(p.context, begin, NULL));
    works(jr_work_plan_run(p.plan, DATA(.in = FROM(p.d_in), .count = COUNT, .out = p.d_out), NULL, NULL));
    works(jr_event_record(p.context, end, NULL));
    works(jr_event_wait(p.context, end));
    works(jr_event_query(p.context, end, &done));
    assert_int_equal(done, 1);
    works(jr_event_elapsed(p.context, begin, end, &forth));
    works(jr_event_elapsed(p.context, end, begin, &back));
    assert_true(forth > 0 && back < 0);
    works(jr_event_destroy(p.context, begin));
    works(jr_event_destroy(p.context, end));
    piped_free(&p);
}

DEVICE_TEST(events_that_tell_no_time_are_refused) {
    jr_event timed, untimed;
    double ms = 7;
    works(jr_event_create(device->context, 0, &timed));
    works(jr_event_create(device->context, JR_EVENT_NO_TIMING, &untimed));
    fails(jr_event_elapsed(device->context, timed, timed, &ms), JR_ERROR_INVALID_ARGUMENT, "must be recorded");
    works(jr_event_record(device->context, timed, NULL));
    works(jr_event_record(device->context, untimed, NULL));
    works(jr_context_wait(device->context));
    fails(jr_event_elapsed(device->context, timed, untimed, &ms), JR_ERROR_INVALID_ARGUMENT, "JR_EVENT_NO_TIMING");
    assert_true(ms == 7);
    works(jr_event_destroy(device->context, timed));
    works(jr_event_destroy(device->context, untimed));
}

/* ---- misuse ---- */

DEVICE_TEST(what_has_been_destroyed_is_refused) {
    jr_stream stream;
    jr_event event;
    if (!device->info.simulated) skip_because("skipped: a GPU's driver need not know what was destroyed\n");
    works(jr_stream_create(device->context, 0, &stream));
    works(jr_event_create(device->context, 0, &event));
    works(jr_stream_destroy(device->context, stream));
    works(jr_event_destroy(device->context, event));
    fails(jr_stream_destroy(device->context, stream), JR_ERROR_INVALID_ARGUMENT, "destroyed already");
    fails(jr_stream_wait(device->context, stream), JR_ERROR_INVALID_ARGUMENT, "destroyed already");
    fails(jr_event_destroy(device->context, event), JR_ERROR_INVALID_ARGUMENT, "destroyed already");
    fails(jr_event_wait(device->context, event), JR_ERROR_INVALID_ARGUMENT, "destroyed already");
    fails(jr_event_record(device->context, event, NULL), JR_ERROR_INVALID_ARGUMENT, "destroyed already");
}

DEVICE_TEST(a_stream_of_another_context_is_refused) {
    jr_cu_context other, current = NULL;
    jr_stream foreign;
    char byte = 0;
    int done = 7;
    drives(device->driver.cuCtxCreate_v2(&other, 0, device->info.ordinal));
    foreign = stream_new(device);
#define refused(call) fails((call), JR_ERROR_WRONG_CONTEXT, "another CUDA context")
    refused(jr_stream_wait(device->context, foreign));
    refused(jr_stream_query(device->context, foreign, &done));
    refused(jr_stream_destroy(device->context, foreign));
    refused(jr_stream_write(device->context, &byte, &byte, 1, foreign));
    refused(jr_capture_begin(device->context, foreign));
    assert_int_equal(done, 7);
    drives(device->driver.cuCtxGetCurrent(&current));
    assert_ptr_equal(current, other);
    stream_free(device, foreign);
    drives(device->driver.cuCtxDestroy_v2(other));
    drives(device->driver.cuCtxSetCurrent(device->cuda));
}

DEVICE_TEST(streams_are_made_in_the_contexts_cuda_context_whatever_is_current) {
    jr_cu_context of_stream = NULL, current = device->cuda;
    jr_stream stream;
    drives(device->driver.cuCtxSetCurrent(NULL));
    works(jr_stream_create(device->context, 0, &stream));
    works(jr_stream_wait(device->context, stream));
    drives(device->driver.cuCtxGetCurrent(&current));
    assert_null(current);
    drives(device->driver.cuStreamGetCtx(stream, &of_stream));
    assert_ptr_equal(of_stream, device->cuda);
    works(jr_stream_destroy(device->context, stream));
    drives(device->driver.cuCtxSetCurrent(device->cuda));
}

DEVICE_TEST(wrong_arguments_are_named) {
    jr_context *context = device->context;
    jr_stream stream = NULL;
    jr_event event = NULL;
    void *address = NULL;
    char byte = 0;
    fails(jr_stream_create(context, 2, &stream), JR_ERROR_INVALID_ARGUMENT, "flags are 0x2");
    fails(jr_event_create(context, 8, &event), JR_ERROR_INVALID_ARGUMENT, "flags are 0x8");
    fails(jr_stream_create(NULL, 0, &stream), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_stream_create(context, 0, NULL), JR_ERROR_INVALID_ARGUMENT, "stream is NULL");
    fails(jr_event_create(context, 0, NULL), JR_ERROR_INVALID_ARGUMENT, "event is NULL");
    fails(jr_event_wait(context, NULL), JR_ERROR_INVALID_ARGUMENT, "event is NULL");
    fails(jr_stream_query(context, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "done is NULL");
    fails(jr_stream_write(context, NULL, &byte, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_stream_read(context, &byte, NULL, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_stream_clear(context, NULL, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "address is NULL");
    fails(jr_pinned_new(context, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "address is NULL");
    fails(jr_pinned_new(context, UINT64_C(1) << 60, &address), JR_ERROR_OUT_OF_MEMORY, "host memory");
    assert_true(stream == NULL && event == NULL && address == NULL);
}

RUN_TESTS(open_context, close_context)
