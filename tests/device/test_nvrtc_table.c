/* The NVRTC at hand: every operator × type × layout compiles, its PTX runs and gives the reference's values, and
 * machine code can be made of it. By itself this takes a sample; `make check-nvrtc` (NVRTC_TABLE=whole) takes all, with
 * one NVRTC after the other. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/scan_case.h"
#include "support/cases/segment_case.h"
#include "support/every/every_row.h"
#include "support/oracle/reduce_data.h"
#include "support/oracle/reference.h"

enum { COUNT = 3001 };

static void judge_flat(const opened *device, const jr_spec *spec, uint64_t *seed) {
    unsigned char *data = test_zeros(COUNT, jr_type_size(spec->type));
    const void *const arrays[] = {data, data};
    reference expected;
    jr_value value = {0};
    reduce_data_fill(spec->op, spec->type, true, data, COUNT, seed);
    reference_reduce_arrays(spec, arrays, COUNT, &expected);
    jr_spec whole = *spec;
    whole.input_count = spec->op == JR_OP_DOT ? 2 : 1;
    works(jr_work_run_host(device->context, WORK(&whole), DATA(.in = arrays, .count = COUNT, .values = &value)));
    reference_assert(&expected, &value, COUNT, "all elements");
}

static void judge_segments(const opened *device, const jr_spec *spec, segment_case segments, uint64_t *seed) {
    const size_t bytes = jr_type_size(spec->type), result_bytes = jr_type_size(reference_result_type(spec));
    unsigned char *data = test_zeros(segments.elements, bytes), *one = test_zeros(segments.elements, bytes);
    reduce_data_fill(spec->op, spec->type, true, data, segments.elements, seed);
    unsigned char *results = segments_run(device, spec, &segments, data);
    for (uint64_t s = 0; s < segments.count; s++) {
        const uint64_t length = segments_length(&segments, s);
        reference expected;
        for (uint64_t k = 0; k < length; k++)
            memcpy(one + k * bytes, data + segments_element(&segments, s, k) * bytes, bytes);
        reference_reduce(spec, one, length, &expected);
        if (expected.empty) continue;
        jr_value got = {.type = expected.value.type};
        memcpy(got.as.bytes, results + s * result_bytes, result_bytes);
        reference_assert(&expected, &got, (double)length, "a segment");
    }
}

static void judge_equal(const opened *device, const jr_spec *spec, uint64_t *seed) {
    judge_segments(device, spec, segments_equal(7, 61), seed);
}

static void judge_offsets(const opened *device, const jr_spec *spec, uint64_t *seed) {
    judge_segments(device, spec, segments_random(20, 90, seed), seed);
}

static void judge_axis(const opened *device, const jr_spec *spec, uint64_t *seed) {
    judge_segments(device, spec, segments_strided(2, 19, 33), seed);
}

static void judge_scan(const opened *device, const jr_spec *spec, uint64_t *seed) {
    enum { BYTES = 8 };
    static unsigned char data[COUNT * BYTES], results[COUNT * BYTES];
    scan_oracle oracle = {.op = spec->op, .type = spec->type};
    scan_fill(spec->op, spec->type, data, COUNT, seed);
    jr_plan *plan = scan_plan(device, spec, JR_WORK_SCAN_INCLUSIVE);
    scan_run(device, plan, (scan_data){data, jr_type_size(spec->type), COUNT}, (scan_places){0, 0}, results);
    for (uint64_t i = 0; i < COUNT; i++) {
        scan_oracle_take(&oracle, scan_read(spec->type, data, i));
        if (scan_read(jr_plan_result_type(plan), results, i) != scan_oracle_result(&oracle))
            fail_msg("result %llu is wrong", (unsigned long long)i);
    }
    jr_plan_destroy(plan);
}

static bool has_scan(jr_op op) {
    return op <= JR_OP_ARGMAX; /* what scan_oracle knows */
}

static const struct {
    const char *name;
    void (*judge)(const opened *device, const jr_spec *spec, uint64_t *seed);
} layouts[] = {{"flat", judge_flat},
               {"equal segments", judge_equal},
               {"offsets", judge_offsets},
               {"axis", judge_axis},
               {"scan", judge_scan}};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

static bool is_in_table(jr_op op, jr_type type, int layout) {
    jr_type result;
    if (op == JR_OP_CUSTOM || jr_result_type(op, type, &result) != JR_OK) return false;
    if (op == JR_OP_DOT && layout != 0) return false; /* the others have one input here */
    return layouts[layout].judge != judge_scan || has_scan(op);
}

static bool is_whole(void) {
    const char *table = getenv("NVRTC_TABLE");
    return table != NULL && strcmp(table, "whole") == 0;
}

DEVICE_TEST(every_operator_type_and_layout_compiles_and_runs) {
    const bool whole = is_whole();
    uint64_t seed = 14;
    int run = 0, at = 0;
    for (int o = 0; o < EVERY_OPS; o++)
        for (int t = 0; t < EVERY_TYPES; t++)
            for (int l = 0; l < LAYOUTS; l++) {
                if (!is_in_table(every_op[o], every_type[t], l)) continue;
                if (!whole && at++ % 97 != 0) continue; /* prime to the number of types and layouts */
                const jr_spec spec = JR_INIT(jr_spec, .op = every_op[o], .type = every_type[t]);
                print_message("%s %s, %s\n", jr_op_name(every_op[o]), jr_type_name(every_type[t]), layouts[l].name);
                layouts[l].judge(device, &spec, &seed);
                run++;
            }
    print_message("%d of the table\n", run);
    assert_true(run >= (whole ? 800 : 8));
}

/* The simulator is given PTX alone: that a GPU's machine code can be made, by the same NVRTC, is seen here. */
TEST(operators_and_scans_become_machine_code) {
    static const char *const architectures[] = {"sm_90"};
    int added = 0, at = 0;
    jr_pack *pack = NULL;
    works(jr_pack_create(NULL, &JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1),
                         &pack));
    for (int o = 0; o < EVERY_OPS; o++)
        for (int t = 0; t < EVERY_TYPES; t++)
            for (int scan = 0; scan < 2; scan++) {
                if (!is_in_table(every_op[o], every_type[t], scan ? LAYOUTS - 1 : 0)) continue;
                if (!is_whole() && at++ % 97 != 0) continue; /* odd, so that both come in turn */
                const jr_spec spec = JR_INIT(jr_spec, .op = every_op[o], .type = every_type[t], .capacity = COUNT);
                works(scan ? jr_work_pack_add(pack, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE))
                           : jr_work_pack_add(pack, WORK(&spec)));
                added++;
            }
    jr_pack_destroy(pack);
    print_message("%d of the table\n", added);
    assert_true(added >= (is_whole() ? 300 : 3));
}

DEVICE_TEST(no_compile_needs_a_second_attempt) {
    jr_counters counters = JR_INIT(jr_counters);
    works(jr_context_counters(device->context, &counters));
    assert_int_equal(counters.compiles_again, 0);
}

RUN_TESTS(open_context, close_context)
