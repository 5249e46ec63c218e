/* Numbers as text: exact integers, correctly rounded floats, counts of the command line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "base/number.h"
#include "support/fixtures/check.h"

static cli_number_status parse(jr_type type, const char *text, void *element) {
    return cli_number_parse(type, text, text + strlen(text), element);
}

static uint32_t f32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t f64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void assert_f32_as_strtof(const char *text) {
    float expected = strtof(text, NULL), got = 0;
    assert_int_equal(parse(JR_F32, text, &got), CLI_NUMBER_OK);
    if (f32_bits(expected) != f32_bits(got))
        fail_msg("%s: %a, and strtof says %a", text, (double)got, (double)expected);
}

static void assert_f64_as_strtod(const char *text) {
    double expected = strtod(text, NULL), got = 0;
    assert_int_equal(parse(JR_F64, text, &got), CLI_NUMBER_OK);
    if (f64_bits(expected) != f64_bits(got)) fail_msg("%s: %a, and strtod says %a", text, got, expected);
}

TEST(what_is_no_number_is_refused) {
    static const char *const none[] = {
        "",    "+",   "-",  ".",  "e5", "1e",   "1e+",  "1.2.3", "0x10", "1_000", "abc",  "na",      "nanx",  "infin",
        "--1", "+-1", "1 ", " 1", "1f", "\x80", "1e5x", "i",     "-e1",  ".e1",   "1..2", "infinit", "nan()", "1d0"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        double value;
        int64_t number;
        if (parse(JR_F64, none[i], &value) != CLI_NUMBER_NONE) fail_msg("'%s' was taken for an f64", none[i]);
        if (parse(JR_F32, none[i], &value) != CLI_NUMBER_NONE) fail_msg("'%s' was taken for an f32", none[i]);
        if (parse(JR_I64, none[i], &number) != CLI_NUMBER_NONE) fail_msg("'%s' was taken for an i64", none[i]);
    }
}

TEST(integers_take_whole_numbers_only) {
    int32_t value = 5;
    assert_int_equal(parse(JR_I32, "2.5", &value), CLI_NUMBER_NOT_INTEGER);
    assert_int_equal(parse(JR_I32, "1e3", &value), CLI_NUMBER_NOT_INTEGER);
    assert_int_equal(parse(JR_I32, "inf", &value), CLI_NUMBER_NOT_INTEGER);
    assert_int_equal(parse(JR_I32, "-nan", &value), CLI_NUMBER_NOT_INTEGER);
    assert_int_equal(value, 5);
}

TEST(integers_end_exactly_at_their_range) {
    static const struct {
        jr_type type;
        const char *text;
        cli_number_status status;
        uint64_t bits;
    } rows[] = {
        {JR_I32, "2147483647", CLI_NUMBER_OK, 2147483647u},
        {JR_I32, "2147483648", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_I32, "-2147483648", CLI_NUMBER_OK, 2147483648u},
        {JR_I32, "-2147483649", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_U32, "4294967295", CLI_NUMBER_OK, 4294967295u},
        {JR_U32, "4294967296", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_U32, "-1", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_U32, "-0", CLI_NUMBER_OK, 0},
        {JR_I64, "9223372036854775807", CLI_NUMBER_OK, INT64_MAX},
        {JR_I64, "9223372036854775808", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_I64, "-9223372036854775808", CLI_NUMBER_OK, UINT64_C(1) << 63},
        {JR_I64, "-9223372036854775809", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_U64, "+18446744073709551615", CLI_NUMBER_OK, UINT64_MAX},
        {JR_U64, "18446744073709551616", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_U64, "99999999999999999999999999", CLI_NUMBER_DOES_NOT_FIT, 0},
        {JR_U64, "0000000000000000000000000000007", CLI_NUMBER_OK, 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t bits = 0;
        if (parse(rows[i].type, rows[i].text, &bits) != rows[i].status) fail_msg("%s: another status", rows[i].text);
        if (bits != rows[i].bits) fail_msg("%s: another value", rows[i].text);
    }
}

TEST(floats_beyond_their_range_do_not_fit) {
    double value;
    assert_int_equal(parse(JR_F32, "3.5e38", &value), CLI_NUMBER_DOES_NOT_FIT);
    assert_int_equal(parse(JR_F32, "-1e99999999999999999999", &value), CLI_NUMBER_DOES_NOT_FIT);
    assert_int_equal(parse(JR_F64, "1e309", &value), CLI_NUMBER_DOES_NOT_FIT);
}

TEST(special_floats_are_taken_in_any_case) {
    double value = 0;
    assert_int_equal(parse(JR_F64, "-InFinity", &value), CLI_NUMBER_OK);
    assert_true(isinf(value) && value < 0);
    assert_int_equal(parse(JR_F64, "inf", &value), CLI_NUMBER_OK);
    assert_true(isinf(value) && value > 0);
    assert_int_equal(parse(JR_F64, "NaN", &value), CLI_NUMBER_OK);
    assert_true(isnan(value));
}

TEST(floats_are_rounded_as_strtof_and_strtod_do) {
    static const char *const texts[] = {
        "0",
        "-0",
        "0.1",
        "1.",
        ".5",
        "+1e-5",
        "1e22",
        "1e23",
        "9007199254740993",
        "123456789012345678901234567890",
        "3.4028235e38",
        "1.17549435e-38",
        "1e-45",
        "7e-46",
        "4.9e-324",
        "2e-324",
        "1e-400",
        "2.2250738585072011e-308",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        "100000000000000000000000000000000000000",
        "16777217",
        "16777219",
        "1.00000005960464477539062",
        "1.000000059604644775390625",
        "1.000000059604644775390626",
        "33554434.99999999999999999999",
        "8388609.5",
        "8388610.5",
        "18446744073709551615",
        "18446744073709551616",
        "1844674407370955160",
        "0e999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_f32_as_strtof(texts[i]);
        assert_f64_as_strtod(texts[i]);
    }
}

static uint64_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed ^ *seed >> 29;
}

TEST(random_floats_are_rounded_as_strtof_and_strtod_do) {
    uint64_t seed = 7;
    char text[64];
    for (int i = 0; i < 200000; i++) {
        uint64_t digits = next_random(&seed) >> (next_random(&seed) % 50);
        int exponent = (int)(next_random(&seed) % 58) - 45;
        snprintf(text, sizeof text, "%s%lu.%lue%d", i & 1 ? "-" : "", digits, next_random(&seed) % 100000, exponent);
        if (strtof(text, NULL) < INFINITY && strtof(text, NULL) > -INFINITY) assert_f32_as_strtof(text);
        assert_f64_as_strtod(text);
    }
}

/* t / 2^k of 54 bits lies between two doubles: it is t 5^k / 10^k. */
TEST(a_number_between_two_doubles_is_rounded_to_even_and_its_neighbours_are_not) {
    uint64_t seed = 5;
    char text[64];
    for (int i = 0; i < 50000; i++) {
        uint64_t digits = (UINT64_C(1) << 53) | (next_random(&seed) & ((UINT64_C(1) << 53) - 1)) | 1;
        const int k = (int)(next_random(&seed) % 5);
        for (int times = 0; times < k; times++) digits *= 5;
        for (int off = -1; off <= 1; off++) {
            snprintf(text, sizeof text, "%lue-%d", digits + (uint64_t)off, k);
            assert_f64_as_strtod(text);
        }
    }
}

