/* Measuring: runs of several things take turns, each is timed by device, graph or host, and a failure ends it all. */
#include <time.h>

#include "support/fixtures/plan_case.h"

enum { ROUNDS = 4, BATCH = 3, LOG_MAX = 256 };

/* Which item ran, in order. */
typedef struct run_log {
    int items[LOG_MAX];
    uint64_t runs[LOG_MAX];
    int count;
} run_log;

/* Sums some elements, and writes down that it did. */
typedef struct sum_item {
    int number;
    jr_plan *plan;
    const void *d_in;
    void *d_out;
    uint64_t count;
    run_log *log;
    uint64_t fails_at; /* this run fails, 0: none */
    jr_status status;  /* with this */
} sum_item;

static jr_status run_sum(void *user, uint64_t run, jr_stream stream) {
    const sum_item *item = user;
    if (item->log != NULL && item->log->count < LOG_MAX) {
        item->log->items[item->log->count] = item->number;
        item->log->runs[item->log->count++] = run;
    }
    if (item->fails_at > 0 && run == item->fails_at) return item->status;
    return jr_work_plan_run(item->plan, DATA(.in = FROM(item->d_in), .count = item->count, .out = item->d_out), NULL,
                            stream);
}

/* Takes 2 ms of host time. */
static jr_status run_nap(void *user, uint64_t run, jr_stream stream) {
    const struct timespec nap = {.tv_nsec = 2000000};
    (void)user, (void)run, (void)stream;
    nanosleep(&nap, NULL);
    return JR_OK;
}

typedef struct measure_case {
    const opened *device;
    uint32_t *d_in;
    uint64_t *d_out;
    jr_plan *plan;
    run_log log;
    sum_item sums[2]; /* of 1000 elements and of all */
    jr_measured items[2];
} measure_case;

static void case_open(measure_case *made, const opened *device) {
    *made = (measure_case){.device = device};
    made->d_in = iota_new(device, MOST);
    made->d_out = device_new(device, 2 * sizeof *made->d_out);
    made->plan = sum_plan(device, JR_ALGORITHM_SINGLE_PASS);
    for (int i = 0; i < 2; i++) {
        made->sums[i] = (sum_item){.number = i,
                                   .plan = made->plan,
                                   .d_in = made->d_in,
                                   .d_out = made->d_out + i,
                                   .count = i == 0 ? 1000 : MOST,
                                   .log = &made->log};
        made->items[i] = (jr_measured){run_sum, &made->sums[i]};
    }
}

static void case_close(measure_case *made) {
    jr_plan_destroy(made->plan);
    device_free(made->device, made->d_in);
    device_free(made->device, made->d_out);
}

TEST(arguments_that_are_wrong_are_named) {
    measure_case c;
    double us[2 * JR_MEASURE_ROUNDS] = {77};
    int rounds = 77;
    const jr_measured none = {0};
    static const struct {
        jr_measure_options options;
        const char *why;
    } wrong[] = {{{.size = sizeof(jr_measure_options), .mode = (jr_measure_mode)3}, "unknown mode 3"},
                 {{.size = sizeof(jr_measure_options), .rounds = -1}, "-1 rounds"},
                 {{.size = sizeof(jr_measure_options), .batch = -2}, "rounds of -2 runs"},
                 {{.size = sizeof(jr_measure_options), .limit_ms = -1}, "limit_ms is -1"},
                 {{.size = sizeof(jr_measure_options), .rounds = 2000000000}, "2 items in 2000000000 rounds"}};
    case_open(&c, *state);
    jr_context *context = c.device->context;
    fails(jr_measure(NULL, NULL, c.items, 2, us, &rounds), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_measure(context, NULL, NULL, 2, us, &rounds), JR_ERROR_INVALID_ARGUMENT, "items is NULL");
    fails(jr_measure(context, NULL, c.items, 2, NULL, &rounds), JR_ERROR_INVALID_ARGUMENT, "microseconds is NULL");
    fails(jr_measure(context, NULL, c.items, 0, us, &rounds), JR_ERROR_INVALID_ARGUMENT, "0 items");
    fails(jr_measure(context, NULL, &none, 1, us, &rounds), JR_ERROR_INVALID_ARGUMENT, "item 0 has no run");
    fails(jr_measure(context, &JR_INIT(jr_measure_options, .before = &none), c.items, 2, us, &rounds),
          JR_ERROR_INVALID_ARGUMENT, "what runs before each sample has no run");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        fails(jr_measure(context, &wrong[i].options, c.items, 2, us, &rounds), JR_ERROR_INVALID_ARGUMENT, wrong[i].why);
    assert_true(us[0] == 77 && rounds == 77);
    assert_int_equal(c.log.count, 0);
    case_close(&c);
}

