/* What bench works out of medians, what it holds for equal results, and its CSV. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cli_error.h"
#include "bench/bench_data.h"
#include "bench/bench_form.h"
#include "bench/bench_run.h"
#include "support/fixtures/check.h"

static char text[16384];

/* Ours, two read loops and a peer, over six sizes: 2 us + bytes / 1000 GB/s, and others' multiples of it. */
enum { OURS, SLOW_READ, FAST_READ, PEER, CONTESTANTS, SIZES = 6 };

static cli_options options;
static cli_bench_work work;

static cli_bench make(void) {
    static const double factors[CONTESTANTS] = {1, 0.9, 0.5, 3};
    static cli_bench_work *works[] = {&work};
    options = (cli_options){.op_count = 1};
    work = (cli_bench_work){.ops = {JR_OP_SUM}, .op_count = 1, .type = JR_F32, .row_count = SIZES};
    for (int r = 0; r < SIZES; r++) {
        cli_bench_row *row = &work.rows[r];
        row->count = UINT64_C(1000) << (2 * r);
        row->bytes = 4 * row->count;
        row->rounds = 21;
        row->stats = JR_INIT(jr_stats, .algorithm = JR_ALGORITHM_TWO_PASS, .unroll = 4, .block = 256, .grid = 7,
                             .tuned_by = "wisdom of 2^20");
        for (int i = 0; i < CONTESTANTS; i++) {
            const double us = factors[i] * (2 + (double)row->bytes / 1e6);
            row->cells[i] = (cli_bench_cell){
                .there = true, .us = {us, us - 1, us + 1, us - 2, us + 2}, .ratio = factors[i], .bytes = row->bytes};
        }
    }
    return (cli_bench){.options = &options,
                       .device = {.name = "GPU", .driver_version = 13000},
                       .nvrtc = "13.0",
                       .command = "jitreduce bench",
                       .rounds = 21,
                       .cold_bytes = 1 << 30,
                       .contestants = {{.name = "jitreduce"},
                                       {.sets_ceiling = true, .about = "loop a", .name = "read a"},
                                       {.sets_ceiling = true, .about = "loop b", .name = "read b"},
                                       {.about = "cub.so", .name = "CUB \"3\", new"}},
                       .contestant_count = CONTESTANTS,
                       .works = works,
                       .work_count = 1};
}

static void is_near(double got, double wanted) {
    if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted))) fail_msg("%.17g is not %.17g", got, wanted);
}

TEST(the_ceiling_is_the_fastest_read_loop) {
    cli_bench bench = make();
    assert_int_equal(cli_bench_ceiling(&bench, &work.rows[0]), FAST_READ);
    is_near(cli_bench_share(&bench, &work.rows[3], OURS), 0.5);
    is_near(cli_bench_share(&bench, &work.rows[3], FAST_READ), 1);
    work.rows[0].cells[FAST_READ].there = false;
    assert_int_equal(cli_bench_ceiling(&bench, &work.rows[0]), SLOW_READ);
    bench.contestant_count = 1;
    assert_int_equal(cli_bench_ceiling(&bench, &work.rows[0]), -1);
    assert_true(cli_bench_share(&bench, &work.rows[0], OURS) == 0);
}

TEST(rates_are_bytes_over_the_median) {
    const cli_bench bench = make();
    (void)bench;
    is_near(cli_bench_gb_per_s(&work.rows[0], OURS), 4000 / 2.004 / 1e3);
    work.rows[0].cells[OURS].us.median = 0;
    assert_true(cli_bench_gb_per_s(&work.rows[0], OURS) == 0);
}

TEST(a_line_is_fitted_from_five_sizes_on) {
    const cli_bench bench = make();
    cli_bench_fit(&bench, &work);
    assert_true(work.fitted[OURS] && work.fitted[PEER]);
    is_near(work.fits[OURS].intercept, 2);
    is_near(cli_bench_fit_gb_per_s(&work.fits[OURS]), 1000);
    is_near(work.fits[PEER].intercept, 6);
    is_near(cli_bench_fit_gb_per_s(&work.fits[PEER]), 1000.0 / 3);
    work.rows[0].cells[PEER].there = work.rows[1].cells[PEER].there = false;
    cli_bench_fit(&bench, &work);
    assert_true(work.fitted[OURS] && !work.fitted[PEER]);
    assert_true(cli_bench_fit_gb_per_s(&(cli_line){.intercept = 3, .slope = -1e-9}) == 0);
}

/* Four devices take 5 us where one takes 4 us for its quarter of the bytes. */
TEST(a_groups_speedup_is_its_rate_over_that_of_one_device) {
    cli_bench bench = make();
    cli_bench_cell *cells = work.rows[0].cells;
    bench.contestant_count = 3;
    bench.contestants[0].devices = bench.contestants[1].devices = 4; /* ours and a peer */
    bench.contestants[2].devices = 1;
    cells[0].us.median = 5;
    cells[1].us.median = 1;
    cells[2].us.median = 4;
    cells[0].bytes = cells[1].bytes = 4 * cells[2].bytes;
    is_near(cli_bench_gb_per_s(&work.rows[0], 0), 16000 / 5.0 / 1e3);
    is_near(cli_bench_speedup(&bench, &work.rows[0]), 3.2);
    bench.contestant_count = 2;
    assert_true(cli_bench_speedup(&bench, &work.rows[0]) == 0);
}

