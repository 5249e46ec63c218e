/* The log of whole calls: each level logs what it is meant to, and no lock is held while the callback runs. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

enum { LINES = 64, LINE_BYTES = 512, DEADLOCK_SECONDS = 600 };

/* The logged lines, and a context whose locks the callback takes. */
typedef struct heard {
    pthread_mutex_t lock;
    int count;
    jr_log_level levels[LINES];
    char lines[LINES][LINE_BYTES];
    jr_context *probed; /* NULL: none */
    bool probing;
} heard;

/* Calls that take every lock of the context; they would wait for ever for one that this thread holds. */
static void probe(heard *h) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_wisdom_info wisdom = JR_INIT(jr_wisdom_info);
    jr_kernel *kernel;
    const jr_program program =
        JR_INIT(jr_program, .name = "probe", .entry = "probe", .source = "extern \"C\" __global__ void probe() {}");
    h->probing = true;
    (void)jr_context_stats(h->probed, &stats);
    (void)jr_wisdom_info_get(h->probed, &wisdom);
    (void)jr_kernel_get(h->probed, &program, &kernel);
    h->probing = false;
}

static void hear(void *user, jr_log_level level, const char *line) {
    heard *h = user;
    if (h->probing) return;
    pthread_mutex_lock(&h->lock);
    if (h->count < LINES) {
        h->levels[h->count] = level;
        snprintf(h->lines[h->count++], LINE_BYTES, "%s", line);
    }
    pthread_mutex_unlock(&h->lock);
    if (h->probed != NULL) probe(h);
}

static heard *listen(void) {
    heard *made = calloc(1, sizeof *made);
    assert_non_null(made);
    pthread_mutex_init(&made->lock, NULL);
    jr_log_set(hear, made);
    return made;
}

static void stop(heard *h) {
    jr_log_set(NULL, NULL);
    pthread_mutex_destroy(&h->lock);
    free(h);
}

static int times(const heard *h, jr_log_level level, const char *part) {
    int found = 0;
    for (int i = 0; i < h->count; i++) found += h->levels[i] == level && strstr(h->lines[i], part) != NULL;
    return found;
}

#define told(h, level, part, wanted)                                                                                   \
    do {                                                                                                               \
        if (times((h), (level), (part)) == (wanted)) break;                                                            \
        for (int line_ = 0; line_ < (h)->count; line_++)                                                               \
            print_error("%d: %s\n", (int)(h)->levels[line_], (h)->lines[line_]);                                       \
        fail_msg("'%s' is told %d times", (part), times((h), (level), (part)));                                        \
    } while (0)

static jr_context *open_at(const char *cache, const char *wisdom) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = cache, .wisdom = wisdom);
    jr_context *context = NULL;
    works(jr_context_open(&options, &context));
    return context;
}

static void make_plan(jr_context *context) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .unroll = 4, .block = 128,
                                 .algorithm = JR_ALGORITHM_SINGLE_PASS);
    jr_plan *plan = NULL;
    works(jr_work_plan_create(context, WORK(&spec), &plan));
    jr_plan_destroy(plan);
}

/* A plan of which nothing is given, so that stored tunings are asked. */
static void *make_free_plan(void *context) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32, .capacity = 1000);
    jr_plan *plan = NULL;
    const jr_status status = jr_work_plan_create(context, WORK(&spec), &plan);
    jr_plan_destroy(plan);
    return status == JR_OK ? context : NULL;
}

/* ---- levels ---- */

TEST(info_tells_what_was_found_compiled_and_chosen) {
    char cache[SCRATCH_BYTES];
    heard *h = listen();
    scratch_make(cache);
    jr_context *context = open_at(cache, "");
    told(h, JR_LOG_INFO, "device: ", 1);
    told(h, JR_LOG_INFO, "disk cache: /", 1);
    make_plan(context);
    told(h, JR_LOG_INFO, "NVRTC ", 1);
    told(h, JR_LOG_DEBUG, "compiling single_pass.cu, entry ", 1);
    told(h, JR_LOG_INFO, "compiled single_pass.cu, entry ", 1);
    told(h, JR_LOG_INFO, "chosen: single_pass, unroll 4, block 128, ", 1);
    told(h, JR_LOG_INFO, "(given)", 1);
    make_plan(context);
    told(h, JR_LOG_DEBUG, "loaded already", 1);
    jr_context_close(context);
    context = open_at(cache, "");
    make_plan(context);
    told(h, JR_LOG_INFO, "found single_pass.cu, entry ", 1);
    told(h, JR_LOG_INFO, "compiled ", 1);
    told(h, JR_LOG_ERROR, "", 0);
    told(h, JR_LOG_WARNING, "", 0);
    jr_context_close(context);
    stop(h);
}

