/* var and std keep sums of differences from a pivot, which is the first element at first: data whose first element is
 * far from the others, whose mean is far from 0, and which has infinities, as all elements, as columns and as rows. The
 * tolerance is that of the manual's bound (accuracy.md) for 2 additions. */
#include <math.h>
#include <stdlib.h>

#include "support/fixtures/open_context.h"

enum { COUNT = 60000, COLUMNS = 12 };

static double number(uint64_t i) {
    return (double)(i * 2654435761u % 1000003u) / 1000003.0;
}

/* What is at [row][column] of data of so many columns. */
typedef double (*content)(uint64_t row);
static double first_is_far(uint64_t row) {
    return row == 0 ? 1e8 : number(row);
}
static double mean_is_far(uint64_t row) {
    return 1e9 + number(row);
}
static double some_are_far(uint64_t row) {
    return row % 1000 == 1 ? -1e7 : number(row);
}
static double all_are_equal(uint64_t row) {
    (void)row;
    return 0.1;
}

static double *made_of(content at, uint64_t rows, uint64_t columns) {
    double *data = test_bytes(rows * columns * sizeof *data);
    for (uint64_t i = 0; i < rows * columns; i++) data[i] = at(i / columns);
    return data;
}

static void check_close(const double *got, const double *exact, uint64_t count, double far) {
    for (uint64_t i = 0; i < count; i++)
        if (!(fabs(got[i] - exact[i]) <= 1e-12 * exact[i] + 4e-15 * far * sqrt(exact[i])))
            fail_msg("result %llu is %.17g, and exactly %.17g", (unsigned long long)i, got[i], exact[i]);
}

/* By long double, in two passes: of elements begin, begin + step, ... */
static double exactly(const double *data, uint64_t begin, uint64_t step, uint64_t count) {
    long double sum = 0, squares = 0;
    for (uint64_t i = 0; i < count; i++) sum += data[begin + i * step];
    const long double mean = sum / (long double)count;
    for (uint64_t i = 0; i < count; i++) {
        const long double off = data[begin + i * step] - mean;
        squares += off * off;
    }
    return (double)(squares / (long double)count);
}

static void columns_are_right(jr_context *context, content at, uint64_t rows, uint64_t columns, double far) {
    double got[COLUMNS], exact[COLUMNS], *const data = made_of(at, rows, columns);
    const uint64_t shape[] = {rows, columns};
    const jr_axis along = JR_INIT(jr_axis, .shape = shape, .dimensions = 2);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F64);
    works(jr_work_run_host(context, WORK(&spec, .axis = &along), DATA(.in = FROM(data), .out = got)));
    for (uint64_t c = 0; c < columns; c++) exact[c] = exactly(data, c, columns, rows);
    check_close(got, exact, columns, far);
}

/* Columns of small slabs, whose rows begin between vectors. */
static void slabs_are_right(jr_context *context, content at, uint64_t rows, double far) {
    enum { SLABS = 4, INNER = 3 };
    double got[SLABS * INNER], exact[SLABS * INNER], *const data = malloc(SLABS * rows * INNER * sizeof *data);
    assert_non_null(data);
    for (uint64_t i = 0; i < SLABS * rows * INNER; i++) data[i] = at(i / INNER % rows);
    const uint64_t shape[] = {SLABS, rows, INNER};
    const jr_axis along = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F64);
    works(jr_work_run_host(context, WORK(&spec, .axis = &along), DATA(.in = FROM(data), .out = got)));
    for (uint64_t c = 0; c < SLABS * INNER; c++)
        exact[c] = exactly(data, c / INNER * rows * INNER + c % INNER, INNER, rows);
    check_close(got, exact, SLABS * INNER, far);
    free(data);
}

static void rows_are_right(jr_context *context, content at, uint64_t length, double far) {
    double got[COLUMNS], exact[COLUMNS], *const data = test_bytes(COLUMNS * length * sizeof *data);
    for (uint64_t i = 0; i < COLUMNS * length; i++) data[i] = at(i % length);
    const uint64_t shape[] = {COLUMNS, length};
    const jr_axis along = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F64);
    works(jr_work_run_host(context, WORK(&spec, .axis = &along), DATA(.in = FROM(data), .out = got)));
    for (uint64_t r = 0; r < COLUMNS; r++) exact[r] = exactly(data, r * length, 1, length);
    check_close(got, exact, COLUMNS, far);
}

static double variance_of(jr_context *context, const double *data, uint64_t count) {
    jr_value value;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F64);
    works(jr_reduce_host(context, &spec, data, count, &value));
    return value.as.f64;
}

DEVICE_TEST(data_far_from_its_first_element_and_from_0_has_its_variance) {
    jr_context *const context = device->context;
    static const struct {
        content at;
        double far;
    } cases[] = {{first_is_far, 1e8}, {mean_is_far, 1e9}, {some_are_far, 1e7}, {all_are_equal, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double *const data = made_of(cases[c].at, COUNT, 1);
        const double got = variance_of(context, data, COUNT), exact = exactly(data, 0, 1, COUNT);
        check_close(&got, &exact, 1, cases[c].far);
        for (uint64_t rows = 1; rows < 6000; rows = rows * 5 + 2) {
            columns_are_right(context, cases[c].at, rows, COLUMNS, cases[c].far);
            columns_are_right(context, cases[c].at, rows, 5, cases[c].far);
            rows_are_right(context, cases[c].at, rows, cases[c].far);
            slabs_are_right(context, cases[c].at, rows, cases[c].far);
        }
    }
}

DEVICE_TEST(infinities_and_what_overflows_are_told) {
    jr_context *const context = device->context;
    double data[3000];
    for (int i = 0; i < 3000; i++) data[i] = i;
    data[0] = INFINITY;
    assert_true(isnan(variance_of(context, data, 3000)));
    data[0] = 0, data[2999] = -INFINITY;
    assert_true(isnan(variance_of(context, data, 3000)));
    data[2999] = NAN;
    assert_true(isnan(variance_of(context, data, 3000)));
    for (int i = 0; i < 3000; i++) data[i] = i % 2 ? 1e200 : -1e200;
    assert_true(isinf(variance_of(context, data, 3000)));
    assert_true(variance_of(context, data, 1) == 0);
    assert_true(isnan(variance_of(context, data, 0)));
}

RUN_TESTS(open_context, close_context)
