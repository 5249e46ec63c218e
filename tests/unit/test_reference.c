/* The CPU reference itself, against values worked out by hand from semantics.md. */
#include <math.h>

#include "support/fixtures/check.h"
#include "support/oracle/element.h"
#include "support/oracle/reference.h"

static reference reduce(jr_op op, jr_type type, const void *data, uint64_t count) {
    reference expected;
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type);
    reference_reduce(&spec, data, count, &expected);
    return expected;
}

TEST(integers_follow_the_table) {
    const int32_t i[] = {INT32_MAX, INT32_MIN, -1, INT32_MAX};
    const uint64_t u[] = {UINT64_MAX, 3, 5};
    assert_int_equal(reduce(JR_OP_SUM, JR_I32, i, 4).value.as.i64, 2147483645);
    assert_int_equal(reduce(JR_OP_PROD, JR_I32, i, 2).value.as.i64, -4611686016279904256);
    assert_int_equal(reduce(JR_OP_MIN, JR_I32, i, 4).value.as.i32, INT32_MIN);
    assert_int_equal(reduce(JR_OP_MAX, JR_I32, i, 4).value.as.i32, INT32_MAX);
    assert_int_equal(reduce(JR_OP_MAX, JR_U32, i, 4).value.as.u32, UINT32_MAX);
    assert_int_equal(reduce(JR_OP_SUM, JR_U64, u, 3).value.as.u64, 7);
    assert_int_equal(reduce(JR_OP_PROD, JR_U64, u, 2).value.as.u64, (uint64_t)-3);
    assert_int_equal(reduce(JR_OP_MIN, JR_I64, u, 3).value.as.i64, -1);
    assert_int_equal(reduce(JR_OP_AND, JR_U64, u, 3).value.as.u64, 1);
    assert_int_equal(reduce(JR_OP_XOR, JR_U64, u, 3).value.as.u64, UINT64_MAX ^ 6);
    assert_int_equal(reduce(JR_OP_SUM, JR_U32, i, 1).value.type, JR_U64);
}

TEST(nothing_has_the_identity_or_no_value) {
    assert_int_equal(reduce(JR_OP_PROD, JR_I32, NULL, 0).value.as.i64, 1);
    assert_int_equal(reduce(JR_OP_AND, JR_U32, NULL, 0).value.as.u32, UINT32_MAX);
    assert_true(reduce(JR_OP_MIN, JR_I32, NULL, 0).empty);
    assert_true(reduce(JR_OP_MAX, JR_F64, NULL, 0).empty);
    assert_false(reduce(JR_OP_SUM, JR_F32, NULL, 0).empty);
}

TEST(nan_wins_and_minus_zero_is_below_zero) {
    const double zeros[] = {0.0, -0.0, 0.0}, mixed[] = {-INFINITY, NAN, INFINITY};
    const reference low = reduce(JR_OP_MIN, JR_F64, zeros, 3), high = reduce(JR_OP_MAX, JR_F64, zeros + 1, 2);
    assert_true(reference_agrees(&low, &(jr_value){JR_F64, {.f64 = -0.0}}, 0));
    assert_false(reference_agrees(&low, &(jr_value){JR_F64, {.f64 = 0.0}}, 0));
    assert_true(reference_agrees(&high, &(jr_value){JR_F64, {.f64 = 0.0}}, 0));
    const reference none = reduce(JR_OP_MIN, JR_F64, mixed, 3);
    assert_true(reference_agrees(&none, &(jr_value){JR_F64, {.f64 = -NAN}}, 0));
    assert_false(reference_agrees(&none, &(jr_value){JR_F64, {.f64 = -INFINITY}}, 0));
}

TEST(sums_are_exact_where_cancellation_is_total) {
    const double terms[] = {1e300, 1, 0x1p-60, -1e300, -1};
    const reference sum = reduce(JR_OP_SUM, JR_F64, terms, 5);
    assert_true(sum.value.as.f64 == 0x1p-60);
    const float infinite[] = {INFINITY, 1, -INFINITY};
    assert_true(isnan(reduce(JR_OP_SUM, JR_F32, infinite, 3).value.as.f32));
    assert_true(isinf(reduce(JR_OP_SUM, JR_F32, infinite, 2).value.as.f32));
}

TEST(the_bound_takes_what_it_must_and_no_more) {
    const float ones[] = {1, 1, 1, 1};
    const reference four = reduce(JR_OP_SUM, JR_F32, ones, 4);
    assert_true(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = 4}}, 0));
    assert_false(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = nextafterf(4, 5)}}, 0));
    assert_true(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = nextafterf(4, 5)}}, 3));
    assert_false(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = 4.001f}}, 3));
    assert_false(reference_agrees(&four, &(jr_value){JR_F32, {.f32 = 3}}, 100));
    assert_false(reference_agrees(&four, &(jr_value){JR_F64, {.f64 = 4}}, 3));
}

