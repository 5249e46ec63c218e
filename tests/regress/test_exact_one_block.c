/* One block adds so many elements exactly that the digits in its shared memory overflow unless their carries are taken
 * out on the way: from about 2^34 elements on. */
#include "support/fixtures/open_context.h"

enum { POWER = 35 };
#define ELEMENTS (1ull << POWER)

static void one_block_adds_more_than_its_digits_hold(void **state) {
    const opened *device = *state;
    const size_t bytes = ELEMENTS * sizeof(uint16_t);
    skip_without_memory(device, bytes);
    void *d_in = device_new(device, bytes);
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_BF16, .result = JR_F64, .grid = 1,
                           .accuracy = JR_ACCURACY_EXACT, .algorithm = JR_ALGORITHM_SINGLE_PASS);
    drives(device->driver.cuMemsetD32_v2(device_address(d_in), 0x3fff3fff, ELEMENTS / 2)); /* 255 / 128 each */
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, &spec, &plan));
    assert_true(plan_value(device, plan, d_in, ELEMENTS).as.f64 == 255.0 * (double)(ELEMENTS >> 7));
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_block_adds_more_than_its_digits_hold)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
