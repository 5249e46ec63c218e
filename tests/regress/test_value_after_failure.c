/* A call for a value whose wait failed left its kernel running, which wrote its value over the next call's: that
 * returned the sum of the elements before. A failing call now leaves nothing running. */
#include <stdlib.h>

#include "support/fakes/sim_faults.h"

enum { COUNT = 1 << 22 };

/* The driver is asked about the stream after some thousand looks: each sum takes far longer. */
TEST(the_value_after_a_failed_wait_is_of_its_own_elements) {
    const opened *device = *state;
    const sim_faults faults = sim_faults_of(device->driver.library);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    int *data = malloc(COUNT * sizeof *data);
    assert_non_null(data);
    for (int i = 0; i < COUNT; i++) data[i] = 1;
    int *d_ones = device_new(device, COUNT * sizeof *data), *d_twos = device_new(device, COUNT * sizeof *data);
    device_write(device, d_ones, data, COUNT * sizeof *data);
    for (int i = 0; i < COUNT; i++) data[i] = 2;
    device_write(device, d_twos, data, COUNT * sizeof *data);
    jr_plan *plan = NULL;
    jr_value value = {0};
    works(jr_plan_create(device->context, &spec, &plan));
    works(jr_plan_value(plan, (const void *[]){d_ones}, 1, NULL, &value)); /* makes what is kept */
    assert_int_equal(faults.refuse("cuStreamQuery:1"), 0);
    fails(jr_plan_value(plan, (const void *[]){d_ones}, COUNT, NULL, &value), JR_ERROR_DRIVER, "waiting for the value");
    assert_int_equal(faults.refuse(NULL), 0);
    works(jr_plan_value(plan, (const void *[]){d_twos}, COUNT, NULL, &value));
    assert_int_equal(value.as.i64, 2 * COUNT);
    jr_plan_destroy(plan);
    device_free(device, d_ones);
    device_free(device, d_twos);
    free(data);
}

RUN_TESTS(open_context, close_context)
