/* Verifying of tunings: which results are the same, and which are not. */
#include <math.h>
#include <string.h>

#include "spec/reduction.h"
#include "support/fixtures/check.h"
#include "tune/verify.h"

enum { ROOM = 128 };

static char why[JR_REASON_BYTES];

/* Are two values, as they lie in memory, the same result of count elements after 100 additions at most? */
static bool same(const jr_spec *spec, uint64_t count, const void *one, const void *other, size_t bytes) {
    unsigned char results[2][ROOM] = {{0}};
    const unsigned char *const both[] = {results[0], results[1]};
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(spec, &reduction), JR_OK);
    memcpy(results[0], one, bytes);
    memcpy(results[1], other, bytes);
    why[0] = '\0';
    const bool agree = jr_verify_results(reduction, count, 100, both, why);
    jr_reduction_destroy(reduction);
    return agree;
}

static bool same_f32(jr_op op, uint64_t count, float one, float other) {
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = JR_F32);
    return same(&spec, count, &one, &other, sizeof one);
}

/* Of 2^26 numbers from -64 to 63 in f32; up to 2^18 of them no sum rounds. */
TEST(sums_that_round_may_differ_by_that) {
    const jr_spec wide = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accumulate = JR_F64);
    const double one = -32247454, other = -32247452;
    assert_true(same_f32(JR_OP_SUM, 1u << 26, -32247454, -32247452));
    assert_false(same_f32(JR_OP_SUM, 1u << 26, 0, 1e6f));
    assert_false(same_f32(JR_OP_SUM, 1u << 18, 5, 6));
    assert_false(same(&wide, 1u << 26, &one, &other, sizeof one));
}

TEST(integers_and_extrema_must_be_equal) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const int64_t one = 5, other = 6;
    assert_false(same(&sum, 10, &one, &other, sizeof one));
    assert_string_equal(why, "its sum differs from the estimate's");
    assert_true(same(&sum, 10, &one, &one, sizeof one));
    assert_false(same_f32(JR_OP_MIN, 10, 1, nextafterf(1, 2)));
    assert_non_null(strstr(why, "its min is 1.0000001"));
    assert_non_null(strstr(why, ", the estimate's 1: further apart than rounding explains"));
    assert_false(same_f32(JR_OP_NORMINF, 10, 1, nextafterf(1, 2)));
}

/* The numbers of an arena are small and whole: their sum does not round. */
TEST(sums_of_an_arenas_floats_must_be_equal) {
    assert_true(same_f32(JR_OP_SUM, 1 << 20, -7, -7));
    assert_false(same_f32(JR_OP_SUM, 1 << 18, -7, -8));
    assert_false(same_f32(JR_OP_MEAN, 1 << 20, 1, nextafterf(1, 2)));
    assert_false(same_f32(JR_OP_PROD, 1 << 20, 1, -1));
}

TEST(sums_that_round_may_differ_within_the_bound) {
    const double bound = 2 * 100 * 0x1p-24 * 16;
    assert_true(same_f32(JR_OP_SUMSQ, 1000, 1000, (float)(1000 * (1 + bound * 0.9))));
    assert_false(same_f32(JR_OP_SUMSQ, 1000, 1000, (float)(1000 * (1 + bound * 1.1))));
    assert_false(same_f32(JR_OP_SUMSQ, 1000, 1000, -1000));
    assert_true(same_f32(JR_OP_DOT, 1000, 1, 2));
    assert_false(same_f32(JR_OP_DOT, 1000, 1, 100));
}

TEST(expressions_of_floats_may_differ_within_the_bound_of_their_terms) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .map = "sin(x)");
    const double one = 1, near = 1 + 0x1p-40, far = 1.5;
    assert_true(same(&spec, 1000, &one, &near, sizeof one));
    assert_false(same(&spec, 1000, &one, &far, sizeof one));
}

TEST(nan_agrees_with_nan_alone) {
    assert_true(same_f32(JR_OP_VAR, 10, NAN, -NAN));
    assert_false(same_f32(JR_OP_VAR, 10, NAN, 1));
    assert_false(same_f32(JR_OP_VAR, 10, 1, NAN));
    assert_false(same_f32(JR_OP_VAR, 10, 1, INFINITY));
    assert_true(same_f32(JR_OP_SUM, 10, 0.0f, -0.0f));
}

TEST(halves_are_compared_as_the_numbers_they_are) {
    const jr_spec f16 = JR_INIT(jr_spec, .op = JR_OP_SUMSQ, .type = JR_F16, .result = JR_F16);
    const jr_spec bf16 = JR_INIT(jr_spec, .op = JR_OP_SUMSQ, .type = JR_BF16, .result = JR_BF16);
    const uint16_t one = 0x3c00, next = 0x3c01, two = 0x4000, minus = 0xbc00, bf_one = 0x3f80, bf_two = 0x4000;
    assert_true(same(&f16, 10, &one, &next, sizeof one));
    assert_false(same(&f16, 10, &one, &two, sizeof one));
    assert_non_null(strstr(why, "its sumsq is 2, the estimate's 1:"));
    assert_false(same(&f16, 10, &one, &minus, sizeof one));
    assert_false(same(&bf16, 10, &bf_one, &bf_two, sizeof one));
    assert_non_null(strstr(why, "its sumsq is 2, the estimate's 1:"));
}

