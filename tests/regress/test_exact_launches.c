/* Exact sums of one result left max_launch_ms aside: however long it took, a run was one launch. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { COUNT = 200003 }; /* a launch has 65536 at least */

/* Halves whose sum doubles hold, and it. */
static float *numbers_new(const opened *device, double *sum) {
    float *x = malloc(COUNT * sizeof *x), *d_in = device_new(device, COUNT * sizeof *d_in);
    assert_non_null(x);
    *sum = 0;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 7919 - 17) * 0.5F;
        *sum += x[i];
    }
    device_write(device, d_in, x, COUNT * sizeof *x);
    free(x);
    return d_in;
}

TEST(runs_are_split_into_short_launches) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_AUTO, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY};
    const opened *device = *state;
    double sum;
    float *d_in = numbers_new(device, &sum);
    double *d_out = device_new(device, sizeof *d_out);
    const void *const arrays[] = {d_in};
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64, .capacity = COUNT,
                                     .algorithm = algorithms[a], .max_launch_ms = 1e-6, .accuracy = JR_ACCURACY_EXACT);
        jr_run_cost cost = JR_INIT(jr_run_cost);
        jr_plan *plan = NULL;
        works(jr_plan_create(device->context, &spec, &plan));
        works(jr_plan_time(plan, arrays, COUNT, d_out, 2, &cost));
        assert_int_equal(cost.launches, 5); /* four parts, and what finishes */
        for (int again = 0; again < 2; again++) assert_true(plan_value(device, plan, d_in, COUNT).as.f64 == sum);
        assert_true(plan_value(device, plan, d_in, 0).as.f64 == 0);
        jr_plan_destroy(plan);
    }
    device_free(device, d_out);
    device_free(device, d_in);
}

/* Sums of f64 have 68 words, sums of squares 134: with 512 threads several threads share a word, with 128 some have
 * several. */
TEST(what_many_blocks_leave_is_added) {
    enum { LITTLE = 128, MOST = 512, GRID = 75 };
    const opened *device = *state;
    double *x = malloc(COUNT * sizeof *x), *d_in = device_new(device, COUNT * sizeof *d_in), sum = 0, squares = 0;
    assert_non_null(x);
    for (int i = 0; i < COUNT; i++) {
        x[i] = (i % 7919 - 17) * 0.5;
        sum += x[i];
        squares += x[i] * x[i];
    }
    device_write(device, d_in, x, COUNT * sizeof *x);
    for (int block = LITTLE; block <= MOST; block += MOST - LITTLE)
        for (int o = 0; o < 2; o++) {
            const jr_spec spec =
                JR_INIT(jr_spec, .op = o ? JR_OP_SUMSQ : JR_OP_SUM, .type = JR_F64, .block = block, .grid = GRID,
                        .capacity = COUNT, .max_launch_ms = 1e-6, .accuracy = JR_ACCURACY_EXACT);
            jr_plan *plan = NULL;
            works(jr_plan_create(device->context, &spec, &plan));
            assert_true(plan_value(device, plan, d_in, COUNT).as.f64 == (o ? squares : sum));
            jr_plan_destroy(plan);
        }
    device_free(device, d_in);
    free(x);
}

RUN_TESTS(open_context, close_context)
