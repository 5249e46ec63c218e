/* Medians, quartiles and lines through points, by the command and by the names of version 0.2: values worked out by
 * hand. */
/* link: fail_nth */
#include <math.h>
#include <string.h>

#include "bench/bench_form.h"
#include "jitreduce.h"
#include "support/fakes/fail_nth.h"
#include "support/fixtures/check.h"

static void fails(jr_status status, jr_status wanted, const char *why) {
    assert_int_equal(status, wanted);
    assert_told(why);
}

static void is_near(double got, double wanted, double tolerance) {
    if (!(fabs(got - wanted) <= tolerance)) fail_msg("%.17g is not %.17g", got, wanted);
}

TEST(arguments_that_are_wrong_are_named) {
    const double numbers[] = {1, NAN, 2}, same[] = {3, 3, 3}, zero[] = {1, 0, 2}, far[] = {1, INFINITY, 2};
    jr_spread spread = {.median = 77};
    jr_line line = {.slope = 77};
    fails(jr_spread_of(NULL, 1, &spread), JR_ERROR_INVALID_ARGUMENT, "numbers is NULL");
    fails(jr_spread_of(numbers, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "spread is NULL");
    fails(jr_spread_of(numbers, 0, &spread), JR_ERROR_INVALID_ARGUMENT, "0 numbers");
    fails(jr_spread_of(numbers, 3, &spread), JR_ERROR_INVALID_ARGUMENT, "number 1 is NaN");
    fails(jr_line_fit(NULL, same, 3, &line), JR_ERROR_INVALID_ARGUMENT, "x is NULL");
    fails(jr_line_fit(same, same, 3, NULL), JR_ERROR_INVALID_ARGUMENT, "line is NULL");
    fails(jr_line_fit(same, same, 1, &line), JR_ERROR_INVALID_ARGUMENT, "1 points have no line");
    fails(jr_line_fit(same, same, 3, &line), JR_ERROR_INVALID_ARGUMENT, "of all 3 points is 3");
    fails(jr_line_fit(same, zero, 3, &line), JR_ERROR_INVALID_ARGUMENT, "point 1 at 3 is 0");
    fails(jr_line_fit(same, numbers, 3, &line), JR_ERROR_INVALID_ARGUMENT, "point 1 at 3 is");
    fails(jr_line_fit(far, same, 3, &line), JR_ERROR_INVALID_ARGUMENT, "point 1 at inf");
    assert_true(spread.median == 77 && line.slope == 77);
    assert_false(cli_line_fit(same, same, 3, &(cli_line){0}));
    assert_false(cli_line_fit(numbers, zero, 3, &(cli_line){0}));
}

TEST(the_spread_of_numbers_in_any_order) {
    static const struct {
        double numbers[6];
        int count;
        double median, lower, upper, least, most;
    } cases[] = {
        {{5}, 1, 5, 5, 5, 5, 5},
        {{3, 1}, 2, 2, 1.5, 2.5, 1, 3},
        {{9, 1, 5}, 3, 5, 3, 7, 1, 9},
        {{4, 1, 3, 2}, 4, 2.5, 1.75, 3.25, 1, 4},
        {{50, 10, 40, 20, 30}, 5, 30, 20, 40, 10, 50},
        {{7, 7, 7, 7, 7, 1000}, 6, 7, 7, 7, 7, 1000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        jr_spread spread;
        assert_int_equal(jr_spread_of(cases[i].numbers, cases[i].count, &spread), JR_OK);
        is_near(spread.median, cases[i].median, 0);
        is_near(spread.lower_quartile, cases[i].lower, 0);
        is_near(spread.upper_quartile, cases[i].upper, 0);
        is_near(spread.least, cases[i].least, 0);
        is_near(spread.most, cases[i].most, 0);
        double own[6];
        memcpy(own, cases[i].numbers, sizeof own);
        const cli_spread found = cli_spread_of(own, cases[i].count);
        is_near(found.median, cases[i].median, 0);
        is_near(found.lower_quartile, cases[i].lower, 0);
        is_near(found.upper_quartile, cases[i].upper, 0);
        is_near(found.least, cases[i].least, 0);
        is_near(found.most, cases[i].most, 0);
    }
    assert_true(cases[4].numbers[0] == 50); /* not sorted in place */
}

static jr_line fit(const double *x, const double *y, int count) {
    jr_line line;
    cli_line own;
    assert_int_equal(jr_line_fit(x, y, count, &line), JR_OK);
    assert_true(cli_line_fit(x, y, count, &own));
    is_near(own.intercept, line.intercept, 0);
    is_near(own.slope, line.slope, 0);
    return line;
}

TEST(a_line_through_points_on_a_line_is_that_line) {
    double x[12], y[12];
    for (int i = 0; i < 12; i++) {
        x[i] = 4096 * pow(4, i);
        y[i] = 3.25 + x[i] / 4.7e6;
    }
    jr_line line = fit(x, y, 12);
    is_near(line.intercept, 3.25, 1e-9);
    is_near(line.slope * 4.7e6, 1, 1e-9);
    line = fit(x, y, 2);
    is_near(line.slope * 4.7e6, 1, 1e-6);
}

/* Three points (0, 1) (1, 2) (2, 1): the normal equations with the weights 1, 1/4, 1 are solved by hand:
 * means x = 1, y = 10/9; sum w (x-1)^2 = 2, sum w (x-1)(y-mean) = 0. */
TEST(residuals_count_relative_to_the_point) {
    const double x[] = {0, 1, 2}, y[] = {1, 2, 1};
    const double far_x[] = {0, 1, 2, 3}, far_y[] = {1, 1, 1, 1e9};
    jr_line line = fit(x, y, 3);
    is_near(line.slope, 0, 1e-12);
    is_near(line.intercept, 10.0 / 9, 1e-12);
    line = fit(far_x, far_y, 4);
    is_near(line.intercept, 1, 1e-3); /* a huge one draws no more than a small one */
}

static jr_status find_spread(void *user) {
    jr_spread spread;
    return jr_spread_of(user, 3, &spread);
}

TEST(every_allocation_may_fail) {
    double numbers[] = {1, 2, 3};
    assert_int_equal(fail_nth_walk(FAIL_MEMORY, find_spread, numbers), 1);
}

RUN_TESTS(NULL, NULL)
