/* device = "auto": a GPU where there is one, else the simulator, in the library as in the command. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

TEST(auto_is_the_simulator_where_there_is_no_driver) {
    const jr_options options = JR_INIT(jr_options, .device = "auto", .driver = "/nowhere/libcuda.so.1");
    const int data[] = {3, 1, 2};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32);
    jr_context *context = NULL;
    jr_value value;
    fails(jr_plan_create(NULL, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
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

TEST(auto_is_the_gpu_where_there_is_one) {
    const opened *device = *state;
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    jr_context *context = NULL;
    if (device->info.simulated) {
        print_message("skipped: the device under test is the simulator\n");
        skip();
    }
    works(jr_context_open(&options, &context));
    assert_int_equal(jr_context_is_simulated(context), 0);
    jr_context_close(context);
}

TEST(a_context_says_whether_it_is_simulated) {
    const opened *device = *state;
    assert_int_equal(jr_context_is_simulated(device->context), device->info.simulated);
    assert_int_equal(jr_context_is_simulated(NULL), 0);
}

RUN_TESTS(open_context, close_context)
