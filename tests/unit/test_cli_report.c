/* The forms of the result: JSON of every value, names escaped, the table of --stats. */
/* cache: own */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/report.h"
#include "support/fixtures/check.h"

static char text[4096];

static cli_report make_report(jr_value value) {
    return (cli_report){.op_count = 1,
                        .value_count = 1,
                        .ops = {JR_OP_SUM},
                        .values = {value},
                        .type = JR_F32,
                        .count = 1000000,
                        .bytes = 4000000,
                        .device = {.name = "H200", .capability_major = 9, .multiprocessor_count = 132},
                        .stats = {.origin = JR_ORIGIN_DISK,
                                  .algorithm = JR_ALGORITHM_TWO_PASS,
                                  .unroll = 4,
                                  .block = 256,
                                  .grid = 7,
                                  .launches = 2,
                                  .tuned_by = "wisdom of 2^10",
                                  .kernel_ms = 0.5}};
}

static const char *print(void (*form)(const cli_report *report, FILE *out), const cli_report *report) {
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    form(report, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_json_value(jr_value value, const char *expected) {
    cli_report report = make_report(value);
    char begin[96];
    snprintf(begin, sizeof begin, "{\"value\": %s, \"type\": ", expected);
    assert_memory_equal(print(cli_report_json, &report), begin, strlen(begin));
}

TEST(json_holds_finite_values_as_numbers) {
    assert_json_value((jr_value){.type = JR_U64, .as.u64 = UINT64_MAX}, "18446744073709551615");
    assert_json_value((jr_value){.type = JR_I64, .as.i64 = INT64_MIN}, "-9223372036854775808");
    assert_json_value((jr_value){.type = JR_F32, .as.f32 = -7}, "-7");
    assert_json_value((jr_value){.type = JR_F64, .as.f64 = 0.5}, "0.5");
    assert_json_value((jr_value){.type = JR_F16, .as.f16 = 0x7bff}, "65504");
    assert_json_value((jr_value){.type = JR_BF16, .as.bf16 = 0xbf80}, "-1");
    assert_json_value((jr_value){.type = JR_I8, .as.i8 = -128}, "-128");
    assert_json_value((jr_value){.type = JR_BOOL, .as.boolean = 1}, "true");
}

TEST(json_holds_other_values_as_strings) {
    assert_json_value((jr_value){.type = JR_F32, .as.f32 = NAN}, "\"nan\"");
    assert_json_value((jr_value){.type = JR_F64, .as.f64 = INFINITY}, "\"inf\"");
    assert_json_value((jr_value){.type = JR_F32, .as.f32 = -INFINITY}, "\"-inf\"");
    assert_json_value((jr_value){.type = JR_F16, .as.f16 = 0xfc00}, "\"-inf\"");
    assert_json_value((jr_value){.type = JR_BF16, .as.bf16 = 0x7fc0}, "\"nan\"");
}

TEST(json_escapes_the_name_of_the_device) {
    cli_report report = make_report((jr_value){.type = JR_F32});
    snprintf(report.device.name, sizeof report.device.name, "a\"b\\c\n\x01\xe9");
    assert_non_null(strstr(print(cli_report_json, &report), "{\"name\": \"a\\\"b\\\\c\\u000a\\u0001\\u00e9\", "));
}

TEST(several_results_are_told_by_their_operators) {
    cli_report report = make_report((jr_value){.type = JR_F32, .as.f32 = 1.5f});
    report.op_count = report.value_count = 2;
    report.ops[1] = JR_OP_ARGMAX;
    report.values[1] = (jr_value){.type = JR_I64, .as.i64 = 7};
    const char *json = "{\"results\": {\"sum\": {\"value\": 1.5, \"type\": \"f32\"}, "
                       "\"argmax\": {\"value\": 7, \"type\": \"i64\"}}, \"input_type\": \"f32\", ";
    assert_memory_equal(print(cli_report_json, &report), json, strlen(json));
    assert_string_equal(print(cli_report_value, &report), "1.5\n7\n");
    assert_non_null(strstr(print(cli_report_stats, &report), "operator   argmax, result i64\n"));
}

TEST(stats_say_what_ran_and_how_fast) {
    cli_report report = make_report((jr_value){.type = JR_F32});
    print(cli_report_stats, &report);
    assert_non_null(strstr(text, "device     H200 (sm 9.0)\n"));
    assert_non_null(strstr(text, "input      1000000 elements of f32\n"));
    assert_non_null(strstr(text, "operator   sum, result f32\n"));
    assert_non_null(strstr(text,
                           "algorithm  two_pass\nunroll     4\nblock      256\ngrid       7\ntuning     wisdom of "
                           "2^10\nlaunches   2\n"));
    assert_non_null(strstr(text, "kernel     disk hit\n"));
    assert_non_null(strstr(text, "run        0.500 ms (8.0 GB/s)\n"));
}

TEST(a_second_compile_is_told) {
    cli_report report = make_report((jr_value){.type = JR_F32});
    report.stats.origin = JR_ORIGIN_COMPILED;
    report.stats.compiled_again = 1;
    assert_non_null(strstr(print(cli_report_stats, &report), ", again without --minimal and --Ofast-compile"));
    assert_non_null(strstr(print(cli_report_json, &report), "\"compiled_again\": true"));
    report.stats.compiled_again = 0;
    assert_null(strstr(print(cli_report_stats, &report), "again"));
    assert_non_null(strstr(print(cli_report_json, &report), "\"compiled_again\": false"));
}

TEST(an_unmeasured_time_gives_no_rate) {
    cli_report report = make_report((jr_value){.type = JR_F32});
    report.stats.kernel_ms = 0;
    assert_true(cli_report_gb_per_s(&report) == 0.0);
}

RUN_TESTS(NULL, NULL)
