/* Exact sums: how wide they are, and which specs have them. */
#include <string.h>

#include "spec/exact_width.h"
#include "spec/reduction.h"
#include "support/fixtures/check.h"
#include "support/fixtures/told.h"

TEST(widths_hold_two_to_the_64_elements) {
    const struct {
        jr_type type;
        int least, words, products_least, products_words;
    } rows[] = {{JR_F16, -24, 4, -48, 5},        {JR_BF16, -133, 11, -266, 19}, {JR_F32, -149, 11, -298, 20},
                {JR_F64, -1074, 68, -2148, 134}, {JR_E4M3, -9, 3, -18, 4},      {JR_I64, 0, 5, 0, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_dtype *dtype = jr_dtype_find(rows[i].type);
        const jr_exact_width width = jr_exact_width_of(dtype), products = jr_exact_width_of_products(dtype, dtype);
        assert_int_equal(width.least, rows[i].least);
        assert_int_equal(width.words, rows[i].words);
        assert_int_equal(products.least, rows[i].products_least);
        assert_int_equal(products.words, rows[i].products_words);
    }
    const jr_exact_width both =
        jr_exact_width_of_both(jr_exact_width_of(jr_dtype_find(JR_F16)), jr_exact_width_of(jr_dtype_find(JR_F64)));
    assert_int_equal(both.least, -1074);
    assert_true(both.least + 32 * both.words >= 1024 + 65);
}

static void refused(const jr_spec *spec, jr_status status, const char *why) {
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(spec, &reduction), status);
    assert_null(reduction);
    assert_told(why);
}

TEST(what_cannot_be_exact_is_refused_with_the_reason) {
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_PROD, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT);
    refused(&spec, JR_ERROR_UNSUPPORTED_TYPE, "prod of f32 has no exact form");
    spec.op = JR_OP_LOGSUMEXP;
    refused(&spec, JR_ERROR_UNSUPPORTED_TYPE, "logsumexp of f32 has no exact form");
    spec.op = JR_OP_CUSTOM;
    spec.combine = "a + b";
    spec.identity = "0";
    refused(&spec, JR_ERROR_UNSUPPORTED_TYPE, "custom has no exact form");
    spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT, .accumulate = JR_F64);
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "accumulate f64: an exact sum loses nothing");
    spec.accumulate = JR_TYPE_NONE;
    spec.result = JR_I64;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "an exact sum is rounded to a type of floats, not to i64");
    spec.result = JR_TYPE_NONE;
    spec.accuracy = (jr_accuracy)3;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "unknown accuracy 3");
}

/* accumulator_bytes: of integers that are exact anyway what it was. */
TEST(only_what_rounds_becomes_wide) {
    const struct {
        jr_op op;
        jr_type type, result, summand;
        size_t bytes;
    } rows[] = {{JR_OP_SUM, JR_F32, JR_TYPE_NONE, JR_F32, 56},
                {JR_OP_SUM, JR_F64, JR_F16, JR_F64, 284},
                {JR_OP_SUMSQ, JR_F16, JR_TYPE_NONE, JR_F64, 32},
                {JR_OP_NORM2, JR_F64, JR_TYPE_NONE, JR_STRUCT, 548},
                {JR_OP_DOT, JR_F32, JR_TYPE_NONE, JR_F64, 92},
                {JR_OP_SUM, JR_I32, JR_TYPE_NONE, 0, 8},
                {JR_OP_SUM, JR_I32, JR_F64, 0, 28},
                {JR_OP_MEAN, JR_I32, JR_TYPE_NONE, 0, 16},
                {JR_OP_MAX, JR_F32, JR_TYPE_NONE, 0, 4},
                {JR_OP_COUNT_NONZERO, JR_F32, JR_TYPE_NONE, 0, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = rows[i].op, .type = rows[i].type, .result = rows[i].result,
                                     .accuracy = JR_ACCURACY_EXACT);
        jr_reduction *reduction = NULL;
        assert_int_equal(jr_reduction_create(&spec, &reduction), JR_OK);
        assert_int_equal(reduction->accumulator_bytes, rows[i].bytes);
        assert_int_equal(reduction->summand, rows[i].summand);
        jr_reduction_destroy(reduction);
    }
}

RUN_TESTS(NULL, NULL)
