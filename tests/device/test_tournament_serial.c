/* tournament_serial: the preliminary round takes any count, the final round any block. */
#include "support/cases/ordered_case.h"
#include "support/fixtures/plan_case.h"

TEST(every_block_and_unroll_factor_sums_all_elements) {
    const opened *device = *state;
    static const uint64_t counts[] = {0, 1, 31, 4097, 65536, MOST};
    uint32_t *d_in = iota_new(device, MOST);
    for (int unroll = 1; unroll <= 16; unroll++) {
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_TOURNAMENT_SERIAL,
                    .unroll = unroll, .block = 32 * (1 + 5 * unroll % 32), .grid = unroll % 4 == 0 ? unroll : 0);
        jr_plan *plan = NULL;
        works(jr_plan_create(device->context, &spec, &plan));
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            assert_int_equal(plan_value(device, plan, d_in, counts[i]).as.u64, iota_sum(counts[i]));
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
}

/* A thread's share is not of neighbours. */
TEST(an_operator_that_does_not_commute_is_refused) {
    const opened *device = *state;
    jr_spec spec = first_spec(JR_I32);
    jr_plan *plan = NULL;
    spec.algorithm = JR_ALGORITHM_TOURNAMENT_SERIAL;
    fails(jr_plan_create(device->context, &spec, &plan), JR_ERROR_NOT_APPLICABLE, "needs a commutative operator");
    assert_null(plan);
    spec.commutative = 1;
    works(jr_plan_create(device->context, &spec, &plan));
    jr_plan_destroy(plan);
}

RUN_TESTS(open_context, close_context)
