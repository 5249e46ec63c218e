/* Contexts that start in the background, on the simulator: whoever needs one first waits for it, and hears of failure.
 */
#include "support/fixtures/open_context.h"

#include <stdlib.h>

#include "support/fakes/sim_faults.h"

static const opened *fixture;
static sim_faults faults;

static const jr_options in_background = {
    .size = sizeof(jr_options), .device = "sim", .cache_dir = "", .start_in_background = 1};
static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};

static jr_context *context_new(void) {
    jr_context *context = NULL;
    works(jr_context_open(&in_background, &context));
    return context;
}

TEST(a_plan_tells_of_a_failed_start_and_is_made_again) {
    jr_plan *plan = NULL;
    assert_int_equal(faults.refuse("cuDevicePrimaryCtxRetain:1"), 0);
    jr_context *context = context_new();
    fails(jr_work_plan_create(context, WORK(&sum), &plan), JR_ERROR_DRIVER, "retaining the primary context");
    works(jr_work_plan_create(context, WORK(&sum), &plan));
    jr_plan_destroy(plan);
    jr_context_close(context);
}

TEST(a_failed_start_is_told_and_tried_again) {
    jr_device_info info = JR_INIT(jr_device_info);
    void *memory = NULL;
    assert_int_equal(faults.refuse("cuDevicePrimaryCtxRetain:1"), 0);
    jr_context *context = context_new();
    fails(jr_memory_new(context, 16, &memory), JR_ERROR_DRIVER, "retaining the primary context of device 0");
    works(jr_memory_new(context, 16, &memory));
    works(jr_context_device_info(context, &info));
    jr_memory_free(context, memory);
    jr_context_close(context);
}

TEST(one_that_nobody_needs_leaves_nothing_behind) {
    const sim_alive before = sim_faults_alive(&faults);
    jr_context_close(context_new());
    assert_int_equal(faults.refuse("cuDevicePrimaryCtxRetain:1"), 0);
    jr_context_close(context_new());
    faults.refuse(NULL);
    sim_faults_compare(&faults, &before, "jr_context_close");
}

static int begin(void **state) {
    assert_int_equal(setenv("JITREDUCE_DEVICE", "sim", 1), 0);
    assert_int_equal(open_context(state), 0);
    fixture = *state;
    faults = sim_faults_of(fixture->driver.library);
    drives(fixture->driver.cuCtxSetCurrent(NULL)); /* so that contexts are retained */
    return 0;
}

static int end(void **state) {
    if (*state == NULL) return 0;
    drives(fixture->driver.cuCtxSetCurrent(fixture->cuda));
    return close_context(state);
}

RUN_TESTS(begin, end)
