/* Exact sums of products of f64, by whole tiles: of usual sizes (windows take what two factors and an fma give), and of
 * those whose product is no double any more (bins). Held against integers of thousands of bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/plan_case.h"
#include "support/oracle/exact_cases.h"

typedef struct factors {
    uint64_t count;
    double *x, *y;
} factors;

static double between_minus_one_and_one(uint64_t *seed) {
    return ldexp((double)(int64_t)random_bits(seed), -63);
}

/* Factors of so many binary orders of magnitude around 1, whose products are around 2^middle. */
static factors factors_new(uint64_t count, int orders, int middle) {
    uint64_t seed = 11;
    factors made = {count, test_bytes(count * sizeof(double)), test_bytes(count * sizeof(double))};
    for (uint64_t i = 0; i < count; i++) {
        const int first = (int)random_below(&seed, (uint64_t)orders + 1) - orders / 2;
        const int second = (int)random_below(&seed, (uint64_t)orders + 1) - orders / 2;
        made.x[i] = ldexp(between_minus_one_and_one(&seed), first + middle / 2);
        made.y[i] = ldexp(between_minus_one_and_one(&seed), second + middle - middle / 2);
    }
    return made;
}

static bool holds(const opened *device, const factors *of, jr_spec spec) {
    uint64_t offsets[2] = {0, of->count}, bits;
    const exact_cases one = {exact_format_of(JR_F64), 1, offsets, of->x, of->y};
    const void *inputs[2] = {of->x, of->y};
    jr_value value;
    if (spec.op == JR_OP_DOT)
        works(jr_work_run_host(device->context, WORK(&spec), DATA(.in = inputs, .count = of->count, .values = &value)));
    else
        works(jr_reduce_host(device->context, &spec, of->x, of->count, &value));
    memcpy(&bits, &value.as.f64, sizeof bits);
    return exact_case_holds(&one, 0, &spec, bits);
}

static jr_spec spec_of(jr_op op, jr_algorithm algorithm, int block, int grid) {
    jr_spec spec = exact_cases_spec(op, JR_F64, JR_F64);
    spec.algorithm = algorithm;
    spec.block = block;
    spec.grid = grid;
    return spec;
}

/* Both ends of what is tried: all operators, algorithms and some launches. */
static void check(const opened *device, const factors *of) {
    static const jr_op ops[] = {JR_OP_DOT, JR_OP_SUMSQ, JR_OP_NORM2};
    const bool whole = tests_are_whole(); /* a sample: products by both launches, squares by each algorithm */
    for (size_t o = 0; o < sizeof ops / sizeof ops[0]; o++) {
        if (whole || ops[o] != JR_OP_NORM2)
            assert_true(holds(device, of, spec_of(ops[o], JR_ALGORITHM_SINGLE_PASS, 128, 1)));
        if (whole || ops[o] != JR_OP_SUMSQ)
            assert_true(holds(device, of, spec_of(ops[o], JR_ALGORITHM_SINGLE_PASS, 256, 3)));
        if (whole ? ops[o] != JR_OP_DOT : ops[o] == JR_OP_SUMSQ)
            assert_true(holds(device, of, spec_of(ops[o], JR_ALGORITHM_BULK_COPY, 128, 2)));
    }
}
static void check_orders(const opened *device, uint64_t count, int orders, int middle) {
    factors of = factors_new(count, orders, middle);
    check(device, &of);
}

TEST(products_of_usual_sizes_are_added_exactly) {
    check_orders(*state, 9001, 0, 0);
    check_orders(*state, 9001, 12, 0);
    check_orders(*state, 9001, 12, 300);
}

TEST(products_of_all_sizes_are_added_exactly) {
    check_orders(*state, 5001, 90, 0);
    check_orders(*state, 5001, 2000, 0);
}

TEST(products_beyond_the_range_of_f64_are_added_exactly) {
    check_orders(*state, 5001, 60, 1960); /* dot is finite, or infinite as the sum is */
    check_orders(*state, 5001, 60, -1000);
    check_orders(*state, 5001, 40, -1930);
    check_orders(*state, 5001, 10, -2100);
}

/* Around 2^-960, from where on what is rounded off is no double. */
TEST(products_that_round_off_subnormals_are_added_exactly) {
    check_orders(*state, 5001, 4, -958);
}

TEST(bins_that_are_full_are_emptied_on_the_way) {
    factors of = factors_new(200003, 1800, 0);
    assert_true(holds(*state, &of, spec_of(JR_OP_DOT, JR_ALGORITHM_SINGLE_PASS, 128, 1)));
}

/* What cancels to the last bit: a product that is rounded would leave something. */
TEST(products_that_cancel_leave_what_they_should) {
    factors of = factors_new(8192, 8, 0);
    for (uint64_t i = 0; i < 4096; i++) {
        of.x[4096 + i] = -of.x[i];
        of.y[4096 + i] = of.y[i];
    }
    of.x[8191] = nextafter(of.x[8191], 4);
    check(*state, &of);
}

TEST(zeros_among_the_factors_cost_nothing_and_change_nothing) {
    factors of = factors_new(9001, 8, 0);
    for (uint64_t i = 0; i < of.count; i += 3) of.x[i] = i % 2 ? 0 : -0.0;
    check(*state, &of);
    for (uint64_t i = 0; i < of.count; i++) of.x[i] = -0.0;
    for (uint64_t i = 0; i < of.count; i++) of.y[i] = fabs(of.y[i]);
    check(*state, &of); /* dot of -0 alone is -0 */
}

TEST(what_is_not_finite_makes_of_a_product_what_ieee_says) {
    static const double pairs[][2] = {{HUGE_VAL, 1}, {HUGE_VAL, -1}, {HUGE_VAL, 0}, {NAN, 1}, {-HUGE_VAL, -HUGE_VAL}};
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++) {
        factors of = factors_new(9001, 8, 0);
        of.x[777] = pairs[p][0];
        of.y[777] = pairs[p][1];
        check(*state, &of);
        of.x[8000] = -of.x[777];
        of.y[8000] = of.y[777];
        check(*state, &of);
    }
}

RUN_TESTS(open_context, close_context)