/* One to warm up, and BATCH a sample; the samples of both take turns, there and back: A B B A A B B A. */
TEST(samples_take_turns_and_runs_are_counted) {
    measure_case c;
    double us[2 * ROUNDS] = {0};
    int rounds = 0;
    case_open(&c, *state);
    works(jr_measure(c.device->context, &JR_INIT(jr_measure_options, .rounds = ROUNDS, .batch = BATCH), c.items, 2, us,
                     &rounds));
    assert_int_equal(rounds, ROUNDS);
    assert_int_equal(c.log.count, 2 * (1 + ROUNDS * BATCH));
    for (int at = 2; at < c.log.count; at++) {
        assert_int_equal(c.log.items[at], ((at - 2) / BATCH + 1) / 2 % 2);
        assert_int_equal(c.log.runs[at], 1 + (at - 2) / (2 * BATCH) * BATCH + (at - 2) % BATCH);
    }
    for (int i = 0; i < 2 * ROUNDS; i++) assert_true(us[i] > 0 && us[i] < 6e7);
    assert_int_equal(word_read(c.device, c.d_out), iota_sum(1000));
    assert_int_equal(word_read(c.device, c.d_out + 1), iota_sum(MOST));
    case_close(&c);
}

/* The batch goes into the graph once; replays call nothing. */
TEST(a_graph_is_captured_once_and_replayed) {
    measure_case c;
    double us[2 * ROUNDS] = {0};
    case_open(&c, *state);
    works(jr_measure(c.device->context,
                     &JR_INIT(jr_measure_options, .mode = JR_MEASURE_GRAPH, .rounds = ROUNDS, .batch = BATCH), c.items,
                     2, us, NULL));
    assert_int_equal(c.log.count, 2 * (1 + BATCH));
    for (int i = 0; i < 2 * ROUNDS; i++) assert_true(us[i] > 0 && us[i] < 6e7);
    assert_int_equal(word_read(c.device, c.d_out), iota_sum(1000));
    assert_int_equal(word_read(c.device, c.d_out + 1), iota_sum(MOST));
    case_close(&c);
}

DEVICE_TEST(the_host_clock_times_single_calls) {
    const jr_measured nap = {run_nap, NULL};
    double us[3] = {0};
    works(jr_measure(device->context, &JR_INIT(jr_measure_options, .mode = JR_MEASURE_HOST, .rounds = 3), &nap, 1, us,
                     NULL));
    for (int i = 0; i < 3; i++) assert_true(us[i] >= 2000 && us[i] < 6e7);
}

TEST(a_batch_is_chosen_by_the_time_of_a_run) {
    measure_case c;
    double us[1];
    case_open(&c, *state);
    works(jr_measure(c.device->context, &JR_INIT(jr_measure_options, .rounds = 1), c.items, 1, us, NULL));
    assert_true(c.log.count >= 3 && c.log.count <= 2 + JR_MEASURE_BATCH_MAX);
    case_close(&c);
}

DEVICE_TEST(the_time_limit_leaves_whole_rounds) {
    const jr_measured naps[2] = {{run_nap, NULL}, {run_nap, NULL}};
    double us[2 * 1000];
    int rounds = 0;
    const jr_measure_options options =
        JR_INIT(jr_measure_options, .mode = JR_MEASURE_HOST, .rounds = 1000, .limit_ms = 20);
    works(jr_measure(device->context, &options, naps, 2, us, &rounds));
    assert_true(rounds >= 1 && rounds <= 10);
    for (int i = 0; i < 2; i++)
        for (int round = 0; round < 1000; round++) assert_int_equal(us[i * 1000 + round] > 0, round < rounds);
}

