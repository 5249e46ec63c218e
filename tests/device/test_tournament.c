/* Algorithms of few threads and strides: tournaments, serial and not, and strided. */
#include <stdio.h>
#include <stdlib.h>

#include "support/cases/ordered_case.h"
#include "support/fixtures/plan_case.h"

/* tournament: the tree of neighbours keeps the order of the elements, whatever the block and the count. */
enum { MATRICES = 30011 };

DEVICE_TEST(a_product_of_matrices_keeps_its_order) {
    static const int blocks[] = {32, 96, 128, 320, 512, 1024}, grids[] = {0, 1, 3, 0, 70, 0};
    matrix *host = test_zeros(MATRICES, sizeof *host), *d_in = device_new(device, MATRICES * sizeof *host);
    uint64_t seed = 11;
    matrix_fill(host, MATRICES, &seed);
    device_write(device, d_in, host, MATRICES * sizeof *host);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const uint64_t tile = 2 * (uint64_t)blocks[i];
        const uint64_t counts[] = {0, 1, 2, 3, tile - 1, tile, tile + 1, 5 * tile - 3, MATRICES};
        jr_spec spec = matrix_spec();
        char what[60];
        spec.algorithm = JR_ALGORITHM_TOURNAMENT;
        spec.block = blocks[i];
        spec.grid = grids[i];
        spec.unroll = i % 2 == 0 ? 0 : (int)i;
        snprintf(what, sizeof what, "block %d grid %d unroll %d", spec.block, spec.grid, spec.unroll);
        jr_plan *plan = plan_held(device, WORK(&spec));
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            matrix_assert(device, plan, d_in, host, counts[c], what);
    }
}

/* 512 threads fold 1024 elements, as in the source. */
DEVICE_TEST(a_block_plays_two_elements_a_thread) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_TOURNAMENT, .block = 512);
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    jr_run_cost cost = JR_INIT(jr_run_cost);
    jr_plan *plan = plan_held(device, WORK(&spec));
    works(jr_plan_time(plan, arrays, 102400, d_out, 1, &cost));
    assert_int_equal(word_read(device, d_out), iota_sum(102400));
    assert_int_equal(cost.launches, 2);
    assert_int_equal(cost.moved_bytes, 102400 * sizeof *d_in + sizeof *d_out + 2 * 100 * sizeof(uint64_t));
}

/* More tournaments than the largest grid has blocks. */
DEVICE_TEST(more_elements_than_a_grid_of_blocks_takes_are_all_counted) {
    enum { COUNT = 65535 * 64 + 1000 };
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .algorithm = JR_ALGORITHM_TOURNAMENT, .block = 32);
    void *d_in = device_new(device, COUNT);
    drives(device->driver.cuMemsetD8_v2(device_address(d_in), 3, COUNT));
    jr_plan *plan = plan_held(device, WORK(&spec));
    assert_int_equal(plan_value(device, plan, d_in, COUNT).as.u64, 3ull * COUNT);
}

/* tournament_serial: the preliminary round takes any count, the final round any block. */
DEVICE_TEST(every_block_and_unroll_factor_sums_all_elements) {
    static const uint64_t counts[] = {0, 1, 31, 4097, 65536, MOST};
    uint32_t *d_in = iota_new(device, MOST);
    for (int unroll = 1; unroll <= 16; unroll++) {
        if (!tests_take(unroll + 2, 3)) continue; /* a sample with both ends */
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_TOURNAMENT_SERIAL,
                    .unroll = unroll, .block = 32 * (1 + 5 * unroll % 32), .grid = unroll % 4 == 0 ? unroll : 0);
        jr_plan *plan = plan_held(device, WORK(&spec));
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            assert_int_equal(plan_value(device, plan, d_in, counts[i]).as.u64, iota_sum(counts[i]));
    }
}

/* A thread's share is not of neighbours. */
DEVICE_TEST(an_operator_that_does_not_commute_is_refused) {
    jr_spec spec = first_spec(JR_I32);
    jr_plan *plan = NULL;
    spec.algorithm = JR_ALGORITHM_TOURNAMENT_SERIAL;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_NOT_APPLICABLE,
          "needs a commutative operator");
    assert_null(plan);
    spec.commutative = 1;
    works(jr_work_plan_create(device->context, WORK(&spec), &plan));
    jr_plan_destroy(plan);
}

