/* Scans of bytes by an operator that weighs much are compiled in seconds, whatever the capacity: with the unroll factor
 * that suits sums of words best, logsumexp of bytes took NVRTC 24 seconds, of the 30 that a compile may take. */
#include "support/fixtures/open_context.h"

TEST(a_heavy_scan_of_bytes_has_few_elements_a_thread) {
    const opened *device = *state;
    const uint64_t capacities[] = {0, 1000};
    for (int c = 0; c < 2; c++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_LOGSUMEXP, .type = JR_I8, .capacity = capacities[c]);
        jr_stats stats = JR_INIT(jr_stats);
        jr_plan *plan;
        works(jr_scan_plan_create(device->context, &spec, JR_SCAN_INCLUSIVE, &plan));
        works(jr_plan_stats(plan, &stats));
        assert_true(stats.unroll * 16 <= 32);
        jr_plan_destroy(plan);
    }
}

/* What a light operator, or one of words, is tuned to stays. */
TEST(other_scans_have_as_many_as_before) {
    const opened *device = *state;
    const jr_spec specs[] = {
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I8, .algorithm = JR_ALGORITHM_SINGLE_PASS),
        JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F32, .algorithm = JR_ALGORITHM_SINGLE_PASS)};
    for (int s = 0; s < 2; s++) {
        jr_stats stats = JR_INIT(jr_stats);
        jr_plan *plan;
        works(jr_scan_plan_create(device->context, &specs[s], JR_SCAN_INCLUSIVE, &plan));
        works(jr_plan_stats(plan, &stats));
        assert_int_equal(stats.unroll, 8);
        jr_plan_destroy(plan);
    }
}

RUN_TESTS(open_context, close_context)