TEST(what_comes_before_a_sample_is_run_and_not_timed) {
    measure_case c;
    double us[ROUNDS];
    const jr_measured nap = {run_nap, NULL};
    static const jr_measure_mode modes[] = {JR_MEASURE_LAUNCHES, JR_MEASURE_GRAPH, JR_MEASURE_HOST};
    for (size_t m = 0; m < 3; m++) {
        case_open(&c, *state);
        const jr_measure_options with_log =
            JR_INIT(jr_measure_options, .mode = modes[m], .rounds = ROUNDS, .batch = 1, .before = &c.items[1]);
        works(jr_measure(c.device->context, &with_log, &nap, 1, us, NULL));
        assert_int_equal(c.log.count, ROUNDS + (modes[m] == JR_MEASURE_GRAPH)); /* and the graph's first replay */
        for (int i = 0; i < ROUNDS; i++) assert_true(us[i] >= 0 && us[i] < 6e7);
        case_close(&c);
    }
}

TEST(a_failing_run_ends_it_with_its_number) {
    measure_case c;
    double us[2 * ROUNDS] = {77};
    int rounds = 77;
    case_open(&c, *state);
    const jr_measure_options options = JR_INIT(jr_measure_options, .rounds = ROUNDS, .batch = BATCH);
    c.sums[1].fails_at = 5;
    c.sums[1].status = JR_ERROR_NOT_APPLICABLE;
    fails(jr_measure(c.device->context, &options, c.items, 2, us, &rounds), JR_ERROR_NOT_APPLICABLE,
          "item 1, run 5: the algorithm cannot do what was asked");
    assert_true(us[0] == 77 && rounds == 77);
    c.sums[1].fails_at = 0;
    c.sums[1].d_out = NULL;
    fails(jr_measure(c.device->context, &options, c.items, 2, us, &rounds), JR_ERROR_INVALID_ARGUMENT,
          "item 1, run 0: the output address");
    fails(jr_measure(c.device->context, &JR_INIT(jr_measure_options, .before = &c.items[1], .batch = 1), c.items, 1, us,
                     &rounds),
          JR_ERROR_INVALID_ARGUMENT, "before a sample: the output address");
    case_close(&c);
}

TEST(a_run_that_fails_while_it_is_captured_leaves_nothing) {
    measure_case c;
    double us[2 * ROUNDS] = {77};
    case_open(&c, *state);
    const jr_measure_options options =
        JR_INIT(jr_measure_options, .mode = JR_MEASURE_GRAPH, .rounds = ROUNDS, .batch = BATCH);
    c.sums[1].fails_at = 2;
    c.sums[1].status = JR_ERROR_EMPTY_INPUT;
    for (int i = 0; i < 3; i++)
        fails(jr_measure(c.device->context, &options, c.items, 2, us, NULL), JR_ERROR_EMPTY_INPUT, "item 1, run 2: ");
    c.sums[1].fails_at = 0;
    works(jr_measure(c.device->context, &options, c.items, 2, us, NULL));
    case_close(&c);
}

TEST(it_works_whatever_context_is_current) {
    measure_case c;
    double us[ROUNDS] = {0};
    jr_cu_context current = NULL;
    case_open(&c, *state);
    drives(c.device->driver.cuCtxSetCurrent(NULL));
    works(jr_measure(c.device->context, &JR_INIT(jr_measure_options, .rounds = ROUNDS, .batch = 1), c.items, 1, us,
                     NULL));
    drives(c.device->driver.cuCtxGetCurrent(&current));
    assert_null(current);
    drives(c.device->driver.cuCtxSetCurrent(c.device->cuda));
    case_close(&c);
}

RUN_TESTS(open_context, close_context)