TEST(warnings_tell_what_was_done_in_another_way) {
    char cache[SCRATCH_BYTES];
    heard *h = listen();
    scratch_make(cache);
    const char *entry = scratch_path(cache, "file");
    scratch_text(entry, "no tunings\n");
    jr_context *context = open_at(cache, entry);
    assert_non_null(make_free_plan(context));
    told(h, JR_LOG_WARNING, "stored tunings are not used: ", 1);
    jr_context_close(context);
    context = open_at(entry, ""); /* no folder */
    told(h, JR_LOG_WARNING, "the disk cache is off: ", 1);
    told(h, JR_LOG_INFO, "no disk cache: ", 1);
    jr_context_close(context);
    stop(h);
}

DEVICE_TEST(errors_tell_once_why_a_call_failed) {
    const uint64_t shape[] = {2};
    const void *arrays[] = {NULL};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 1);
    const jr_spec bad = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .unroll = 99);
    const jr_program broken = JR_INIT(jr_program, .name = "broken", .source = "nonsense", .entry = "k");
    int64_t sums[2];
    jr_plan *plan = NULL;
    jr_kernel *kernel = NULL;
    heard *h = listen();
    fails(jr_work_plan_create(device->context, WORK(&bad), &plan), JR_ERROR_INVALID_ARGUMENT, "99");
    told(h, JR_LOG_ERROR, "jr_work_plan_create: ", 1);
    told(h, JR_LOG_ERROR, jr_last_error()->message, 1);
    fails(jr_kernel_get(device->context, &broken, &kernel), JR_ERROR_COMPILE, "broken");
    told(h, JR_LOG_ERROR, "jr_kernel_get: program broken", 1);
    fails(jr_work_run_host(device->context, WORK(&bad, .axis = &axis), DATA(.in = arrays, .out = sums)),
          JR_ERROR_INVALID_ARGUMENT, "");
    told(h, JR_LOG_ERROR, "", 3);
    fails(jr_work_plan_create(NULL, WORK(&bad), &plan), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_work_plan_create(NULL, WORK(&bad), &plan), JR_ERROR_INVALID_ARGUMENT, "NULL");
    told(h, JR_LOG_ERROR, "", 5);
    stop(h);
}

DEVICE_TEST(who_listens_to_no_one_hears_nothing_more) {
    heard *h = listen();
    jr_log_set(NULL, NULL);
    make_plan(device->context);
    assert_int_equal(h->count, 0);
    stop(h);
}

/* ---- locks and threads ---- */

/* Every line comes when no lock of the context is held: a refused file of tunings is read under one, NVRTC described
 * under another. */
TEST(no_lock_is_held_while_the_callback_runs) {
    char cache[SCRATCH_BYTES];
    heard *h = listen();
    const jr_tune_candidate way = {.algorithm = JR_ALGORITHM_TWO_PASS, .unroll = 4, .block = 128, .us = 1, .gain = 2};
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = 1000, .best = way, .estimate = way, .better = 1, .complete = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    scratch_make(cache);
    const char *wisdom = scratch_path(cache, "tunings");
    jr_context *context = open_at(cache, wisdom);
    scratch_text(wisdom, "jitreduce wisdom 1\nnot what it should be\n");
    h->probed = context;
    alarm(DEADLOCK_SECONDS); /* ends the test where it would wait for ever */
    assert_non_null(make_free_plan(context));
    works(jr_work_tuned_store(context, WORK(&spec), &tuned));
    alarm(0);
    h->probed = NULL;
    told(h, JR_LOG_WARNING, "stored tunings are not used: ", 1);
    told(h, JR_LOG_WARNING, "is replaced: ", 1);
    jr_context_close(context);
    stop(h);
}

TEST(threads_tell_at_the_same_time) {
    enum { THREADS = 4 };
    const opened *device = *state;
    pthread_t threads[THREADS];
    heard *h = listen();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, make_free_plan, device->context), 0);
    for (int i = 0; i < THREADS; i++) {
        void *made = NULL;
        assert_int_equal(pthread_join(threads[i], &made), 0);
        assert_non_null(made);
    }
    told(h, JR_LOG_INFO, "chosen: ", THREADS);
    told(h, JR_LOG_ERROR, "", 0);
    stop(h);
}

RUN_TESTS(open_context, close_context)
