/* More blocks than there are digits of 16 bits in a word of 32: their sums did not fit, and the result was wrong. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/whole.h"

enum { BLOCKS = 33000, BLOCK = 128, ELEMENTS = BLOCKS * BLOCK * 4 };

static void as_many_blocks_as_are_asked_for_add_exactly(void **state) {
    const opened *device = *state;
    if (device->info.simulated && !tests_are_whole()) {
        print_message("the simulator takes 20 s for it: with JR_TESTS=whole\n");
        skip();
    }
    const float element = 0x1.fffffep0F; /* of 24 ones: most of its digits are as great as they can be */
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .block = BLOCK,
                                 .unroll = 1, .grid = BLOCKS, .accuracy = JR_ACCURACY_EXACT);
    float *x = malloc(ELEMENTS * sizeof *x), *d_in = device_new(device, ELEMENTS * sizeof *d_in);
    assert_non_null(x);
    for (int i = 0; i < ELEMENTS; i++) x[i] = element;
    device_write(device, d_in, x, ELEMENTS * sizeof *x);
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, &spec, &plan));
    assert_true(plan_value(device, plan, d_in, ELEMENTS).as.f64 == (double)element * ELEMENTS);
    jr_plan_destroy(plan);
    device_free(device, d_in);
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_many_blocks_as_are_asked_for_add_exactly)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
