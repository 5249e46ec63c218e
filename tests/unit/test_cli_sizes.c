/* Lists of counts and ranges. */
#include <stdio.h>
#include <string.h>

#include "base/cli_error.h"
#include "base/number.h"
#include "base/sizes.h"
#include "support/fixtures/check.h"

TEST(what_is_no_list_is_named) {
    static const struct {
        const char *text, *item;
    } rows[] = {{"", ""},
                {"x", "x"},
                {"0", "0"},
                {"1,", ""},
                {"1,,2", ""},
                {"5..", "5.."},
                {"..5", "..5"},
                {"5..4", "5..4"},
                {"1..8*1", "1..8*1"},
                {"1..8*0", "1..8*0"},
                {"1..8*x", "1..8*x"},
                {"10,2^64", "2^64"},
                {"1*2", "1*2"},
                {"0..5", "0..5"},
                {"1...5", "1...5"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_sizes sizes = {.count = 77};
        cli_error error = {.message = ""};
        char wanted[64];
        assert_int_equal(cli_sizes_parse(rows[i].text, &sizes, &error), CLI_USAGE);
        snprintf(wanted, sizeof wanted, "--sizes: '%s", rows[i].item);
        if (strncmp(error.message, wanted, strlen(wanted)) != 0) fail_msg("'%s': %s", rows[i].text, error.message);
        assert_int_equal(sizes.count, 77);
    }
}

TEST(a_list_that_is_too_long_is_refused) {
    cli_sizes sizes = {.count = 0};
    cli_error error = {.message = ""};
    char text[2 * CLI_SIZES_MAX + 3] = "";
    for (int i = 0; i < CLI_SIZES_MAX; i++) strcat(text, i > 0 ? ",1" : "1");
    assert_int_equal(cli_sizes_parse(text, &sizes, &error), CLI_OK);
    assert_int_equal(sizes.count, CLI_SIZES_MAX);
    strcat(text, ",1");
    assert_int_equal(cli_sizes_parse(text, &sizes, &error), CLI_USAGE);
    assert_non_null(strstr(error.message, "lists more than 64 sizes"));
}

TEST(counts_and_ranges_stand_in_their_order) {
    static const struct {
        const char *text;
        int count;
        uint64_t counts[8];
    } rows[] = {
        {"7", 1, {7}},
        {"2^20,1k,3", 3, {1 << 20, 1000, 3}},
        {"4..32", 4, {4, 8, 16, 32}},
        {"2^10..2^18*4", 5, {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18}},
        {"3..20,5", 4, {3, 6, 12, 5}},
        {"9..9", 1, {9}},
        {"1..2^63*2^32", 2, {1, UINT64_C(1) << 32}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cli_sizes sizes = {.count = 0};
        cli_error error = {.message = ""};
        assert_int_equal(cli_sizes_parse(rows[i].text, &sizes, &error), CLI_OK);
        assert_int_equal(sizes.count, rows[i].count);
        assert_memory_equal(sizes.counts, rows[i].counts, (size_t)sizes.count * sizeof *sizes.counts);
    }
}

RUN_TESTS(NULL, NULL)
