/* tournament: the tree of neighbours keeps the order of the elements, whatever the block and the count. */
#include <stdio.h>
#include <stdlib.h>

#include "support/cases/ordered_case.h"
#include "support/fixtures/plan_case.h"

enum { MATRICES = 30011 };

TEST(a_product_of_matrices_keeps_its_order) {
    const opened *device = *state;
    static const int blocks[] = {32, 96, 128, 320, 512, 1024}, grids[] = {0, 1, 3, 0, 70, 0};
    matrix *host = calloc(MATRICES, sizeof *host), *d_in = device_new(device, MATRICES * sizeof *host);
    uint64_t seed = 11;
    assert_non_null(host);
    matrix_fill(host, MATRICES, &seed);
    device_write(device, d_in, host, MATRICES * sizeof *host);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const uint64_t tile = 2 * (uint64_t)blocks[i];
        const uint64_t counts[] = {0, 1, 2, 3, tile - 1, tile, tile + 1, 5 * tile - 3, MATRICES};
        jr_spec spec = matrix_spec();
        jr_plan *plan = NULL;
        char what[60];
        spec.algorithm = JR_ALGORITHM_TOURNAMENT;
        spec.block = blocks[i];
        spec.grid = grids[i];
        spec.unroll = i % 2 == 0 ? 0 : (int)i;
        snprintf(what, sizeof what, "block %d grid %d unroll %d", spec.block, spec.grid, spec.unroll);
        works(jr_plan_create(device->context, &spec, &plan));
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            matrix_assert(device, plan, d_in, host, counts[c], what);
        jr_plan_destroy(plan);
    }
    device_free(device, d_in);
    free(host);
}

/* 512 threads fold 1024 elements, as in the source. */
TEST(a_block_plays_two_elements_a_thread) {
    const opened *device = *state;
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = JR_ALGORITHM_TOURNAMENT, .block = 512);
    uint32_t *d_in = iota_new(device, MOST);
    uint64_t *d_out = device_new(device, sizeof *d_out);
    const void *arrays[] = {d_in};
    jr_plan *plan = NULL;
    jr_run_cost cost = JR_INIT(jr_run_cost);
    works(jr_plan_create(device->context, &spec, &plan));
    works(jr_plan_time(plan, arrays, 102400, d_out, 1, &cost));
    assert_int_equal(word_read(device, d_out), iota_sum(102400));
    assert_int_equal(cost.launches, 2);
    assert_int_equal(cost.moved_bytes, 102400 * sizeof *d_in + sizeof *d_out + 2 * 100 * sizeof(uint64_t));
    jr_plan_destroy(plan);
    device_free(device, d_out);
    device_free(device, d_in);
}

/* More tournaments than the largest grid has blocks. */
TEST(more_elements_than_a_grid_of_blocks_takes_are_all_counted) {
    const opened *device = *state;
    enum { COUNT = 65535 * 64 + 1000 };
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .algorithm = JR_ALGORITHM_TOURNAMENT, .block = 32);
    void *d_in = device_new(device, COUNT);
    jr_plan *plan = NULL;
    drives(device->driver.cuMemsetD8_v2(device_address(d_in), 3, COUNT));
    works(jr_plan_create(device->context, &spec, &plan));
    assert_int_equal(plan_value(device, plan, d_in, COUNT).as.u64, 3ull * COUNT);
    jr_plan_destroy(plan);
    device_free(device, d_in);
}

RUN_TESTS(open_context, close_context)
