/* Captures and graphs through the public functions alone: what was captured runs as often as it is launched, and a
 * refused call leaves an open capture as it was. */
#include "support/fixtures/open_context.h"

enum { COUNT = 4000 };

/* A reduction and a scan of one input, and a stream on which both are captured with the copies to and fro. */
typedef struct recorded {
    jr_context *context;
    jr_plan *sum, *scan;
    jr_stream stream;
    int32_t *in;
    int64_t *total, *sums;
    void *d_in, *d_total, *d_sums;
} recorded;

static void *pinned(jr_context *context, size_t bytes) {
    void *address = NULL;
    works(jr_pinned_new(context, bytes, &address));
    return address;
}

static recorded recorded_new(const opened *device, unsigned flags) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .capacity = COUNT);
    recorded made = {.context = device->context};
    works(jr_work_plan_create(made.context, WORK(&spec), &made.sum));
    works(jr_work_plan_create(made.context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE), &made.scan));
    works(jr_stream_create(made.context, flags, &made.stream));
    made.in = pinned(made.context, COUNT * sizeof *made.in);
    made.total = pinned(made.context, sizeof *made.total);
    made.sums = pinned(made.context, COUNT * sizeof *made.sums);
    works(jr_memory_new(made.context, COUNT * sizeof *made.in, &made.d_in));
    works(jr_memory_new(made.context, sizeof *made.total, &made.d_total));
    works(jr_memory_new(made.context, COUNT * sizeof *made.sums, &made.d_sums));
    return made;
}

static void recorded_free(const recorded *r) {
    jr_plan_destroy(r->sum);
    jr_plan_destroy(r->scan);
    works(jr_stream_destroy(r->context, r->stream));
    jr_pinned_free(r->context, r->in);
    jr_pinned_free(r->context, r->total);
    jr_pinned_free(r->context, r->sums);
    jr_memory_free(r->context, r->d_in);
    jr_memory_free(r->context, r->d_total);
    jr_memory_free(r->context, r->d_sums);
}

static void put_on_stream(const recorded *r) {
    works(jr_stream_write(r->context, r->d_in, r->in, COUNT * sizeof *r->in, r->stream));
    works(jr_work_plan_run(r->sum, DATA(.in = FROM(r->d_in), .count = COUNT, .out = r->d_total), NULL, r->stream));
    works(jr_work_plan_run(r->scan, DATA(.in = FROM(r->d_in), .count = COUNT, .out = r->d_sums), NULL, r->stream));
    works(jr_stream_read(r->context, r->total, r->d_total, sizeof *r->total, r->stream));
    works(jr_stream_read(r->context, r->sums, r->d_sums, COUNT * sizeof *r->sums, r->stream));
}

/* Launches it with another input each round, and holds it against a loop. */
static void expect_replays(const recorded *r, jr_graph graph) {
    for (int round = 0; round < 3; round++) {
        int64_t expected = 0;
        for (int i = 0; i < COUNT; i++) r->in[i] = (i * 7 + round * 11) % 101 - 50;
        works(jr_graph_launch(r->context, graph, r->stream));
        works(jr_stream_wait(r->context, r->stream));
        for (int i = 0; i < COUNT; i++) {
            expected += r->in[i];
            assert_int_equal(r->sums[i], expected);
        }
        assert_int_equal(*r->total, expected);
    }
}

TEST(a_reduction_and_a_scan_are_captured_once_and_launched_with_changing_input) {
    const recorded r = recorded_new(*state, JR_STREAM_NON_BLOCKING);
    jr_graph graph = NULL;
    works(jr_capture_begin(r.context, r.stream));
    *r.total = -7;
    put_on_stream(&r);
    works(jr_capture_end(r.context, r.stream, &graph));
    works(jr_stream_wait(r.context, r.stream));
    assert_int_equal(*r.total, -7); /* nothing ran while it was captured */
    expect_replays(&r, graph);
    works(jr_graph_destroy(r.context, graph));
    recorded_free(&r);
}

static bool is_captured(const recorded *r, jr_stream stream) {
    int captured = 7;
    works(jr_capture_query(r->context, stream, &captured));
    assert_true(captured == 0 || captured == 1);
    return captured == 1;
}

