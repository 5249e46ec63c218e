/* Constants: what a spec and a tuning become in the text of a program. */
#include <string.h>

#include "program/constants.h"
#include "support/fixtures/check.h"

TEST(a_spec_and_a_tuning_become_the_contracts_constants) {
    static const char *const wanted[][2] = {
        {"JR_INPUTS", "1"},         {"JR_X", "unsigned char"},
        {"JR_X_VALUE", "unsigned"}, {"JR_OPERATOR", "jr_sum<unsigned, unsigned long long, unsigned long long>"},
        {"JR_MAPPED", "unsigned"},  {"JR_ACCUMULATOR_BYTES", "8"},
        {"JR_EXPRESSIONS", "0"},    {"JR_COMBINE", "0"},
        {"JR_INITIAL", "1"},        {"JR_INITIAL_TYPE", "unsigned long long"},
        {"JR_UNROLL", "16"},        {"JR_BLOCK", "1024"},
        {"JR_SHARED_DYNAMIC", "1"}};
    const jr_value initial = {JR_U64, {.u64 = 7}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U8, .initial = &initial);
    const jr_tuning tuning = {
        .algorithm = JR_ALGORITHM_TWO_PASS, .unroll = 16, .block = 1024, .grid = 5, .shared_dynamic = true};
    jr_constants constants;
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(&spec, &reduction), JR_OK);
    jr_constants_of(reduction, &tuning, NULL, &constants);
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        size_t i = 0;
        while (i < constants.count && strcmp(constants.items[i].name, wanted[w][0]) != 0) i++;
        assert_true(i < constants.count);
        assert_string_equal(constants.items[i].text, wanted[w][1]);
    }
    jr_reduction_destroy(reduction);
}

static const jr_tuning usual = {.algorithm = JR_ALGORITHM_SINGLE_PASS, .unroll = 4, .block = 256, .grid = 2};

/* The constant's text; NULL: no such constant. */
static const char *constant_of(const jr_spec *spec, const jr_tuning *tuning, const char *name) {
    static jr_constants constants;
    static jr_reduction *reduction;
    jr_reduction_destroy(reduction);
    assert_int_equal(jr_reduction_create(spec, &reduction), JR_OK);
    jr_constants_of(reduction, tuning, NULL, &constants);
    for (size_t i = 0; i < constants.count; i++)
        if (strcmp(constants.items[i].name, name) == 0) return constants.items[i].text;
    return NULL;
}

TEST(an_operator_that_one_instruction_combines_over_4_bytes_is_named_for_the_words_kernel) {
    static const struct {
        jr_spec spec;
        const char *name;
    } cases[] = {{{.op = JR_OP_MIN, .type = JR_F32}, "min_f32"},
                 {{.op = JR_OP_SUM, .type = JR_F32}, "sum_f32"},
                 {{.op = JR_OP_SUM, .type = JR_I32, .accumulate = JR_I32, .result = JR_I32}, "sum_i32"},
                 {{.op = JR_OP_XOR, .type = JR_U32}, "xor_u32"},
                 {{.op = JR_OP_MAX, .type = JR_I32, .nan = JR_NAN_IGNORE}, "max_i32"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(constant_of(&cases[i].spec, &usual, "JR_WORDS"), "1");
        assert_string_equal(constant_of(&cases[i].spec, &usual, "JR_WORD_OPERATOR"), cases[i].name);
    }
}

TEST(the_words_kernel_is_taken_up_to_the_registers_that_a_thread_has) {
    static const struct {
        jr_tuning tuning;
        const char *words;
    } cases[] = {{{.unroll = 13, .block = 1024}, "1"}, /* 64 of 64 */
                 {{.unroll = 14, .block = 1024}, "0"}, /* 68 of 64 */
                 {{.unroll = 15, .block = 896}, "1"},  /* 72 of 72 */
                 {{.unroll = 16, .block = 896}, "0"},  /* 76 of 72 */
                 {{.unroll = 16, .block = 832}, "0"},  /* 76 of 72: 78 in steps of 8 */
                 {{.unroll = 16, .block = 800}, "1"}}; /* 76 of 80 */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
        assert_string_equal(constant_of(&spec, &cases[i].tuning, "JR_WORDS"), cases[i].words);
    }
}

TEST(what_the_words_kernel_does_not_serve_is_not_named_for_it) {
    const jr_value initial = {JR_F32, {.f32 = 7}};
    static const jr_op ops[] = {JR_OP_MIN, JR_OP_MAX};
    const jr_spec cases[] = {
        {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_F64},
        {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_I16},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32}, /* accumulates in i64 */
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .accumulate = JR_F64},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .result = JR_F64},
        {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_F32, .nan = JR_NAN_IGNORE},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .nan = JR_NAN_IGNORE},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .initial = &initial},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x * x"},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .input_count = 2, .where = "y > 0"},
        {.size = sizeof(jr_spec), .op = JR_OP_DOT, .type = JR_F32},
        {.size = sizeof(jr_spec), .op = JR_OP_MEAN, .type = JR_F32},
        {.size = sizeof(jr_spec), .ops = ops, .op_count = 2, .type = JR_F32}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(constant_of(&cases[i], &usual, "JR_WORDS"), "0");
        assert_null(constant_of(&cases[i], &usual, "JR_WORD_OPERATOR"));
    }
    const jr_tuning dynamic = {.unroll = 4, .block = 256, .shared_dynamic = true};
    assert_string_equal(constant_of(&JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32), &dynamic, "JR_WORDS"), "0");
}

/* Sums and means of floats, and no other kernels, get JR_ADDS_FLOATS. */
TEST(sums_and_means_of_floats_are_told_from_all_else) {
    const jr_value initial = {JR_F64, {.f64 = 7}};
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_VAR};
    const jr_spec adding[] = {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_E4M3},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32, .accumulate = JR_F64},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F64, .initial = &initial},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F16, .finish = "a / n"},
                              {.size = sizeof(jr_spec), .op = JR_OP_MEAN, .type = JR_F32},
                              {.size = sizeof(jr_spec), .op = JR_OP_DOT, .type = JR_BF16}};
    const jr_spec others[] = {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .accumulate = JR_I64},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .where = "x > 0"},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .nan = JR_NAN_IGNORE},
                              {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .kept = 1},
                              {.size = sizeof(jr_spec), .op = JR_OP_PROD, .type = JR_F32},
                              {.size = sizeof(jr_spec), .op = JR_OP_NORM1, .type = JR_F32},
                              {.size = sizeof(jr_spec), .op = JR_OP_VAR, .type = JR_F32},
                              {.size = sizeof(jr_spec), .op = JR_OP_MEAN, .type = JR_I32},
                              {.size = sizeof(jr_spec), .ops = ops, .op_count = 1, .type = JR_F32},
                              {.size = sizeof(jr_spec), .ops = ops, .op_count = 2, .type = JR_F32}};
    for (size_t i = 0; i < sizeof adding / sizeof *adding; i++)
        assert_string_equal(constant_of(&adding[i], &usual, "JR_ADDS_FLOATS"), "1");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_string_equal(constant_of(&others[i], &usual, "JR_ADDS_FLOATS"), "0");
}

RUN_TESTS(NULL, NULL)