TEST(the_initial_value_counts_once) {
    const int32_t data[] = {2, 3};
    const jr_value ten = {JR_I64, {.i64 = 10}}, low = {JR_I32, {.i32 = -1}};
    reference expected;
    reference_reduce(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &ten), data, 2, &expected);
    assert_int_equal(expected.value.as.i64, 15);
    reference_reduce(&JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_I32, .initial = &low), data, 0, &expected);
    assert_false(expected.empty);
    assert_int_equal(expected.value.as.i32, -1);
}

/* The nearest number to 0.1, a tie to even upwards and downwards, a subnormal, the overflow. */
TEST(narrow_floats_round_to_nearest_even) {
    static const struct {
        jr_type type;
        double x;
        uint16_t bits;
    } rows[] = {{JR_F16, 0.1, 0x2e66},        {JR_F16, 2049, 0x6800},        {JR_F16, 2051, 0x6802},
                {JR_F16, 0x1p-24, 0x0001},    {JR_F16, 0x1p-25, 0x0000},     {JR_F16, 65519, 0x7bff},
                {JR_F16, 65520, 0x7c00},      {JR_F16, -0.0, 0x8000},        {JR_F16, -INFINITY, 0xfc00},
                {JR_BF16, 0.1, 0x3dcd},       {JR_BF16, 257, 0x4380},        {JR_BF16, 259, 0x4382},
                {JR_BF16, 0x1p-133, 0x0001},  {JR_BF16, 0x1.ffp127, 0x7f80}, {JR_BF16, -0x1.fep127, 0xff7f},
                {JR_BF16, 0x1.8p-133, 0x0002}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint16_t bits = 0xffff;
        element_store_float(rows[i].type, &bits, rows[i].x);
        assert_int_equal(bits, rows[i].bits);
        const double back = element_float(rows[i].type, &bits, 0);
        element_store_float(rows[i].type, &bits, back);
        assert_int_equal(bits, rows[i].bits);
    }
}

TEST(small_types_are_read_with_their_sign) {
    const int8_t i8[] = {-128, 127};
    const uint16_t u16[] = {65535, 1};
    const uint8_t booleans[] = {0, 1, 255};
    assert_int_equal(reduce(JR_OP_SUM, JR_I8, i8, 2).value.as.i64, -1);
    assert_int_equal(reduce(JR_OP_MIN, JR_I8, i8, 2).value.as.i8, -128);
    assert_int_equal(reduce(JR_OP_MAX, JR_U8, i8, 2).value.as.u8, 128);
    assert_int_equal(reduce(JR_OP_SUM, JR_U16, u16, 2).value.as.u64, 65536);
    assert_int_equal(reduce(JR_OP_SUM, JR_BOOL, booleans, 3).value.as.u64, 2);
    assert_int_equal(reduce(JR_OP_MAX, JR_BOOL, booleans, 3).value.as.boolean, 1);
    assert_int_equal(reduce(JR_OP_AND, JR_BOOL, NULL, 0).value.as.boolean, 1);
}

TEST(flags_and_counts_take_nan_for_nonzero) {
    const float x[] = {0, -0.0f, NAN};
    assert_int_equal(reduce(JR_OP_ANY, JR_F32, x, 2).value.as.boolean, 0);
    assert_int_equal(reduce(JR_OP_ANY, JR_F32, x, 3).value.as.boolean, 1);
    assert_int_equal(reduce(JR_OP_ALL, JR_F32, x + 2, 1).value.as.boolean, 1);
    assert_int_equal(reduce(JR_OP_ALL, JR_F32, x, 3).value.as.boolean, 0);
    assert_int_equal(reduce(JR_OP_COUNT_NONZERO, JR_F32, x, 3).value.as.u64, 1);
    assert_int_equal(reduce(JR_OP_ANY, JR_F32, NULL, 0).value.as.boolean, 0);
    assert_int_equal(reduce(JR_OP_ALL, JR_F32, NULL, 0).value.as.boolean, 1);
}

TEST(an_index_is_that_of_the_first_nan_or_the_first_extremum) {
    const double ties[] = {3, -0.0, 0.0, 7, 7}, nans[] = {1, NAN, -INFINITY, NAN};
    const jr_spec ignoring = JR_INIT(jr_spec, .op = JR_OP_ARGMIN, .type = JR_F64, .nan = JR_NAN_IGNORE);
    reference expected;
    assert_int_equal(reduce(JR_OP_ARGMIN, JR_F64, ties, 5).value.as.i64, 1);
    assert_int_equal(reduce(JR_OP_ARGMAX, JR_F64, ties, 5).value.as.i64, 3);
    assert_int_equal(reduce(JR_OP_ARGMIN, JR_F64, nans, 4).value.as.i64, 1);
    assert_int_equal(reduce(JR_OP_ARGMAX, JR_F64, nans, 4).value.as.i64, 1);
    assert_true(reduce(JR_OP_ARGMAX, JR_F64, NULL, 0).empty);
    reference_reduce(&ignoring, nans, 4, &expected);
    assert_int_equal(expected.value.as.i64, 2);
    reference_reduce(&ignoring, nans + 1, 1, &expected);
    assert_true(expected.empty);
}

