/* A call that could not leave the library's CUDA context by cuCtxPopCurrent left the thread in it for ever. */
#include "support/fixtures/open_context.h"

#include "support/fakes/sim_faults.h"

static jr_cu_context current_of(const opened *device) {
    jr_cu_context current = NULL;
    drives(device->driver.cuCtxGetCurrent(&current));
    return current;
}

/* Calls that enter the context, from a thread that is in none and from one that is in another. */
static void call_with(const opened *device, const char *rule, jr_cu_context outside) {
    const sim_faults faults = sim_faults_of(device->driver.library);
    const int data[3] = {3, 1, 2};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_I32);
    jr_device_info info = JR_INIT(jr_device_info);
    jr_value value;
    while (current_of(device) != NULL) drives(device->driver.cuCtxSetCurrent(NULL)); /* leaves one of a stack */
    drives(device->driver.cuCtxSetCurrent(outside));
    faults.refuse(rule);
    works(jr_context_device_info(device->context, &info));
    faults.refuse(NULL);
    assert_ptr_equal(current_of(device), outside);
    faults.refuse(rule);
    works(jr_reduce_host(device->context, &spec, data, 3, &value));
    faults.refuse(NULL);
    assert_int_equal(value.as.i32, 3);
    assert_ptr_equal(current_of(device), outside);
}

TEST(a_context_that_cannot_be_popped_is_left_all_the_same) {
    const opened *device = *state;
    jr_cu_context other = NULL;
    if (!device->info.simulated) {
        print_message("only the simulator's calls can be told to fail\n");
        skip();
    }
    drives(device->driver.cuCtxCreate_v2(&other, 0, 0));
    call_with(device, "cuCtxPopCurrent:1:700", other);
    call_with(device, "cuCtxPopCurrent:0:700", other);
    call_with(device, "cuCtxPopCurrent:1", NULL);
    call_with(device, "cuCtxPopCurrent", NULL);
    drives(device->driver.cuCtxSetCurrent(device->cuda));
    drives(device->driver.cuCtxDestroy_v2(other));
}

/* Opening enters the context for the pinned memory that goes with it, and closing to give that back. */
TEST(a_thread_that_opens_and_closes_is_in_no_context_afterwards) {
    const opened *device = *state;
    const sim_faults faults = sim_faults_of(device->driver.library);
    const jr_options options = JR_INIT(jr_options, .device = "sim");
    if (!device->info.simulated) {
        print_message("only the simulator's calls can be told to fail\n");
        skip();
    }
    while (current_of(device) != NULL) drives(device->driver.cuCtxSetCurrent(NULL));
    jr_context *context = NULL;
    faults.refuse("cuCtxPopCurrent");
    works(jr_context_open(&options, &context));
    assert_null(current_of(device));
    jr_context_close(context);
    assert_null(current_of(device));
    faults.refuse(NULL);
    drives(device->driver.cuCtxSetCurrent(device->cuda));
}

RUN_TESTS(open_context, close_context)