/* The scan runs on another stream, which joins the capture by an event and returns by another one. */
TEST(two_streams_become_one_graph) {
    const recorded r = recorded_new(*state, 0);
    jr_stream aside;
    jr_event fork, join;
    jr_graph graph = NULL;
    works(jr_stream_create(r.context, JR_STREAM_NON_BLOCKING, &aside));
    works(jr_event_create(r.context, JR_EVENT_NO_TIMING, &fork));
    works(jr_event_create(r.context, JR_EVENT_NO_TIMING, &join));
    assert_false(is_captured(&r, r.stream));
    works(jr_capture_begin(r.context, r.stream));
    works(jr_stream_write(r.context, r.d_in, r.in, COUNT * sizeof *r.in, r.stream));
    works(jr_event_record(r.context, fork, r.stream));
    assert_false(is_captured(&r, aside));
    works(jr_stream_wait_event(r.context, aside, fork));
    assert_true(is_captured(&r, r.stream) && is_captured(&r, aside) && !is_captured(&r, NULL));
    works(jr_work_plan_run(r.scan, DATA(.in = FROM(r.d_in), .count = COUNT, .out = r.d_sums), NULL, aside));
    works(jr_stream_read(r.context, r.sums, r.d_sums, COUNT * sizeof *r.sums, aside));
    works(jr_event_record(r.context, join, aside));
    works(jr_work_plan_run(r.sum, DATA(.in = FROM(r.d_in), .count = COUNT, .out = r.d_total), NULL, r.stream));
    works(jr_stream_read(r.context, r.total, r.d_total, sizeof *r.total, r.stream));
    works(jr_stream_wait_event(r.context, r.stream, join));
    works(jr_capture_end(r.context, r.stream, &graph));
    expect_replays(&r, graph);
    works(jr_event_record(r.context, fork, aside)); /* outside the capture an event can be waited for again */
    works(jr_event_wait(r.context, fork));
    works(jr_graph_destroy(r.context, graph));
    works(jr_event_destroy(r.context, fork));
    works(jr_event_destroy(r.context, join));
    works(jr_stream_destroy(r.context, aside));
    recorded_free(&r);
}

/* Each of these would end the capture if it reached the driver. */
static void refuse_what_waits(const recorded *r, jr_event inside) {
    int done = 7;
    double ms = 7;
#define refused(call) fails((call), JR_ERROR_INVALID_ARGUMENT, "captur")
    refused(jr_stream_wait(r->context, r->stream));
    refused(jr_stream_query(r->context, r->stream, &done));
    refused(jr_stream_destroy(r->context, r->stream));
    refused(jr_context_wait(r->context));
    refused(jr_event_wait(r->context, inside));
    refused(jr_event_query(r->context, inside, &done));
    refused(jr_event_elapsed(r->context, inside, inside, &ms));
    refused(jr_capture_begin(r->context, r->stream));
    assert_true(done == 7 && ms == 7);
}

TEST(an_open_capture_survives_calls_that_are_refused) {
    const recorded r = recorded_new(*state, JR_STREAM_NON_BLOCKING);
    jr_event inside;
    jr_graph graph = NULL;
    works(jr_event_create(r.context, 0, &inside));
    works(jr_capture_begin(r.context, r.stream));
    put_on_stream(&r);
    works(jr_event_record(r.context, inside, r.stream));
    refuse_what_waits(&r, inside);
    fails(jr_capture_end(r.context, r.stream, NULL), JR_ERROR_INVALID_ARGUMENT, "graph is NULL");
    fails(jr_capture_end(r.context, NULL, &graph), JR_ERROR_INVALID_ARGUMENT, "not being captured");
    works(jr_capture_end(r.context, r.stream, &graph));
    fails(jr_event_wait(r.context, inside), JR_ERROR_INVALID_ARGUMENT, "captur");
    works(jr_event_record(r.context, inside, r.stream));
    works(jr_event_wait(r.context, inside));
    works(jr_context_wait(r.context));
    expect_replays(&r, graph);
    works(jr_graph_destroy(r.context, graph));
    works(jr_event_destroy(r.context, inside));
    recorded_free(&r);
}

/* A blocking stream waits for the default one, on which no work may be put meanwhile. */
TEST(an_open_capture_survives_work_for_the_default_stream) {
    const recorded r = recorded_new(*state, 0);
    jr_event event;
    jr_graph graph = NULL;
    works(jr_event_create(r.context, 0, &event));
    works(jr_capture_begin(r.context, r.stream));
    refused(jr_stream_write(r.context, r.d_in, r.in, 4, NULL));
    refused(jr_stream_read(r.context, r.in, r.d_in, 4, NULL));
    refused(jr_stream_copy(r.context, r.d_sums, r.d_in, 4, NULL));
    refused(jr_stream_clear(r.context, r.d_in, 4, NULL));
    refused(jr_stream_wait(r.context, NULL));
    refused(jr_context_wait(r.context));
    refused(jr_event_record(r.context, event, NULL));
    refused(jr_stream_wait_event(r.context, NULL, event));
    put_on_stream(&r);
    works(jr_capture_end(r.context, r.stream, &graph));
    expect_replays(&r, graph);
    works(jr_graph_destroy(r.context, graph));
    works(jr_event_destroy(r.context, event));
    recorded_free(&r);
}

