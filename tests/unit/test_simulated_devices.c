/* Contexts of several simulated devices in one process: "sim#N" is number N. */
#include "support/fixtures/open_context.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 5000 };

static jr_context *context_on(const char *device) {
    jr_context *context = NULL;
    works(jr_context_open(&JR_INIT(jr_options, .device = device, .cache_dir = ""), &context));
    return context;
}

TEST(a_device_that_is_not_there_is_told_with_what_there_is) {
    jr_context *context = NULL;
    fails(jr_context_open(&JR_INIT(jr_options, .device = "sim#2"), &context), JR_ERROR_NO_DEVICE,
          "there is no device sim#2: the simulator has 2; set JRSIM_DEVICES");
    assert_null(context);
}

TEST(a_name_that_is_none_is_told_with_what_there_may_be) {
    static const char *const names[] = {"sim:",     "sim:x",   "sim#",      "sim#1x", "sim#-1",
                                        "sim#1024", "sim#0,1", "simulator", "sim 1",  "si"};
    jr_context *context = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fails(jr_context_open(&JR_INIT(jr_options, .device = names[i]), &context), JR_ERROR_INVALID_ARGUMENT,
              "\"cuda\", \"cuda:N\", \"sim\" or \"sim#N\"");
        assert_non_null(strstr(jr_last_error()->message, names[i]));
    }
    assert_null(context);
}

TEST(a_group_of_devices_is_refused_with_the_name_of_one) {
    static const char *const names[] = {"sim:0", "sim:1", "sim:2", "sim:0,1", "sim:all", "cuda:0,1", "cuda:all"};
    jr_context *context = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fails(jr_context_open(&JR_INIT(jr_options, .device = names[i]), &context), JR_ERROR_INVALID_ARGUMENT,
              "is a group of devices, and a context has one: give \"cuda:N\", \"sim\", or \"sim#N\"");
    assert_null(context);
}

TEST(a_wrong_name_of_the_setting_is_said_to_be_its) {
    const char *before = getenv("JITREDUCE_DEVICE");
    char *kept = before != NULL ? strdup(before) : NULL;
    jr_context *context = NULL;
    jr_group *group = NULL;
    setenv("JITREDUCE_DEVICE", "bogus", 1);
    fails(jr_context_open(NULL, &context), JR_ERROR_INVALID_ARGUMENT,
          "unknown device 'bogus' (the setting JITREDUCE_DEVICE): give");
    fails(jr_group_open(&JR_INIT(jr_group_options), &group), JR_ERROR_INVALID_ARGUMENT,
          "unknown devices 'bogus' (the setting JITREDUCE_DEVICE): give");
    setenv("JITREDUCE_DEVICE", "sim:2", 1);
    fails(jr_context_open(NULL, &context), JR_ERROR_INVALID_ARGUMENT,
          "'sim:2' (the setting JITREDUCE_DEVICE) is a group of devices");
    fails(jr_context_open(&JR_INIT(jr_options, .device = "bogus"), &context), JR_ERROR_INVALID_ARGUMENT,
          "unknown device 'bogus': give");
    if (kept != NULL)
        setenv("JITREDUCE_DEVICE", kept, 1);
    else
        unsetenv("JITREDUCE_DEVICE");
    free(kept);
}

