/* What the command is built on: names of devices, settings, lists of sizes, distances of results. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "base/cli_settings.h"
#include "base/distance.h"
#include "base/number.h"
#include "base/sizes.h"
#include "io/cli_device.h"
#include "support/fixtures/check.h"
#include <jitreduce.h>

/* Tests of the names of devices: which are a group, and who takes one. */
TEST(commands_of_one_device_refuse_a_group) {
    const cli_options four = {.device = "sim:4"}, one = {.device = "cuda:4"},
                      axis = {.device = "sim:4", .axis_count = 1}, keyed = {.device = "sim:4", .keys = "k.npy"},
                      ranks = {.device = "sim", .keys = "k.npy", .mpi = true};
    cli_error error;
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_TUNE, "tune", &error), CLI_USAGE);
    assert_string_equal(error.message,
                        "--device: 'sim:4' is a group of devices, and 'tune' works on one: cuda:N or sim");
    assert_int_equal(cli_device_check(&axis, CLI_SCOPE_REDUCE, "reduce", &error), CLI_OK);
    assert_int_equal(cli_device_check(&axis, CLI_SCOPE_SCAN, "scan", &error), CLI_OK);
    assert_int_equal(cli_device_check(&keyed, CLI_SCOPE_REDUCE, "reduce", &error), CLI_OK);
    assert_int_equal(cli_device_check(&ranks, CLI_SCOPE_REDUCE, "reduce", &error), CLI_USAGE);
    assert_string_equal(error.message, "--mpi: keys go through one device of one process");
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_REDUCE, "reduce", &error), CLI_OK);
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_BENCH, "bench", &error), CLI_OK);
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_DOCTOR, "doctor", &error), CLI_OK);
    assert_int_equal(cli_device_check(&one, CLI_SCOPE_TUNE, "tune", &error), CLI_OK);
}

TEST(lists_and_counts_and_all_are_a_group) {
    static const struct {
        const char *device;
        bool is_group;
    } cases[] = {{"cuda:all", true}, {"cuda:0,2", true}, {"sim:4", true},  {"sim:1", true}, {"sim:all", true},
                 {"sim:0,0", true},  {"cuda:4", false},  {"sim#1", false}, {"auto", false}, {"sim", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cli_device_is_group(&(cli_options){.device = cases[i].device}), cases[i].is_group);
}

/* The command shows the settings of the library, and asks it for the device. */
static char printed[8192];

static const char *print(int values) {
    memset(printed, 0, sizeof printed);
    FILE *out = fmemopen(printed, sizeof printed - 1, "w");
    assert_non_null(out);
    cli_settings_print(out, values);
    assert_int_equal(fclose(out), 0);
    return printed;
}

TEST(every_variable_of_the_library_is_shown) {
    print(0);
    assert_true(jr_variable_count() > 10);
    for (int i = 0; i < jr_variable_count(); i++) {
        assert_non_null(strstr(printed, jr_variable_get(i).name));
        assert_non_null(strstr(printed, jr_variable_get(i).text));
    }
}

TEST(values_are_shown_where_there_are_any) {
    setenv("JRSIM_SEED", "17", 1);
    assert_non_null(strstr(print(1), "  * JRSIM_SEED             \"17\"\n"));
    unsetenv("JRSIM_SEED");
    assert_non_null(strstr(print(1), "    JRSIM_SEED             (not set)\n"));
}

TEST(a_variable_that_is_none_is_empty) {
    assert_null(jr_variable_get(-1).name);
    assert_null(jr_variable_get(jr_variable_count()).text);
}

TEST(an_empty_device_is_no_device) {
    setenv("JITREDUCE_DEVICE", "", 1);
    assert_null(cli_settings_device());
    setenv("JITREDUCE_DEVICE", "sim", 1);
    assert_string_equal(cli_settings_device(), "sim");
}

/* Lists of counts and ranges. */
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

/* How far results are apart: in steps from each number of a type to the next. */
static jr_value of_f32(float x) {
    return (jr_value){.type = JR_F32, .as.f32 = x};
}

static jr_value of_f64(double x) {
    return (jr_value){.type = JR_F64, .as.f64 = x};
}

static void assert_steps(jr_value one, jr_value other, uint64_t steps) {
    const cli_distance forth = cli_distance_of(&one, &other), back = cli_distance_of(&other, &one);
    assert_true(forth.known && back.known);
    assert_true(forth.steps == steps && back.steps == steps);
}

static void assert_unknown(jr_value one, jr_value other) {
    char text[CLI_DISTANCE_BYTES];
    const cli_distance found = cli_distance_of(&one, &other);
    assert_false(found.known);
    assert_string_equal(cli_distance_text(&found, text), "-");
}

TEST(neighbours_are_a_step_apart_across_powers_of_2_and_0) {
    assert_steps(of_f32(1), of_f32(1), 0);
    assert_steps(of_f32(1), of_f32(nextafterf(1, 2)), 1);
    assert_steps(of_f32(1), of_f32(nextafterf(1, 0)), 1);
    assert_steps(of_f32(-1), of_f32(nextafterf(-1, 0)), 1);
    assert_steps(of_f32(0), of_f32(-0.0F), 0);
    assert_steps(of_f32(0x1p-149F), of_f32(-0x1p-149F), 2);
    assert_steps(of_f32(1), of_f32(2), 1 << 23);
    assert_steps(of_f64(1), of_f64(1 + 3 * DBL_EPSILON), 3);
    assert_steps(of_f64(DBL_MAX), of_f64(INFINITY), 1);
    assert_steps((jr_value){.type = JR_F16, .as.f16 = 0x3c00}, (jr_value){.type = JR_F16, .as.f16 = 0x4000}, 1024);
    assert_steps((jr_value){.type = JR_E4M3, .as.e4m3 = 0x81}, (jr_value){.type = JR_E4M3, .as.e4m3 = 0x02}, 3);
}

TEST(the_ends_of_f64_are_farthest_apart) {
    assert_steps(of_f64(-INFINITY), of_f64(INFINITY), UINT64_C(2) * 0x7ff0000000000000);
}

TEST(nan_is_at_no_distance_but_from_nan) {
    assert_steps(of_f32(NAN), of_f32(-NAN), 0);
    assert_unknown(of_f32(NAN), of_f32(1));
    assert_unknown(of_f64(1), of_f64(NAN));
    assert_unknown((jr_value){.type = JR_E4M3, .as.e4m3 = 0x7f}, (jr_value){.type = JR_E4M3, .as.e4m3 = 0x7e});
}

TEST(what_is_no_float_is_the_same_or_not) {
    const jr_value seven = {.type = JR_I64, .as.i64 = 7}, eight = {.type = JR_I64, .as.i64 = 8};
    assert_steps(seven, seven, 0);
    assert_unknown(seven, eight);
    assert_unknown(seven, of_f64(7));
    assert_unknown((jr_value){.type = JR_STRUCT}, (jr_value){.type = JR_STRUCT});
}

RUN_TESTS(NULL, NULL)
