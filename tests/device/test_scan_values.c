/* Scans: what their values are where it matters how they are made: overflow, rounding, NaN, means. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"

static const jr_algorithm algorithms[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_THREE_PASS, JR_ALGORITHM_BULK_COPY,
                                          JR_ALGORITHM_WAVE, JR_ALGORITHM_ONE_BLOCK};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };

DEVICE_TEST(integer_sums_wrap_around) {
    enum { COUNT = 40001 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U64);
    uint64_t *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results), seed = 14, sum = 0;
    for (int i = 0; i < COUNT; i++) data[i] = random_bits(&seed);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) assert_int_equal(results[i], sum += data[i]);
}

enum { BOUND_COUNT = 200003, BOUND_BLOCK = 128, BOUND_UNROLL = 4, BOUND_GRID = 8 };

/* README's bounds. */
static void check_bound(const opened *device, jr_algorithm algorithm, double depth) {
    enum { COUNT = BOUND_COUNT };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = algorithm, .block = BOUND_BLOCK,
                                 .unroll = BOUND_UNROLL, .grid = algorithm == JR_ALGORITHM_THREE_PASS ? BOUND_GRID : 0);
    float *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results);
    uint64_t seed = 15;
    long double sum = 0, magnitude = 0;
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)ldexp((double)random_below(&seed, 1 << 24) - (1 << 23), (int)random_below(&seed, 30) - 15);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) {
        sum += (long double)data[i];
        magnitude += fabsl((long double)data[i]);
        if (fabsl((long double)results[i] - sum) > (long double)depth * 0x1p-24L * magnitude)
            fail_msg("result %d is %.9g instead of %.12Lg", i, (double)results[i], sum);
    }
}

/* three_pass: an element's way into a row's sum, through the rows' sums, and with the carry to a result. single_pass:
 * into a tile's total, through the totals of a group, through the groups, and to a result. */
TEST(float_sums_stay_within_their_bounds) {
    const double tiles = ceil(BOUND_COUNT / (4.0 * BOUND_BLOCK * BOUND_UNROLL)), both = 4 + 2 * BOUND_UNROLL + 29;
    check_bound(*state, JR_ALGORITHM_THREE_PASS, both + 2 * ceil(tiles / BOUND_GRID) + 1);
    check_bound(*state, JR_ALGORITHM_SINGLE_PASS, both + ceil(tiles / BOUND_BLOCK));
    check_bound(*state, JR_ALGORITHM_BULK_COPY, both + ceil(tiles * BOUND_BLOCK / (BOUND_BLOCK / 2.0 - 32) / 32));
    check_bound(*state, JR_ALGORITHM_WAVE, both + 8 + ceil(tiles * BOUND_BLOCK / (BOUND_BLOCK - 64) / BOUND_BLOCK));
    check_bound(*state, JR_ALGORITHM_ONE_BLOCK, both + tiles);
}

DEVICE_TEST(two_runs_give_equal_bits) {
    enum { COUNT = 100003 };
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    float *data = test_zeros(COUNT, sizeof *data), *results[2];
    uint64_t seed = 16;
    for (int i = 0; i < COUNT; i++) data[i] = (float)random_below(&seed, 1000003) * 0.001f;
    for (int r = 0; r < 2; r++) results[r] = test_zeros(COUNT, sizeof *data);
    for (int a = 0; a < ALGORITHMS; a++) {
        spec.algorithm = algorithms[a];
        for (int r = 0; r < 2; r++)
            works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                                   DATA(.in = FROM(data), .count = COUNT, .out = results[r])));
        assert_memory_equal(results[0], results[1], COUNT * sizeof *data);
    }
}

DEVICE_TEST(nan_goes_on_from_where_it_stands) {
    enum { COUNT = 9001, PLACE = 4711 };
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32, .block = 64, .grid = 4);
    float *data = test_zeros(COUNT, sizeof *data), *results = test_zeros(COUNT, sizeof *results);
    int64_t *indexes = test_zeros(COUNT, sizeof *indexes);
    for (int i = 0; i < COUNT; i++) data[i] = (float)(COUNT - i);
    data[PLACE] = NAN;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) assert_true(i < PLACE ? results[i] == data[i] : isnan(results[i]));
    spec.nan = JR_NAN_IGNORE;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) assert_true(results[i] == data[i == PLACE ? i - 1 : i]);
    spec.nan = JR_NAN_PROPAGATE;
    spec.op = JR_OP_ARGMIN;
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = indexes)));
    for (int i = 0; i < COUNT; i++) assert_int_equal(indexes[i], i < PLACE ? i : PLACE);
}

/* Integers within a double's reach: the mean is one exact division. */
DEVICE_TEST(the_mean_is_of_the_elements_so_far) {
    enum { COUNT = 6007 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = JR_I32, .block = 96, .grid = 2);
    int32_t *data = test_zeros(COUNT, sizeof *data);
    double *results = test_zeros(COUNT, sizeof *results);
    uint64_t seed = 17;
    int64_t sum = 0;
    for (int i = 0; i < COUNT; i++) data[i] = (int32_t)random_bits(&seed);
    works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    for (int i = 0; i < COUNT; i++) {
        assert_true(i == 0 ? isnan(results[i]) : results[i] == (double)sum / i);
        sum += data[i];
    }
}

RUN_TESTS(open_context, close_context)
