/* jr_plan_launch_get reports how each kernel is launched for a large input: kernels that run on many blocks report
 * these, and kernels that finish the results of others report one. */
#include "support/fixtures/open_context.h"

static jr_launch told(const jr_plan *plan, unsigned index) {
    jr_launch launch = JR_INIT(jr_launch, .grid = {0});
    works(jr_plan_launch_get(plan, index, &launch));
    return launch;
}

static unsigned grid_of(const jr_plan *plan) {
    jr_stats stats = JR_INIT(jr_stats, .grid = 0);
    works(jr_plan_stats(plan, &stats));
    return (unsigned)stats.grid;
}

TEST(a_scan_tells_its_rows_of_the_first_two_kernels_and_one_block_of_the_last) {
    const opened *device = *state;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = JR_ALGORITHM_THREE_PASS, .grid = 6);
    jr_plan *plan = NULL;
    works(jr_scan_plan_create(device->context, &spec, JR_SCAN_INCLUSIVE, &plan));
    assert_int_equal(jr_plan_kernel_count(plan), 3);
    assert_int_equal(told(plan, 0).grid[0], 6);
    assert_int_equal(told(plan, 1).grid[0], 6);
    assert_int_equal(told(plan, 2).grid[0], 1);
    jr_plan_destroy(plan);
}

TEST(a_ragged_join_runs_on_as_many_blocks_as_the_walk) {
    const opened *device = *state;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    jr_plan *plan = NULL;
    works(jr_segment_plan_create(device->context, &spec, &ragged, &plan));
    assert_int_equal(jr_plan_kernel_count(plan), 2);
    assert_true(grid_of(plan) > 1);
    assert_int_equal(told(plan, 0).grid[0], grid_of(plan));
    assert_int_equal(told(plan, 1).grid[0], grid_of(plan));
    jr_plan_destroy(plan);
}

TEST(what_finishes_alone_has_one_block) {
    const opened *device = *state;
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_ROWS, JR_ALGORITHM_TOURNAMENT,
                                              JR_ALGORITHM_TOURNAMENT_SERIAL};
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = algorithms[i]);
        jr_plan *plan = NULL;
        works(jr_plan_create(device->context, &spec, &plan));
        assert_int_equal(told(plan, 0).grid[0], grid_of(plan));
        assert_int_equal(told(plan, 1).grid[0], 1);
        jr_plan_destroy(plan);
    }
}

RUN_TESTS(open_context, close_context)