TEST(a_fault_of_members_on_one_device_names_all_of_them) {
    enum { BYTES = 4000, MEMBERS = 4 };
    static float host[BYTES / sizeof(float)];
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_group *group = NULL;
    jr_group_plan *plan = NULL;
    const void *arrays[MEMBERS];
    const void *const *in[MEMBERS];
    uint64_t counts[MEMBERS];
    void *made[MEMBERS];
    jr_value value;
    works(jr_group_open(&JR_INIT(jr_group_options, .devices = "sim:4"), &group)); /* there are two */
    for (size_t k = 0; k < MEMBERS; k++) {
        works(jr_memory_new(jr_group_context(group, k), BYTES, &made[k]));
        works(jr_memory_write(jr_group_context(group, k), made[k], host, BYTES));
        arrays[k] = k == 3 ? host : made[k];
        in[k] = &arrays[k];
        counts[k] = BYTES / sizeof(float);
    }
    works(jr_work_group_plan_create(group, WORK(&sum), &plan));
    fails(jr_work_group_plan_run(plan, PARTS(.d_in = in, .counts = counts, .values = &value)), JR_ERROR_DEVICE_FAULT,
          "of the group, or ");
    const char *message = jr_last_error()->message;
    if (strstr(message, "device 1 of the group, or 3, on the same device: ") == NULL &&
        strstr(message, "device 3 of the group, or 1, on the same device: ") == NULL)
        fail_msg("%s", message);
    jr_group_plan_destroy(plan);
    jr_group_close(group);
}

TEST(no_choice_is_auto_for_contexts_and_groups) {
    jr_context *context = NULL;
    jr_group *group = NULL;
    unsetenv("JITREDUCE_DEVICE");
    setenv("JITREDUCE_DRIVER", "/missing/libcuda.so.1", 1);
    works(jr_context_open(&JR_INIT(jr_options, .cache_dir = ""), &context));
    assert_int_equal(jr_context_is_simulated(context), 1);
    jr_context_close(context);
    works(jr_group_open(&JR_INIT(jr_group_options), &group));
    assert_int_equal(jr_context_is_simulated(jr_group_context(group, 0)), 1);
    jr_group_close(group);
    unsetenv("JITREDUCE_DRIVER");
}

TEST(each_name_opens_its_device_and_all_reduce) {
    static const char *const names[] = {"sim", "sim#0", "sim#1"};
    static const int ordinals[] = {0, 0, 1};
    int data[COUNT];
    jr_context *contexts[3];
    for (int i = 0; i < COUNT; i++) data[i] = i - 100;
    for (int k = 0; k < 3; k++) contexts[k] = context_on(names[k]);
    for (int k = 2; k >= 0; k--) {
        jr_device_info info = JR_INIT(jr_device_info);
        jr_value sum;
        works(jr_context_device_info(contexts[k], &info));
        assert_int_equal(info.ordinal, ordinals[k]);
        assert_int_equal(info.simulated, 1);
        works(jr_reduce_host(contexts[k], &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32), data, COUNT, &sum));
        assert_int_equal(sum.as.i32, COUNT * (COUNT - 1) / 2 - 100 * COUNT);
    }
    for (int k = 0; k < 3; k++) jr_context_close(contexts[k]);
}

TEST(memory_of_another_device_is_a_fault_that_only_one_context_has) {
    static const int data[4] = {1, 2, 3, 4};
    jr_context *first = context_on("sim#0"), *second = context_on("sim#1");
    jr_plan *plan = NULL;
    jr_value value;
    jr_value sum;
    void *memory = NULL;
    works(jr_memory_new(first, sizeof data, &memory));
    works(jr_memory_write(first, memory, data, sizeof data));
    works(jr_work_plan_create(second, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32)), &plan));
    fails(jr_plan_value(plan, FROM(memory), 4, NULL, &value), JR_ERROR_DEVICE_FAULT,
          "access to another device without permission");
    jr_plan_destroy(plan);
    jr_context_close(second);
    works(jr_reduce_host(first, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32), data, 4, &sum));
    assert_int_equal(sum.as.i32, 10);
    jr_memory_free(first, memory);
    jr_context_close(first);
    second = context_on("sim#1"); /* a new life of its primary context */
    works(jr_reduce_host(second, &JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32), data, 4, &sum));
    assert_int_equal(sum.as.i32, 10);
    jr_context_close(second);
}

static int two_devices(void **state) {
    (void)state;
    return setenv("JRSIM_DEVICES", "2", 1);
}

RUN_TESTS(two_devices, NULL)
