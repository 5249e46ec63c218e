/* Contexts: which device they take, its memory, and what starts in the background. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

/* device = "auto": a GPU where there is one, else the simulator, in the library as in the command. */
TEST(auto_is_the_simulator_where_there_is_no_driver) {
    const jr_options options = JR_INIT(jr_options, .device = "auto", .driver = "/nowhere/libcuda.so.1");
    const int data[] = {3, 1, 2};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32);
    jr_context *context = NULL;
    jr_value value;
    fails(jr_work_plan_create(NULL, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    works(jr_context_open(&options, &context));
    assert_string_equal(jr_last_error()->message, "context is NULL"); /* successes leave it alone */
    assert_int_equal(jr_context_is_simulated(context), 1);
    works(jr_reduce_host(context, &spec, data, 3, &value));
    assert_int_equal(value.as.i32, 1);
    jr_context_close(context);
}

TEST(the_setting_may_say_auto_too) {
    const jr_options options = JR_INIT(jr_options, .driver = "/nowhere/libcuda.so.1");
    const char *before = getenv("JITREDUCE_DEVICE");
    char *kept = before != NULL ? strdup(before) : NULL;
    jr_context *context = NULL;
    assert_int_equal(setenv("JITREDUCE_DEVICE", "auto", 1), 0);
    works(jr_context_open(&options, &context));
    assert_int_equal(jr_context_is_simulated(context), 1);
    jr_context_close(context);
    context = NULL;
    assert_int_equal(setenv("JITREDUCE_DEVICE", "", 1), 0); /* no choice is "auto", too */
    works(jr_context_open(&options, &context));
    assert_int_equal(jr_context_is_simulated(context), 1);
    jr_context_close(context);
    context = NULL;
    assert_int_equal(setenv("JITREDUCE_DEVICE", "cuda", 1), 0);
    fails(jr_context_open(&options, &context), JR_ERROR_DRIVER_NOT_FOUND, "/nowhere");
    assert_null(context);
    assert_int_equal(kept != NULL ? setenv("JITREDUCE_DEVICE", kept, 1) : unsetenv("JITREDUCE_DEVICE"), 0);
    free(kept);
}

TEST(without_both_auto_says_what_is_wrong_with_each) {
    const jr_options options =
        JR_INIT(jr_options, .device = "auto", .driver = "/nowhere/driver", .simulator = "/nowhere/simulator");
    jr_context *context = NULL;
    fails(jr_context_open(&options, &context), JR_ERROR_SIMULATOR_NOT_FOUND, "no GPU and no simulator: ");
    assert_non_null(strstr(jr_last_error()->message, "/nowhere/driver"));
    assert_non_null(strstr(jr_last_error()->message, "/nowhere/simulator"));
    assert_null(context);
}

DEVICE_TEST(auto_is_the_gpu_where_there_is_one) {
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    jr_context *context = NULL;
    if (device->info.simulated) skip_because("skipped: the device under test is the simulator\n");
    works(jr_context_open(&options, &context));
    assert_int_equal(jr_context_is_simulated(context), 0);
    jr_context_close(context);
}

DEVICE_TEST(a_context_says_whether_it_is_simulated) {
    assert_int_equal(jr_context_is_simulated(device->context), device->info.simulated);
    assert_int_equal(jr_context_is_simulated(NULL), 0);
}

/* Device memory through the public functions: it carries bytes there and back, and refuses what cannot be. */
DEVICE_TEST(bytes_come_back_as_they_went) {
    const char text[] = "there and back";
    char back[sizeof text] = "";
    void *address;
    works(jr_memory_new(device->context, sizeof text, &address));
    assert_int_equal((uintptr_t)address % 256, 0);
    works(jr_memory_write(device->context, address, text, sizeof text));
    works(jr_memory_read(device->context, back, address, sizeof text));
    assert_string_equal(back, text);
    jr_memory_free(device->context, address);
    jr_memory_free(device->context, NULL);
}

DEVICE_TEST(memory_that_is_not_there_is_refused_with_what_is_free) {
    void *address = NULL;
    fails(jr_memory_new(device->context, UINT64_C(1) << 50, &address), JR_ERROR_DEVICE_OUT_OF_MEMORY, "bytes are free");
    assert_null(address);
    works(jr_memory_new(device->context, 1, &address));
    jr_memory_free(device->context, address);
}

DEVICE_TEST(nowhere_is_refused) {
    void *address = NULL;
    char byte = 0;
    fails(jr_memory_new(device->context, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_new(NULL, 1, &address), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_write(device->context, NULL, &byte, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_read(device->context, &byte, NULL, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
}

/* Contexts that start in the background: whoever needs one first waits for it. */
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

DEVICE_TEST(many_threads_wait_for_one_start) {
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
