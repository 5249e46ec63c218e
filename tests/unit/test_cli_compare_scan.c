/* Results of scans held against each other by the command: which are wrong, and which are only rounded otherwise. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare_scan.h"
#include "support/fixtures/check.h"

enum { COUNT = 4 };

/* What is found of COUNT results, those of single_pass and others. */
static cli_apart hold(jr_op op, jr_type type, const void *expected, const void *results) {
    static unsigned char both[2][COUNT * sizeof(double)];
    cli_request request = {.ops = {op}, .op_count = 1};
    request.results = JR_INIT(jr_result_layout, .count = 1, .bytes = jr_type_size(type), .types = {type});
    const cli_compare_scan scan = {.request = &request,
                                   .count = COUNT,
                                   .bytes = COUNT * jr_type_size(type),
                                   .first = JR_ALGORITHM_SINGLE_PASS,
                                   .expected = both[0],
                                   .results = both[1]};
    cli_apart apart = {.count = 0};
    memcpy(both[0], expected, scan.bytes);
    memcpy(both[1], results, scan.bytes);
    cli_compare_scan_hold(&scan, &apart);
    return apart;
}

TEST(equal_results_are_not_apart) {
    const int32_t sums[COUNT] = {1, 3, 6, 10};
    const cli_apart apart = hold(JR_OP_SUM, JR_I32, sums, sums);
    (void)state;
    assert_true(apart.count == 0 && apart.most == 0);
    assert_string_equal(apart.wrong, "");
}

TEST(an_integer_that_differs_is_wrong_and_told_with_its_place) {
    const int32_t sums[COUNT] = {1, 3, 6, 10}, others[COUNT] = {1, 3, 5, 9};
    const cli_apart apart = hold(JR_OP_SUM, JR_I32, sums, others);
    (void)state;
    assert_true(apart.count == 2 && apart.most == 1);
    assert_string_equal(apart.wrong, "the result of element 2 is 5, and that of single_pass 6");
}

/* Doubles of the two are equal. */
TEST(the_last_bit_of_64_counts) {
    const uint64_t sums[COUNT] = {0, 0, 0, UINT64_MAX}, others[COUNT] = {0, 0, 0, UINT64_MAX - 1};
    const cli_apart apart = hold(JR_OP_SUM, JR_U64, sums, others);
    (void)state;
    assert_true(apart.count == 1);
    assert_string_equal(
        apart.wrong, "the result of element 3 is 18446744073709551614, and that of single_pass 18446744073709551615");
}

TEST(sums_of_floats_may_round_otherwise) {
    const float sums[COUNT] = {1, 1e6f, 3, NAN}, others[COUNT] = {1, 1e6f, 3.0625f, NAN};
    const cli_apart apart = hold(JR_OP_SUM, JR_F32, sums, others);
    (void)state;
    assert_true(apart.count == 1 && apart.most == 0.0625);
    assert_string_equal(apart.wrong, "");
}

TEST(sums_of_floats_that_no_rounding_explains_are_wrong) {
    const float sums[COUNT] = {1, 2, 3, 4}, others[COUNT] = {1, 2, 3.0625f, 4}, lost[COUNT] = {1, 2, 3, NAN};
    (void)state;
    assert_string_equal(hold(JR_OP_SUM, JR_F32, sums, others).wrong,
                        "the result of element 2 is 3.0625, and that of single_pass 3");
    const cli_apart apart = hold(JR_OP_SUM, JR_F32, sums, lost);
    assert_true(apart.count == 1 && isnan(apart.most));
    assert_string_equal(apart.wrong, "the result of element 3 is nan, and that of single_pass 4");
}

TEST(an_extreme_is_never_rounded) {
    const float least[COUNT] = {4, 3, 2, 1}, others[COUNT] = {4, 3, 2, 1.0000001f};
    (void)state;
    assert_string_equal(hold(JR_OP_MIN, JR_F32, least, others).wrong,
                        "the result of element 3 is 1.0000001, and that of single_pass 1");
}

TEST(any_nan_is_nan) {
    const uint32_t one[COUNT] = {0x7fc00000, 0, 0, 0}, other[COUNT] = {0xffc00001, 0, 0, 0};
    const cli_apart apart = hold(JR_OP_MIN, JR_F32, one, other);
    (void)state;
    assert_true(apart.count == 1 && apart.most == 0);
    assert_string_equal(apart.wrong, "");
}

/* What an operator of the caller's makes of another order nobody knows. */
TEST(own_operators_are_counted_and_not_judged) {
    const int32_t one[COUNT] = {1, 2, 3, 4}, other[COUNT] = {1, 2, 3, 9};
    const cli_apart apart = hold(JR_OP_CUSTOM, JR_I32, one, other);
    (void)state;
    assert_true(apart.count == 1 && apart.most == 5);
    assert_string_equal(apart.wrong, "");
}

TEST(a_comparison_with_wrong_results_fails) {
    cli_comparison found = {.row_count = 2, .rows = {{.algorithm = JR_ALGORITHM_SINGLE_PASS}}};
    cli_error error;
    (void)state;
    assert_int_equal(cli_compare_scan_check(&found, &error), CLI_OK);
    found.rows[1] = (cli_contestant){.algorithm = JR_ALGORITHM_WAVE, .apart.wrong = "it is wrong"};
    assert_int_equal(cli_compare_scan_check(&found, &error), CLI_FAILURE);
    assert_string_equal(error.message, "wave: it is wrong");
}

RUN_TESTS(NULL, NULL)
