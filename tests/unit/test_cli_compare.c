/* Comparisons of algorithms, of reductions and of scans. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/compare_scan.h"
#include "compare/comparison.h"
#include "io/report.h"
#include "support/fixtures/check.h"

/* The comparison of algorithms: its table and its JSON. */
static char text[16384];

static const char *print(void (*form)(const cli_comparison *comparison, FILE *out), const cli_comparison *comparison) {
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    form(comparison, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* All refuse but the first: 4 MB in half a millisecond; the memory moves 2 * 1 GHz * 512 bits = 128 GB/s. */
static cli_comparison make(void) {
    cli_comparison made = {.op_count = 2,
                           .ops = {JR_OP_MIN, JR_OP_MEAN},
                           .type = JR_F32,
                           .count = 1000000,
                           .bytes = 4000000,
                           .row_count = CLI_CONTESTANT_COUNT,
                           .device = {.name = "GPU", .memory_clock_khz = 1000000, .memory_bus_bits = 512}};
    for (int i = 0; i < CLI_CONTESTANT_COUNT; i++) {
        made.rows[i].algorithm = (jr_algorithm)(JR_ALGORITHM_SINGLE_PASS + i);
        snprintf(made.rows[i].refused, sizeof made.rows[i].refused, "it is %d", i);
    }
    made.rows[0] = (cli_contestant){.algorithm = JR_ALGORITHM_SINGLE_PASS,
                                    .values = {{.type = JR_F32, .as.f32 = -1.5f}, {.type = JR_F64, .as.f64 = NAN}},
                                    .cost = {.kernel_ms = 0.5, .launches = 1, .moved_bytes = 4000000},
                                    .registers = 40,
                                    .shared_bytes = 2048};
    return made;
}

TEST(an_unmeasured_time_gives_no_rate) {
    const cli_contestant row = {.cost = {.moved_bytes = 5}};
    assert_true(cli_contestant_gb_per_s(&row) == 0);
}

TEST(a_simulated_device_has_no_peak) {
    jr_device_info device = JR_INIT(jr_device_info, .memory_clock_khz = 3201000, .memory_bus_bits = 6144);
    assert_true(fabs(cli_peak_gb_per_s(&device) - 4916.736) < 1e-6);
    device.simulated = 1;
    assert_true(cli_peak_gb_per_s(&device) == 0);
}

TEST(the_table_has_a_line_for_each_algorithm) {
    const cli_comparison made = make();
    print(cli_comparison_table, &made);
    assert_non_null(strstr(text, "device     GPU (sm 0.0), peak 128 GB/s\n"));
    assert_non_null(strstr(text, "input      1000000 elements of f32, 4000000 bytes\noperator   min,mean\n\n"));
    assert_non_null(strstr(text, "algorithm      result  launches  bytes moved  time ms  GB/s  of peak  registers  "
                                 "shared bytes\n"));
    assert_non_null(strstr(text,
                           "single_pass  -1.5,nan         1      4000000    0.500   8.0    6.2 %         40          "
                           "2048\n"));
    assert_non_null(strstr(text, "\nNot applicable\ntwo_pass      it is 1\n"));
}

TEST(a_table_without_any_is_the_reasons) {
    cli_comparison made = make();
    snprintf(made.rows[0].refused, sizeof made.rows[0].refused, "no");
    print(cli_comparison_table, &made);
    assert_null(strstr(text, "bytes moved"));
    assert_non_null(strstr(text, "\n\nNot applicable\nsingle_pass   no\n"));
}

TEST(json_has_an_object_for_each_algorithm) {
    const cli_comparison made = make();
    print(cli_comparison_json, &made);
    assert_non_null(strstr(text, "{\"ops\": [\"min\", \"mean\"], \"input_type\": \"f32\", \"count\": 1000000, "));
    assert_non_null(strstr(text, "\"peak_gb_per_s\": 128.0}, \"algorithms\": [{\"algorithm\": \"single_pass\", "
                                 "\"applicable\": true, \"values\": [-1.5, \"nan\"], \"launches\": 1, "
                                 "\"moved_bytes\": 4000000, \"kernel_ms\": 0.500000, \"gb_per_s\": 8.000, "
                                 "\"peak_share\": 0.0625, \"registers\": 40, \"shared_bytes\": 2048}, "));
    assert_non_null(strstr(text, "{\"algorithm\": \"two_pass\", \"applicable\": false, \"reason\": \"it is 1\"}"));
}

/* All exclusive scans refuse, except the first two, whose results differ a little. */
static cli_comparison make_scan(void) {
    cli_comparison made = make();
    made.scan = "exclusive";
    made.op_count = 1;
    made.ops[0] = JR_OP_SUM;
    made.row_count = 3;
    made.rows[1] = made.rows[0];
    made.rows[1].algorithm = JR_ALGORITHM_WAVE;
    made.rows[1].apart = (cli_apart){.count = 12, .most = 0.25};
    return made;
}

TEST(the_table_of_scans_tells_how_far_results_are_apart) {
    const cli_comparison made = make_scan();
    print(cli_comparison_table, &made);
    assert_non_null(strstr(text, "operator   exclusive scan sum\n\n"));
    assert_non_null(strstr(text, "algorithm    last result  differ  most apart  launches  "));
    assert_non_null(strstr(text, "single_pass         -1.5       0           0         1  "));
    assert_non_null(strstr(text, "wave                -1.5      12        0.25         1  "));
    assert_non_null(strstr(text, "\nNot applicable\none_block     it is 2\n"));
}

TEST(json_of_scans_tells_how_far_results_are_apart) {
    cli_comparison made = make_scan();
    snprintf(made.rows[1].apart.wrong, sizeof made.rows[1].apart.wrong, "no");
    print(cli_comparison_json, &made);
    assert_non_null(strstr(text, "{\"scan\": \"exclusive\", \"ops\": [\"sum\"], "));
    assert_non_null(strstr(text, "\"values\": [-1.5], \"differ\": 0, \"most_apart\": 0, \"launches\": 1, "));
    assert_non_null(strstr(text, "\"differ\": 12, \"most_apart\": 0.25, \"wrong\": \"no\", \"launches\": 1, "));
}

TEST(structs_have_no_difference) {
    cli_comparison made = make_scan();
    made.rows[1].apart.most = NAN;
    print(cli_comparison_table, &made);
    assert_non_null(strstr(text, "wave                -1.5      12           -         1  "));
    print(cli_comparison_json, &made);
    assert_non_null(strstr(text, "\"differ\": 12, \"most_apart\": null, "));
}

TEST(a_scan_of_nothing_has_no_last_result) {
    cli_comparison made = make_scan();
    made.count = 0;
    print(cli_comparison_table, &made);
    assert_non_null(strstr(text, "single_pass            -       0  "));
    print(cli_comparison_json, &made);
    assert_non_null(strstr(text, "\"values\": [], \"differ\": 0, "));
}

/* The exact row is the last one: -1.5 as the first algorithm has it, and a mean that is no NaN. */
static cli_comparison make_exact(void) {
    cli_comparison made = make();
    made.exact = true;
    made.rows[made.row_count] = made.rows[0];
    made.rows[made.row_count].is_exact = true;
    made.rows[made.row_count].values[1].as.f64 = 2;
    made.rows[made.row_count].off[0].known = made.rows[made.row_count].off[1].known = true;
    made.rows[0].off[0] = (cli_distance){.known = true, .steps = 18446744073709551615U};
    made.row_count++;
    return made;
}

TEST(plain_results_are_told_with_how_far_they_are_off) {
    const cli_comparison made = make_exact();
    print(cli_comparison_table, &made);
    assert_non_null(strstr(text, "result                ulps off  launches"));
    assert_non_null(strstr(text, "single_pass  -1.5,nan  18446744073709551615,-         1"));
    assert_non_null(strstr(text, "exact          -1.5,2                     0,0         1"));
    print(cli_comparison_csv, &made);
    assert_non_null(strstr(text, "algorithm,min,mean,min_ulps_off,mean_ulps_off,launches,"));
    assert_non_null(strstr(text, "\nsingle_pass,-1.5,nan,18446744073709551615,,1,"));
    assert_non_null(strstr(text, "\ntwo_pass,,,,,,,,,,,,\"it is 1\"\n"));
    assert_non_null(strstr(text, "\nexact,-1.5,2,0,0,1,"));
    print(cli_comparison_json, &made);
    assert_non_null(strstr(text, "\"values\": [-1.5, \"nan\"], \"ulps_off\": [18446744073709551615, null], "));
    assert_non_null(
        strstr(text, "{\"algorithm\": \"exact\", \"applicable\": true, \"values\": [-1.5, 2], \"ulps_off\": [0, 0], "));
}

/* Results of scans held against each other by the command: which are wrong, and which are only rounded otherwise. */
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

#define ALL_OF(type, ...)                                                                                              \
    (const type[COUNT]) {                                                                                              \
        __VA_ARGS__                                                                                                    \
    }
#define APART(n, word, that) "the result of element " #n " is " word ", and that of single_pass " that

TEST(what_no_rounding_explains_is_wrong_and_told_with_its_place) {
    const struct {
        jr_op op;
        jr_type type;
        const void *expected, *results;
        uint64_t count;
        double most; /* as far as the results are apart */
        const char *wrong;
    } rows[] = {
        {JR_OP_SUM, JR_I32, ALL_OF(int32_t, 1, 3, 6, 10), ALL_OF(int32_t, 1, 3, 6, 10), 0, 0, ""},
        {JR_OP_SUM, JR_I32, ALL_OF(int32_t, 1, 3, 6, 10), ALL_OF(int32_t, 1, 3, 5, 9), 2, 1, APART(2, "5", "6")},
        /* doubles of the two are equal */
        {JR_OP_SUM, JR_U64, ALL_OF(uint64_t, 0, 0, 0, UINT64_MAX), ALL_OF(uint64_t, 0, 0, 0, UINT64_MAX - 1), 1, 0,
         APART(3, "18446744073709551614", "18446744073709551615")},
        {JR_OP_SUM, JR_F32, ALL_OF(float, 1, 1e6f, 3, NAN), ALL_OF(float, 1, 1e6f, 3.0625f, NAN), 1, 0.0625, ""},
        {JR_OP_SUM, JR_F32, ALL_OF(float, 1, 2, 3, 4), ALL_OF(float, 1, 2, 3.0625f, 4), 1, 0.0625,
         APART(2, "3.0625", "3")},
        {JR_OP_SUM, JR_F32, ALL_OF(float, 1, 2, 3, 4), ALL_OF(float, 1, 2, 3, NAN), 1, NAN, APART(3, "nan", "4")},
        {JR_OP_MIN, JR_F32, ALL_OF(float, 4, 3, 2, 1), ALL_OF(float, 4, 3, 2, 1.0000001f), 1, 0x1p-23,
         APART(3, "1.0000001", "1")},
        /* any NaN is NaN */
        {JR_OP_MIN, JR_F32, ALL_OF(uint32_t, 0x7fc00000, 0, 0, 0), ALL_OF(uint32_t, 0xffc00001, 0, 0, 0), 1, 0, ""},
        /* what an operator of the caller's makes of another order nobody knows */
        {JR_OP_CUSTOM, JR_I32, ALL_OF(int32_t, 1, 2, 3, 4), ALL_OF(int32_t, 1, 2, 3, 9), 1, 5, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cli_apart apart = hold(rows[i].op, rows[i].type, rows[i].expected, rows[i].results);
        assert_string_equal(apart.wrong, rows[i].wrong);
        assert_int_equal(apart.count, rows[i].count);
        if (!(apart.most == rows[i].most || (isnan(apart.most) && isnan(rows[i].most))))
            fail_msg("row %zu: %g apart", i, apart.most);
    }
}

TEST(a_comparison_with_wrong_results_fails) {
    cli_comparison found = {.row_count = 2, .rows = {{.algorithm = JR_ALGORITHM_SINGLE_PASS}}};
    cli_error error;
    assert_int_equal(cli_compare_scan_check(&found, &error), CLI_OK);
    found.rows[1] = (cli_contestant){.algorithm = JR_ALGORITHM_WAVE, .apart.wrong = "it is wrong"};
    assert_int_equal(cli_compare_scan_check(&found, &error), CLI_FAILURE);
    assert_string_equal(error.message, "wave: it is wrong");
}

RUN_TESTS(NULL, NULL)