TEST(ignored_nans_count_for_nothing) {
    const double x[] = {NAN, 2, NAN, 4};
    jr_spec spec = JR_INIT(jr_spec, .type = JR_F64, .nan = JR_NAN_IGNORE);
    static const struct {
        jr_op op;
        double value;
    } rows[] = {{JR_OP_SUM, 6}, {JR_OP_MEAN, 3}, {JR_OP_VAR, 1}, {JR_OP_MIN, 2}, {JR_OP_NORMINF, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        reference expected;
        spec.op = rows[i].op;
        reference_reduce(&spec, x, 4, &expected);
        assert_true(expected.value.as.f64 == rows[i].value);
    }
    reference none;
    spec.op = JR_OP_MIN;
    reference_reduce(&spec, x, 1, &none);
    assert_true(isnan(none.value.as.f64));
}

TEST(statistics_and_norms_follow_their_definitions) {
    const float x[] = {1, 2, 4, -3};
    const int8_t bytes[] = {3, -4};
    const double big[] = {3e200, 4e200};
    assert_true(reduce(JR_OP_MEAN, JR_F32, x, 4).value.as.f32 == 1.0f);
    assert_true(reduce(JR_OP_VAR, JR_F32, x, 4).value.as.f32 == 6.5f);
    assert_true(reduce(JR_OP_STD, JR_F32, x, 4).value.as.f32 == sqrtf(6.5f));
    assert_true(reduce(JR_OP_NORM1, JR_F32, x, 4).value.as.f32 == 10.0f);
    assert_true(reduce(JR_OP_NORMINF, JR_F32, x, 4).value.as.f32 == 4.0f);
    assert_true(reduce(JR_OP_SUMSQ, JR_F32, x, 4).value.as.f32 == 30.0f);
    assert_true(reduce(JR_OP_NORM2, JR_I8, bytes, 2).value.as.f64 == 5.0);
    assert_true(fabs(reduce(JR_OP_NORM2, JR_F64, big, 2).value.as.f64 / 5e200 - 1) < 1e-15);
    assert_true(fabs(reduce(JR_OP_LOGSUMEXP, JR_F64, (double[]){1000, 1000}, 2).value.as.f64 - 1000 - log(2)) < 1e-12);
    const void *const two[] = {x, x + 2};
    reference expected;
    reference_reduce_arrays(&JR_INIT(jr_spec, .op = JR_OP_DOT, .type = JR_F32), two, 2, &expected);
    assert_true(expected.value.as.f32 == -2.0f);
    reference_reduce(&JR_INIT(jr_spec, .op = JR_OP_VAR, .type = JR_F32, .ddof = 1), x, 4, &expected);
    assert_true(expected.value.as.f32 == (float)(26.0 / 3));
}

TEST(statistics_of_nothing_are_nan_and_norms_zero) {
    static const jr_op nan[] = {JR_OP_MEAN, JR_OP_VAR, JR_OP_STD},
                       zero[] = {JR_OP_NORM1, JR_OP_NORM2, JR_OP_NORMINF, JR_OP_SUMSQ, JR_OP_DOT};
    for (int i = 0; i < 3; i++) assert_true(isnan(reduce(nan[i], JR_I32, NULL, 0).value.as.f64));
    for (int i = 0; i < 5; i++) assert_true(reduce(zero[i], JR_F64, NULL, 0).value.as.f64 == 0);
    assert_true(reduce(JR_OP_LOGSUMEXP, JR_F32, NULL, 0).value.as.f32 == -INFINITY);
}

TEST(a_mean_of_integers_is_exact_beyond_64_bits) {
    const uint64_t most[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX - 4096, 0};
    const double mean = reduce(JR_OP_MEAN, JR_U64, most, 4).value.as.f64;
    assert_true(mean == (3 * 0x1p64 - 8192) / 4); /* the sum lies below 3 * 2^64 by 4099, a step is 8192 */
    const int64_t least[] = {INT64_MIN, INT64_MIN, INT64_MIN};
    assert_true(reduce(JR_OP_MEAN, JR_I64, least, 3).value.as.f64 == -0x1p63);
}

/* A lost element of a thousand, or the one-pass formula's cancellation, is far outside. */
TEST(the_bound_of_a_variance_is_tight) {
    double x[1000];
    for (int i = 0; i < 1000; i++) x[i] = 1e6 + i % 7;
    const reference all = reduce(JR_OP_VAR, JR_F64, x, 1000), fewer = reduce(JR_OP_VAR, JR_F64, x, 999);
    jr_value near = all.value;
    near.as.f64 *= 1 + 1e-13;
    assert_true(reference_agrees(&all, &near, 20));
    assert_false(reference_agrees(&all, &fewer.value, 20));
    near.as.f64 *= 1 + 1e-6;
    assert_false(reference_agrees(&all, &near, 20));
}

RUN_TESTS(NULL, NULL)
