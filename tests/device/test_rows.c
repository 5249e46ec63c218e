/* rows: operators that do not commute are given their operands in the order of the elements. */
#include <stdio.h>
#include <stdlib.h>

#include "support/cases/ordered_case.h"

enum { MATRICES = 100003, PADDING = 8 };

typedef struct bench {
    const opened *device;
    matrix *host;
    char *d_in; /* MATRICES and PADDING bytes */
    uint64_t seed;
} bench;

static bench bench_new(const opened *device) {
    bench b = {.device = device, .seed = 20261121};
    b.host = test_zeros(MATRICES, sizeof *b.host);
    matrix_fill(b.host, MATRICES, &b.seed);
    b.d_in = device_new(device, MATRICES * sizeof *b.host + PADDING);
    return b;
}

/* Counts at the boundaries of warps' shares and data blocks, and at misaligned addresses. */
static void multiply(bench *b, jr_spec *spec, size_t offset) {
    const uint64_t share = 32 * (uint64_t)spec->unroll, tile = (uint64_t)spec->block * (uint64_t)spec->unroll;
    const uint64_t counts[] = {0, 1, 2, 31, 33, share - 1, share + 1, tile - 1, tile, tile + 1, 3 * tile + 7, 20011};
    char what[100];
    snprintf(what, sizeof what, "unroll %d block %d grid %d at byte %zu", spec->unroll, spec->block, spec->grid,
             offset);
    jr_plan *plan = plan_held(b->device, WORK(spec));
    device_write(b->device, b->d_in + offset, b->host, MATRICES * sizeof *b->host);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        matrix_assert(b->device, plan, (const void *)(b->d_in + offset), b->host, counts[i], what);
}

TEST(a_product_of_matrices_keeps_its_order_with_every_unroll_factor) {
    static const int blocks[] = {32, 64, 96, 256, 512, 1024}, grids[] = {0, 1, 7, 60};
    bench b = bench_new(*state);
    for (int unroll = 1; unroll <= 16; unroll++) {
        jr_spec spec = matrix_spec();
        if (!tests_take(unroll, 7) && unroll != 1 && unroll != 16) continue;
        spec.algorithm = JR_ALGORITHM_ROWS;
        spec.unroll = unroll;
        spec.block = blocks[unroll % 6];
        spec.grid = unroll == 3 ? 1000 : grids[unroll % 4];
        spec.shared = unroll % 3 == 0 ? JR_SHARED_DYNAMIC : JR_SHARED_STATIC;
        multiply(&b, &spec, unroll % 2 == 0 ? 0 : 4);
    }
}

TEST(rows_are_chosen_for_an_operator_that_does_not_commute) {
    bench b = bench_new(*state);
    jr_spec spec = matrix_spec();
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_work_plan_create(b.device->context, WORK(&spec), &plan));
    works(jr_plan_stats(plan, &stats));
    assert_int_equal(stats.algorithm, JR_ALGORITHM_ROWS);
    assert_in_range(stats.grid, 1, 1000);
    assert_int_equal(stats.launches, 2);
    device_write(b.device, b.d_in, b.host, MATRICES * sizeof *b.host);
    matrix_assert(b.device, plan, (const void *)b.d_in, b.host, MATRICES, "chosen");
    jr_plan_destroy(plan);
}

TEST(short_launches_keep_the_order) {
    bench b = bench_new(*state);
    jr_spec spec = matrix_spec();
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    spec.capacity = MATRICES;
    spec.max_launch_ms = 1e-6;
    works(jr_work_plan_create(b.device->context, WORK(&spec), &plan));
    works(jr_plan_stats(plan, &stats));
    assert_int_equal(stats.algorithm, JR_ALGORITHM_ROWS);
    assert_true(stats.launches > 2);
    device_write(b.device, b.d_in, b.host, MATRICES * sizeof *b.host);
    matrix_assert(b.device, plan, (const void *)b.d_in, b.host, MATRICES, "in parts");
    jr_plan_destroy(plan);
}

/* Every element type, from every address that is aligned to it; the heads and tails count. */
DEVICE_TEST(the_first_element_that_is_not_zero_is_found_wherever_it_stands) {
    enum { BYTES = 1 << 16 };
    unsigned char *host = test_zeros(BYTES, 1);
    char *d_in = device_new(device, BYTES);
    uint64_t seed = 5;
    for (int type = JR_I32; type <= JR_BOOL; type++) {
        const size_t size = jr_type_size((jr_type)type);
        jr_spec spec = first_spec((jr_type)type);
        spec.block = 64;
        spec.unroll = 1 + type % 5;
        jr_plan *plan = plan_held(device, WORK(&spec));
        for (int turn = 0; turn < 24; turn++) {
            const uint64_t offset = random_below(&seed, 17), count = 1 + random_below(&seed, BYTES / size - 17);
            const uint64_t first = random_below(&seed, turn % 2 == 0 ? count : count < 40 ? count : 40);
            for (uint64_t i = 0; i < BYTES; i++) host[i] = i / size < offset + first ? 0 : 1;
            for (uint64_t i = 0; i < offset * size; i++) host[i] = 1; /* before the data */
            if (type != JR_BOOL) host[(offset + first) * size] = 2;
            device_write(device, d_in, host, BYTES);
            const jr_value value = plan_value(device, plan, d_in + offset * size, count);
            assert_memory_equal(value.as.bytes, host + (offset + first) * size, size);
        }
    }
}

DEVICE_TEST(a_million_elements_keep_their_order) {
    enum { COUNT = 1000019 };
    int32_t *host = test_zeros(COUNT, sizeof *host);
    int32_t *d_in = device_new(device, COUNT * sizeof *host);
    jr_spec spec = first_spec(JR_I32);
    for (int i = 0; i < COUNT; i++) host[i] = i < 900000 ? 0 : i;
    device_write(device, d_in, host, COUNT * sizeof *host);
    jr_plan *plan = plan_held(device, WORK(&spec));
    assert_int_equal(plan_value(device, plan, d_in, COUNT).as.i32, 900000);
    assert_int_equal(plan_value(device, plan, d_in + 1, COUNT - 1).as.i32, 900000);
    assert_int_equal(plan_value(device, plan, d_in, 900000).as.i32, 0);
    assert_int_equal(plan_value(device, plan, d_in + 950001, 50018).as.i32, 950001);
}

DEVICE_TEST(more_than_a_thousand_rows_are_refused) {
    jr_spec spec = first_spec(JR_I32);
    jr_plan *plan = NULL;
    spec.algorithm = JR_ALGORITHM_ROWS;
    spec.grid = 1001;
    fails(jr_work_plan_create(device->context, WORK(&spec), &plan), JR_ERROR_NOT_APPLICABLE, "at most 1000 rows");
    assert_null(plan);
}

RUN_TESTS(open_context, close_context)