/* As programs print them: 15 to 19 digits of numbers around 1. */
TEST(digits_of_printed_numbers_are_read_as_strtod_reads_them) {
    uint64_t seed = 13;
    char text[64];
    for (int i = 0; i < 200000; i++) {
        const uint64_t digits = next_random(&seed) >> (i % 16);
        snprintf(text, sizeof text, "%lue%d", digits, (int)(next_random(&seed) % 64) - 32);
        assert_f64_as_strtod(text);
        snprintf(text, sizeof text, "%d.%019lu", i % 7, digits % UINT64_C(10000000000000000000));
        assert_f64_as_strtod(text);
    }
}

/* Between two floats, and the bits that the double cannot hold decide: the trap of rounding twice. */
TEST(a_float_is_never_rounded_twice) {
    uint64_t seed = 11;
    char text[128];
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = 0x3f800000u + (uint32_t)(next_random(&seed) % 0x04000000u);
        float low;
        memcpy(&low, &bits, sizeof low);
        double middle = ((double)low + (double)nextafterf(low, INFINITY)) / 2;
        int length = snprintf(text, sizeof text, "%.40f", middle);
        assert_f32_as_strtof(text);
        snprintf(text + length, sizeof text - (size_t)length, "1");
        assert_f32_as_strtof(text);
        snprintf(text, sizeof text, "%.17g", nextafter(middle, 0));
        assert_f32_as_strtof(text);
    }
}

TEST(a_reason_quotes_the_token_and_names_the_type) {
    char buffer[192];
    const char *text = "30\x01"
                       "00";
    assert_string_equal(cli_number_explain(CLI_NUMBER_DOES_NOT_FIT, JR_I32, text, text + 5, buffer),
                        "'30\\x0100' does not fit i32");
    text = "2.5";
    assert_string_equal(cli_number_explain(CLI_NUMBER_NOT_INTEGER, JR_U64, text, text + 3, buffer),
                        "'2.5' is not a whole number, but the type is u64");
}

TEST(a_long_token_is_quoted_in_part) {
    char token[100], quoted[64];
    memset(token, 'x', sizeof token);
    cli_quote(token, token + sizeof token, quoted);
    assert_int_equal(strlen(quoted), 43);
    assert_string_equal(quoted + 40, "...");
    memset(token, '\xff', sizeof token);
    cli_quote(token, token + sizeof token, quoted);
    assert_true(strlen(quoted) < sizeof quoted);
}

TEST(counts_take_exponents_powers_and_suffixes) {
    static const struct {
        const char *text;
        uint64_t count;
    } rows[] = {{"0", 0},     {"1000", 1000}, {"1e8", 100000000},   {"2^20", 1 << 20}, {"100M", 100000000},
                {"3k", 3000}, {"3K", 3000},   {"1Gi", 1 << 30},     {"5Ki", 5120},     {"2T", 2000000000000},
                {"0^0", 1},   {"0^7", 0},     {"1^99999999999", 1}, {"0e99999", 0},    {"2^63", UINT64_C(1) << 63}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t count = 77;
        if (!cli_count_parse(rows[i].text, &count) || count != rows[i].count) fail_msg("%s", rows[i].text);
    }
}

TEST(counts_refuse_the_rest) {
    static const char *const texts[] = {"",   "-1", "+1",   "1.5",  "x",    "1kk",       "1i",
                                        "1e", "2^", "2^64", "1e20", "1e-3", "20000000T", "18446744073709551616",
                                        "1 ", " 1", "^3",   "k",    "1Kib"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t count = 77;
        if (cli_count_parse(texts[i], &count)) fail_msg("'%s' was taken for %lu", texts[i], count);
        assert_int_equal(count, 77);
    }
}

RUN_TESTS(NULL, NULL)
