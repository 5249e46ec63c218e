/* Contexts that start in the background: whoever needs one first waits for it. */
#include "support/fixtures/open_context.h"

#include <pthread.h>

enum { THREADS = 8 };

static const jr_options in_background = {.size = sizeof(jr_options), .cache_dir = "", .start_in_background = 1};

/* Runs in a thread of its own: that has no current context, so that one is retained. */
static void *reduce(void *right) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const int32_t data[3] = {4, 9, -2};
    jr_context *context = NULL;
    jr_value value = {0};
    if (jr_context_open(&in_background, &context) != JR_OK) return NULL;
    const jr_status status = jr_reduce_host(context, &spec, data, 3, &value);
    jr_context_close(context);
    return status == JR_OK && value.as.i64 == 11 ? right : NULL;
}

TEST(its_first_value_is_right) {
    pthread_t thread;
    void *right = NULL;
    assert_int_equal(pthread_create(&thread, NULL, reduce, *state), 0);
    assert_int_equal(pthread_join(thread, &right), 0);
    assert_ptr_equal(right, *state);
}

static void *ask(void *context) {
    jr_device_info info = JR_INIT(jr_device_info);
    return jr_context_device_info(context, &info) == JR_OK ? context : NULL;
}

TEST(many_threads_wait_for_one_start) {
    const opened *device = *state;
    pthread_t threads[THREADS];
    jr_context *context = NULL;
    drives(device->driver.cuCtxSetCurrent(NULL));
    works(jr_context_open(&in_background, &context));
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, ask, context), 0);
    for (int i = 0; i < THREADS; i++) {
        void *answered = NULL;
        assert_int_equal(pthread_join(threads[i], &answered), 0);
        assert_ptr_equal(answered, context);
    }
    jr_context_close(context);
    drives(device->driver.cuCtxSetCurrent(device->cuda));
}

RUN_TESTS(open_context, close_context)