TEST(csv_quotes_what_has_commas_and_leaves_open_what_is_not_there) {
    const cli_bench bench = make();
    work.row_count = 1;
    work.rows[0].cells[PEER].there = false;
    snprintf(work.rows[0].cells[PEER].note, sizeof work.rows[0].cells[PEER].note, "it fails, with 7");
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    assert_non_null(out);
    cli_bench_csv.begin(&bench, out);
    cli_bench_csv.work(&bench, &work, out);
    cli_bench_csv.end(&bench, out);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "# device: GPU\n# driver: unknown, CUDA 13.0\n# nvrtc: 13.0\n"));
    assert_non_null(strstr(text, "\nsum,f32,1000,4000,launches back to back,cold,jitreduce,2.0040,1.0040,3.0040,0.0040,"
                                 "4.0040,1.996,0.5000,1.0000,21,two_pass uf 4 block 256 grid 7; wisdom of 2^20,\n"));
    assert_non_null(strstr(text, ",\"CUB \"\"3\"\", new\",,,,,,,,,,,\"it fails, with 7\"\n"));
    const char *head = strstr(text, "op,type,");
    int fields[3] = {0};
    for (int line = 0; line < 3; line++, head++)
        for (bool quoted = false; *head != '\n'; head++) {
            quoted ^= *head == '"';
            fields[line] += *head == ',' && !quoted;
        }
    assert_int_equal(fields[1], fields[0]);
    assert_int_equal(fields[2], fields[0]);
}

TEST(works_are_named_by_their_operators) {
    const cli_bench_work list = {.ops = {JR_OP_SUM, JR_OP_MIN, JR_OP_ARGMAX}, .op_count = 3};
    char name[128];
    assert_string_equal(cli_bench_work_text(&list, name), "sum+min+argmax");
}

TEST(runs_take_slots_in_turn) {
    enum { MEBI = 1 << 20 };
    char *memory = (char *)&work; /* an address; nothing is read */
    cli_bench_data data = {.memory = memory, .bytes = 8 * MEBI, .type = JR_F32};
    assert_int_equal(cli_bench_slot_bytes(JR_F32, 100, 0, 1), 512);
    assert_int_equal(cli_bench_slot_bytes(JR_F32, 128, 1, 2), 1536);
    cli_bench_data_cut(&data, 128, 1, 2, MEBI);
    assert_int_equal(data.slot_count, MEBI / 1536);
    assert_ptr_equal(cli_bench_array(&data, 0, 0, false), memory + 4);
    assert_ptr_equal(cli_bench_array(&data, 0, 0, true), memory);
    assert_ptr_equal(cli_bench_array(&data, 1, 1, false), memory + 1536 + 768 + 4);
    assert_ptr_equal(cli_bench_slot(&data, data.slot_count + 2), memory + 3072);
    cli_bench_data_cut(&data, MEBI, 0, 1, MEBI); /* 4 MiB each: two, though one spans enough */
    assert_int_equal(data.slot_count, 2);
    cli_bench_data_cut(&data, 2 * MEBI, 0, 1, MEBI); /* and one where there is no room for two */
    assert_int_equal(data.slot_count, 1);
    cli_bench_data_cut(&data, 128, 0, 1, 0);
    assert_int_equal(data.slot_count, 1);
}

static bool agree(jr_op op, jr_value a, jr_value b) {
    return cli_values_agree(op, &a, &b, 1000);
}

TEST(integers_agree_as_far_as_both_reach) {
    const jr_value wide = {.type = JR_I64, .as.i64 = INT64_C(0x100000005)}, narrow = {.type = JR_I32, .as.i32 = 5};
    assert_true(agree(JR_OP_SUM, wide, narrow));
    assert_true(agree(JR_OP_SUM, narrow, wide));
    assert_false(agree(JR_OP_SUM, wide, (jr_value){.type = JR_I32, .as.i32 = 6}));
    assert_false(agree(JR_OP_SUM, wide, (jr_value){.type = JR_I64, .as.i64 = 5}));
    assert_true(agree(JR_OP_SUM, (jr_value){.type = JR_I64, .as.i64 = -1}, (jr_value){.type = JR_I32, .as.i32 = -1}));
}

static jr_value f32(float number) {
    return (jr_value){.type = JR_F32, .as.f32 = number};
}

TEST(sums_of_floats_may_round_otherwise_and_extrema_may_not) {
    assert_true(agree(JR_OP_SUM, f32(1000), f32(1000.001f)));
    assert_false(agree(JR_OP_SUM, f32(1000), f32(1000.1f)));
    assert_false(agree(JR_OP_MIN, f32(1000), f32(1000.0001f)));
    assert_true(agree(JR_OP_MIN, f32(-3), f32(-3)));
    assert_true(agree(JR_OP_SUM, f32(NAN), f32(NAN)));
    assert_false(agree(JR_OP_SUM, f32(NAN), f32(1)));
    assert_false(agree(JR_OP_SUM, f32(INFINITY), f32(1)));
    assert_true(agree(JR_OP_SUM, f32(0.1f), (jr_value){.type = JR_F64, .as.f64 = 0.1}));
    assert_false(
        agree(JR_OP_SUM, (jr_value){.type = JR_F64, .as.f64 = 1}, (jr_value){.type = JR_F64, .as.f64 = 1 + 1e-9}));
}

RUN_TESTS(NULL, NULL)