static void capture_sum(const recorded *r, const int32_t *from, uint64_t count, jr_graph *graph) {
    works(jr_capture_begin(r->context, r->stream));
    works(jr_stream_write(r->context, r->d_in, from, count * sizeof *from, r->stream));
    works(jr_work_plan_run(r->sum, DATA(.in = FROM(r->d_in), .count = count, .out = r->d_total), NULL, r->stream));
    works(jr_stream_read(r->context, r->total, r->d_total, sizeof *r->total, r->stream));
    if (*graph == NULL)
        works(jr_capture_end(r->context, r->stream, graph));
    else
        works(jr_graph_update(r->context, *graph, r->stream));
}

static int64_t total_of(const recorded *r, jr_graph graph) {
    works(jr_graph_launch(r->context, graph, r->stream));
    works(jr_stream_wait(r->context, r->stream));
    return *r->total;
}

TEST(a_graph_takes_other_arguments_addresses_and_counts) {
    const recorded r = recorded_new(*state, JR_STREAM_NON_BLOCKING);
    jr_graph graph = NULL;
    for (int i = 0; i < COUNT; i++) r.in[i] = i < 1000 ? 1 : 10;
    capture_sum(&r, r.in, COUNT, &graph);
    assert_int_equal(total_of(&r, graph), 1000 + (COUNT - 1000) * 10);
    capture_sum(&r, r.in + 990, 20, &graph);
    assert_int_equal(total_of(&r, graph), 10 + 100);
    assert_int_equal(total_of(&r, graph), 10 + 100);
    works(jr_graph_destroy(r.context, graph));
    recorded_free(&r);
}

TEST(a_graph_that_cannot_take_what_was_captured_stays_as_it_was) {
    const recorded r = recorded_new(*state, JR_STREAM_NON_BLOCKING);
    jr_graph graph = NULL;
    for (int i = 0; i < COUNT; i++) r.in[i] = 2;
    capture_sum(&r, r.in, COUNT, &graph);
    works(jr_capture_begin(r.context, r.stream));
    put_on_stream(&r);
    fails(jr_graph_update(r.context, graph, r.stream), JR_ERROR_NOT_APPLICABLE, "make a new one with jr_capture_end");
    assert_false(is_captured(&r, r.stream));
    assert_int_equal(total_of(&r, graph), 2 * COUNT);
    fails(jr_graph_update(r.context, graph, r.stream), JR_ERROR_INVALID_ARGUMENT, "not being captured");
    works(jr_capture_begin(r.context, r.stream));
    fails(jr_graph_update(r.context, NULL, r.stream), JR_ERROR_INVALID_ARGUMENT, "graph is NULL");
    assert_true(is_captured(&r, r.stream));
    jr_graph empty = NULL;
    works(jr_capture_end(r.context, r.stream, &empty));
    works(jr_graph_destroy(r.context, empty));
    works(jr_graph_destroy(r.context, graph));
    recorded_free(&r);
}

DEVICE_TEST(captures_that_cannot_be_are_refused) {
    const recorded r = recorded_new(device, 0);
    jr_graph graph = NULL;
    fails(jr_capture_begin(r.context, NULL), JR_ERROR_INVALID_ARGUMENT, "default stream cannot be captured");
    fails(jr_capture_end(r.context, r.stream, &graph), JR_ERROR_INVALID_ARGUMENT, "not being captured");
    fails(jr_graph_launch(r.context, NULL, r.stream), JR_ERROR_INVALID_ARGUMENT, "graph is NULL");
    assert_null(graph);
    if (device->info.simulated) {
        works(jr_capture_begin(r.context, r.stream));
        works(jr_capture_end(r.context, r.stream, &graph));
        works(jr_graph_destroy(r.context, graph));
        fails(jr_graph_launch(r.context, graph, r.stream), JR_ERROR_INVALID_ARGUMENT, "destroyed already");
        fails(jr_graph_destroy(r.context, graph), JR_ERROR_INVALID_ARGUMENT, "destroyed already");
    }
    recorded_free(&r);
}

/* What was noted of a capture that CUDA's own functions ended holds nothing up. */
DEVICE_TEST(a_capture_may_be_ended_by_cudas_own_functions) {
    const recorded r = recorded_new(device, 0);
    works(jr_capture_begin(r.context, r.stream));
    put_on_stream(&r);
    jr_graph graph = graph_end(device, r.stream);
    works(jr_context_wait(r.context));
    expect_replays(&r, graph);
    graph_free(device, graph);
    recorded_free(&r);
}

RUN_TESTS(open_context, close_context)