TEST(each_result_of_a_list_counts) {
    const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_F32);
    unsigned char one[32] = {0}, other[32] = {0};
    assert_true(same(&spec, 10, one, other, sizeof one));
    other[8] = 1; /* between the results */
    assert_true(same(&spec, 10, one, other, sizeof one));
    other[16] = 1;
    assert_false(same(&spec, 10, one, other, sizeof one));
    assert_memory_equal(why, "its max is ", 11);
}

/* Are two scans of f32 the same, after 100 additions at most? The first result is of element `first`. */
static bool same_scan(const jr_spec *spec, uint64_t first, uint64_t count, const float *one, const float *other) {
    const jr_verify_part part = {
        .first = first, .count = count, .results = {(const unsigned char *)one, (const unsigned char *)other}};
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(spec, &reduction), JR_OK);
    why[0] = '\0';
    const bool agree = jr_verify_scan(reduction, 100, &part, why);
    jr_reduction_destroy(reduction);
    return agree;
}

static bool same_scan_of(jr_op op, uint64_t first, float one, float other) {
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = JR_F32);
    const float both[2][3] = {{1, 1, one}, {1, 1, other}};
    return same_scan(&spec, first, 3, both[0], both[1]);
}

TEST(each_result_of_a_scan_counts_and_is_named) {
    assert_true(same_scan_of(JR_OP_SUM, 1000, 5, 5));
    assert_false(same_scan_of(JR_OP_SUM, 1000, 5, 6));
    assert_string_equal(why, "its sum is 6 at element 1002, the estimate's 5: further apart than rounding explains");
    assert_false(same_scan_of(JR_OP_MIN, 0, 1, nextafterf(1, 2)));
    const jr_spec integers = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .result = JR_I32);
    assert_false(same_scan(&integers, 7, 3, (const float[]){1, 2, 3}, (const float[]){1, 1, 3}));
    assert_string_equal(why, "its sum differs from the estimate's at element 8");
}

/* However many elements are before them: their sums stay small. */
TEST(scanned_sums_of_an_arenas_floats_must_be_equal) {
    assert_false(same_scan_of(JR_OP_SUM, UINT64_C(1) << 40, 65536, 65537));
    assert_false(same_scan_of(JR_OP_MEAN, UINT64_C(1) << 40, 1, nextafterf(1, 2)));
    assert_false(same_scan_of(JR_OP_PROD, UINT64_C(1) << 40, 1, -1));
}

TEST(scanned_sums_that_round_may_differ_within_the_bound_of_their_elements) {
    const double bound = 2 * 100 * 0x1p-24;
    const jr_value initial = {.type = JR_F32, .as.f32 = 0.1f};
    const jr_spec begun = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .initial = &initial);
    const jr_spec mapped = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .map = "sin(x)");
    const float ones[] = {1, 1, 1};
    assert_true(same_scan(&mapped, 9, 1, ones, (const float[]){(float)(1 + 10 * 4096 * bound * 0.9)}));
    assert_false(same_scan(&mapped, 9, 1, ones, (const float[]){(float)(1 + 10 * 4096 * bound * 1.1)}));
    assert_true(same_scan(&begun, 9, 1, ones, (const float[]){(float)(1 + 10 * 64 * bound * 0.9)}));
    assert_false(same_scan(&begun, 9, 1, ones, (const float[]){(float)(1 + 10 * 64 * bound * 1.1)}));
    assert_true(same_scan_of(JR_OP_SUMSQ, 0, 1000, (float)(1000 * (1 + 16 * bound * 0.9))));
    assert_false(same_scan_of(JR_OP_SUMSQ, 0, 1000, (float)(1000 * (1 + 16 * bound * 1.1))));
}

/* Deviations are added up in f64, and all that f32 does to them is to round them. */
TEST(scanned_results_that_are_small_beside_their_terms_may_differ_by_those) {
    assert_true(same_scan_of(JR_OP_VAR, 0, 0, 1e-10f));
    assert_false(same_scan_of(JR_OP_VAR, 0, 0, 1e-8f));
    assert_true(same_scan_of(JR_OP_VAR, 0, 1, nextafterf(1, 2)));
    assert_false(same_scan_of(JR_OP_VAR, 0, 1, 1.001f));
    assert_true(same_scan_of(JR_OP_LOGSUMEXP, 0, 0, 1e-4f));
    assert_false(same_scan_of(JR_OP_LOGSUMEXP, 0, 0, 1e-3f));
    assert_true(same_scan_of(JR_OP_VAR, 0, NAN, -NAN));
}

RUN_TESTS(NULL, NULL)