/* strided: each launch leaves count / UF elements, thread 0 takes what is odd, until one is left. */
static jr_spec strided_spec(int unroll) {
    return JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_STRIDED, .unroll = unroll,
                   .block = 64, .capacity = MOST);
}

DEVICE_TEST(an_unroll_factor_of_one_is_refused) {
    jr_spec spec = strided_spec(1);
    jr_plan *plan = NULL;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_NOT_APPLICABLE,
          "unroll factor of 2 or more");
    spec = first_spec(JR_I32);
    spec.algorithm = JR_ALGORITHM_STRIDED;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_NOT_APPLICABLE,
          "a non-commutative operator");
    assert_null(plan);
}

DEVICE_TEST(a_count_beyond_the_capacity_is_refused_and_breaks_nothing) {
    jr_spec spec = strided_spec(4);
    uint32_t *d_in = iota_new(device, 1001);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    spec.capacity = 1000;
    jr_plan *plan = plan_held(device, WORK(&spec));
    fails(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = 1001, .out = d_out), NULL, NULL),
          JR_ERROR_INVALID_ARGUMENT, "a count of 1001 is beyond the plan's capacity of 1000, which strided needs");
    assert_int_equal(plan_value(device, plan, d_in, 1000).as.u64, iota_sum(1000));
}

/* The source's example: 3 5 2 6 8 4 are folded to 9 13 6, then to 28, by two launches. */
DEVICE_TEST(six_elements_take_two_launches_with_an_unroll_factor_of_two) {
    const uint32_t host[] = {3, 5, 2, 6, 8, 4};
    const jr_spec spec = strided_spec(2);
    const void *arrays[] = {device_new(device, sizeof host)};
    uint64_t *d_out = device_new(device, sizeof *d_out);
    jr_run_cost cost = JR_INIT(jr_run_cost);
    device_write(device, (void *)arrays[0], host, sizeof host);
    jr_plan *plan = plan_held(device, WORK(&spec));
    works(jr_plan_time(plan, arrays, 6, d_out, 1, &cost));
    assert_int_equal(word_read(device, d_out), 28);
    assert_int_equal(cost.launches, 2);
    assert_int_equal(cost.moved_bytes, sizeof host + sizeof *d_out + 2 * 3 * sizeof(uint64_t));
}

DEVICE_TEST(every_unroll_factor_takes_every_count) {
    uint32_t *d_in = iota_new(device, MOST);
    for (int unroll = 2; unroll <= 16; unroll++) {
        if (!tests_take(unroll + 5, 7)) continue; /* a sample with both ends */
        const uint64_t u = (uint64_t)unroll;
        const uint64_t counts[] = {0,     1,         u - 1,      u,          u + 1, u * u - 1,
                                   u * u, u * u + 1, 64 * u - 1, 64 * u + 1, 7919,  MOST};
        jr_spec spec = strided_spec(unroll);
        spec.grid = unroll % 3 == 0 ? 2 : 0; /* too few threads for the elements */
        jr_plan *plan = plan_held(device, WORK(&spec));
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            assert_int_equal(plan_value(device, plan, d_in, counts[i]).as.u64, iota_sum(counts[i]));
    }
}

/* The copy holds accumulators, which are larger than the elements, and the input stays as it was. */
DEVICE_TEST(an_index_is_found_and_the_input_is_not_changed) {
    enum { COUNT = 20011 };
    static int8_t host[COUNT], again[COUNT];
    void *d_in = device_new(device, COUNT);
    jr_spec spec = strided_spec(3);
    for (int i = 0; i < COUNT; i++) host[i] = (int8_t)(i % 100);
    host[12345] = host[12346] = -7;
    device_write(device, d_in, host, COUNT);
    spec.op = JR_OP_ARGMIN;
    spec.type = JR_I8;
    jr_plan *plan = plan_held(device, WORK(&spec));
    assert_int_equal(plan_value(device, plan, d_in, COUNT).as.i64, 12345);
    assert_int_equal(plan_value(device, plan, d_in, 12340).as.i64, 0);
    device_read(device, again, d_in, COUNT);
    assert_memory_equal(again, host, COUNT);
}

RUN_TESTS(open_context, close_context)
