/* Formulas of the command line: values, names, and what is refused. */
#include <stdio.h>
#include <string.h>

#include "base/cli_formula.h"
#include "support/fixtures/check.h"

static const cli_define defines[] = {{"N", "1000000"}, {"BLOCK", "256"},   {"HALF", "(N / 2)"}, {"SELF", "SELF + 1"},
                                     {"REAL", "1.5f"}, {"HEX", "0x10ull"}, {"EMPTY", ""},       {"TWO", "1 2"}};
static const cli_names names = {defines, sizeof defines / sizeof *defines};

static void is(const char *text, int64_t expected) {
    cli_error error = {.message = ""};
    int64_t value = -99;
    if (cli_formula("--grid", text, &names, &value, &error) != CLI_OK) fail_msg("'%s': %s", text, error.message);
    assert_int_equal(value, expected);
}

static void is_refused(const char *text, const char *words) {
    cli_error error = {.message = ""};
    int64_t value = -99;
    assert_int_equal(cli_formula("--grid", text, &names, &value, &error), CLI_USAGE);
    assert_int_equal(value, -99);
    assert_int_equal(strncmp(error.message, "--grid: '", 9), 0);
    if (strstr(error.message, words) == NULL) fail_msg("'%s' is not in '%s'", words, error.message);
}

TEST(arithmetic_is_that_of_c) {
    is("2 + 3 * 4 - 5", 9);
    is("(2+3)*4", 20);
    is("7 / 2 * 2", 6);
    is("-7 / 2", -3);
    is("-7 % 3", -1);
    is("- - 4 + +1", 5);
    is("10 - 4 - 3", 3);
    is(" 0x1F ", 31);
    is("9223372036854775807", INT64_MAX);
    is("-9223372036854775807 - 1", INT64_MIN);
}

TEST(comparisons_and_logic_are_those_of_c) {
    is("BLOCK * 4 <= 1024", 1);
    is("BLOCK > 256", 0);
    is("3 < 2 < 1", 1); /* (3 < 2) < 1 */
    is("2 == 2 != 0", 1);
    is("1 + 1 == 2 && 7 % 4 == 3", 1);
    is("0 && 1 || 1", 1);
    is("1 || 0 && 0", 1);
    is("!N + !!N", 1);
    is("!0 != 0", 1);
    is("-!0", -1);
    is("BLOCK >= 256 && (N % BLOCK == 0 || N > 1000)", 1);
    is("max(N < 5, 3)", 3);
    is("ceil(1 / 3 < 1 / 2)", 1);
}

TEST(what_logic_leaves_out_never_fails_for_its_numbers) {
    is("0 && 1 / 0", 0);
    is("1 || 1 % 0 || 99999999999999999999", 1);
    is("0 != 0 && N / (N - N) > 1", 0);
    is_refused("1 && 1 / 0", "divides by 0");
    is_refused("0 && NONE", "'NONE' is not defined");
    is_refused("0 && (1", "')' is missing");
    is_refused("1 & 1", "'& 1' is not allowed there");
    is_refused("1 = 1", "'= 1' is not allowed there");
    is_refused("1 <", "missing at its end");
}

TEST(ceil_is_exact) {
    is("ceil(N/BLOCK)", 3907);
    is("ceil(N / BLOCK / 3)", 1303);
    is("ceil(-7 / 2)", -3);
    is("ceil(1/2 + 1/2)", 1);
    is("ceil(1/3) * 3", 3);
    is("ceil((N + 1) / 2) / 2", 250000);
    is("ceil(7)", 7);
    is("max(1, ceil(min(N, 10) / 4))", 3);
    is("ceil(9223372036854775807 / 2)", INT64_C(4611686018427387904));
}

TEST(least_and_greatest_take_lists) {
    is("min(3, 1, 2)", 1);
    is("max(3, 1, 2)", 3);
    is("min(5)", 5);
    is("ceil(max(1/3, 1/2) * 2)", 1);
}

TEST(names_are_formulas) {
    is("HALF * 2", 1000000);
    is("HEX", 16);
    is_refused("SELF", "nested deeper than 64");
    is_refused("REAL", "'1.5f' does not begin with a whole number");
    is_refused("EMPTY", "is empty");
    is_refused("TWO", "TWO is not a formula: '2' is not allowed there");
    is_refused("BLOCKS", "'BLOCKS' is not defined; there are: N, BLOCK, HALF, SELF, REAL, HEX, EMPTY, TWO (--define "
                         "NAME=VALUE adds one)");
}

TEST(what_does_not_fit_is_refused) {
    static const char *const texts[] = {"9223372036854775808",
                                        "9223372036854775807 + 1",
                                        "-9223372036854775807 - 2",
                                        "N * N * N * N",
                                        "(-9223372036854775807 - 1) / -1",
                                        "-(-9223372036854775807 - 1)",
                                        "99999999999999999999999999",
                                        "ceil(1/9223372036854775807 + 1/9223372036854775806)"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) is_refused(texts[i], "does not fit into 64 bits");
    is("(-9223372036854775807 - 1) % -1", 0);
}

TEST(wrong_texts_are_told) {
    is_refused("", "is empty");
    is_refused("1 +", "a number or name is missing at its end");
    is_refused("(1", "')' is missing at its end");
    is_refused("1)", "')' is not allowed there");
    is_refused("1 2", "'2' is not allowed there");
    is_refused("ceil 3", "'ceil' is not defined");
    is_refused("ceil(1, 2)", "')' is expected before ', 2)'");
    is_refused("min()", "does not begin with a number");
    is_refused("1 / 0", "divides by 0");
    is_refused("1 % (1 - 1)", "divides by 0");
    is_refused("ceil((1/2) % 2)", "'%' takes whole numbers only");
    is_refused("3x", "'3x' does not begin with a whole number");
    is_refused("1e6", "'1e6' does not begin with a whole number");
    is_refused("$(ls)", "does not begin with a number");
    is_refused("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a name of 73 characters");
}

TEST(deep_nesting_is_refused) {
    char text[20001];
    memset(text, '(', 20000);
    text[20000] = '\0';
    is_refused(text, "nested deeper than 64");
    memset(text, '-', 20000);
    text[19999] = '7';
    is(text, -7);
}

TEST(names_that_never_end_are_refused) {
    static cli_define many[40];
    static char texts[40][32];
    const cli_names chain = {many, 40};
    cli_error error = {.message = ""};
    int64_t value;
    for (int i = 0; i < 40; i++) {
        snprintf(many[i].name, sizeof many[i].name, "A%d", i);
        snprintf(texts[i], sizeof texts[i], i < 39 ? "A%d + A%d" : "1", i + 1, i + 1);
        many[i].text = texts[i];
    }
    assert_int_equal(cli_formula("--grid", "A0", &chain, &value, &error), CLI_USAGE);
    assert_non_null(strstr(error.message, "more than 10000 names"));
}

RUN_TESTS(NULL, NULL)
