/* Tuning a scan: what is tried, and what is compared with the estimate. */
#include "support/cases/tuning_case.h"

#include <stdlib.h>
#include <string.h>

#include "tune/verify.h"

enum { COUNT = 3000, ALGORITHMS = 5 };

/* The bounds of README ("Scans") for 2^20 floats by 4 loads of blocks of 128 threads, which has 512 tiles of these: how
 * often an element is added at most. */
static const struct {
    jr_algorithm algorithm;
    int rows, bound;
} algorithms[ALGORITHMS] = {{JR_ALGORITHM_SINGLE_PASS, 0, 4 + 8 + 512 / 128 + 29},
                            {JR_ALGORITHM_THREE_PASS, 8, 4 + 8 + 2 * 512 / 8 + 1 + 29},
                            {JR_ALGORITHM_BULK_COPY, 0, 4 * 4 + 8 + 4 * 512 / 64 + 29},
                            {JR_ALGORITHM_WAVE, 0, 4 + 8 + 37 + 2 * 512 / 256},
                            {JR_ALGORITHM_ONE_BLOCK, 0, 4 + 8 + 512 + 29}};

static const jr_spec sum_i32 = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};

static jr_tuned tune(const jr_spec *spec, jr_work_kind kind) {
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = tuning_tell, .user = &tuning_reports);
    jr_tuned tuned = JR_INIT(jr_tuned);
    works(jr_work_tune(tuning_context, WORK(spec, .kind = kind), COUNT, &options, &tuned));
    assert_int_equal(tuned.count, COUNT);
    assert_int_equal(tuned.measured + tuned.failed, tuning_reports.count);
    return tuned;
}

TEST_BETWEEN(arguments_that_are_wrong_are_named, tuning_begin, tuning_end) {
    const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX};
    const jr_spec list = JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_F32);
    const jr_spec least = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
    jr_spec told_how = sum_i32;
    jr_tuned tuned = JR_INIT(jr_tuned, .count = COUNT);
    told_how.unroll = 2;
    fails(jr_work_tune(NULL, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), COUNT, NULL, &tuned),
          JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_work_tune(tuning_context, WORK(&sum_i32, .kind = (jr_work_kind)7), COUNT, NULL, &tuned),
          JR_ERROR_INVALID_ARGUMENT, "unknown kind of work");
    fails(jr_work_tune(tuning_context, WORK(&list, .kind = JR_WORK_SCAN_INCLUSIVE), COUNT, NULL, &tuned),
          JR_ERROR_INVALID_ARGUMENT, "a list of 2 operators");
    fails(jr_work_tune(tuning_context, WORK(&least, .kind = JR_WORK_SCAN_EXCLUSIVE), COUNT, NULL, &tuned),
          JR_ERROR_EMPTY_INPUT, "initial");
    fails(jr_work_tune(tuning_context, WORK(&told_how, .kind = JR_WORK_SCAN_INCLUSIVE), COUNT, NULL, &tuned),
          JR_ERROR_INVALID_ARGUMENT, "leave algorithm, unroll");
    fails(jr_work_tune(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), 0, NULL, &tuned),
          JR_ERROR_INVALID_ARGUMENT, "a count of 0 cannot be tuned for");
    fails(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = (jr_work_kind)7), &tuned),
          JR_ERROR_INVALID_ARGUMENT, "unknown kind of work");
    fails(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), &tuned),
          JR_ERROR_INVALID_ARGUMENT, "nothing was found for a count of 3000");
}

TEST_BETWEEN(a_limit_ends_it_with_what_was_found_until_then, tuning_begin, tuning_end) {
    const jr_tune_options options =
        JR_INIT(jr_tune_options, .limit_ms = 1, .progress = tuning_tell, .user = &tuning_reports);
    jr_tuned tuned = JR_INIT(jr_tuned);
    works(jr_work_tune(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_EXCLUSIVE), COUNT, &options, &tuned));
    assert_false(tuned.complete);
    assert_true(tuned.estimate.us > 0);
    assert_true(tuning_reports.count < 20);
}

TEST_BETWEEN(a_tuning_that_is_stopped_decides_nothing, tuning_begin, tuning_end) {
    tuning_reports.stop_after = 1;
    const jr_tuned tuned = tune(&sum_i32, JR_WORK_SCAN_INCLUSIVE);
    assert_false(tuned.better || tuned.complete);
    fails(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), &tuned),
          JR_ERROR_INVALID_ARGUMENT, "nothing was found");
}

static int find_algorithm(jr_algorithm algorithm) {
    for (int a = 0; a < ALGORITHMS; a++)
        if (algorithms[a].algorithm == algorithm) return a;
    fail_msg("%s is no algorithm of scans", jr_algorithm_name(algorithm));
    return 0;
}

TEST_BETWEEN(results_are_held_against_the_bound_of_their_algorithm, tuning_begin, tuning_end) {
    enum { MANY = 1 << 20 };
    for (int a = 0; a < ALGORITHMS; a++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .algorithm = algorithms[a].algorithm,
                                     .block = 128, .unroll = 4, .grid = algorithms[a].rows);
        jr_plan *plan;
        works(jr_work_plan_create(tuning_context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
        assert_true(jr_verify_depth(plan, MANY) >= algorithms[a].bound);
        assert_true(jr_verify_depth(plan, MANY) < 1.2 * algorithms[a].bound);
        jr_plan_destroy(plan);
    }
}

TEST_BETWEEN(each_candidate_is_tried_once_and_has_all_results_of_the_estimate, tuning_begin, tuning_end) {
    unsigned tried = 0;
    const jr_tuned tuned = tune(&sum_i32, JR_WORK_SCAN_EXCLUSIVE);
    assert_true(tuned.complete);
    assert_true(tuned.measured > 8);
    assert_true(tuned.estimate.us > 0 && tuned.estimate.gain == 1);
    if (tuned.better) assert_true(tuned.best.gain >= 1.01 && tuned.best.us < tuned.estimate.us);
    for (int i = 0; i < tuning_reports.count; i++) {
        if (tuning_is_wrong(&tuning_reports.candidates[i])) fail_msg("%s", tuning_reports.candidates[i].failure);
        assert_false(tuning_is_same(&tuning_reports.candidates[i], &tuned.estimate));
        tried |= 1u << find_algorithm(tuning_reports.candidates[i].algorithm);
        for (int k = 0; k < i; k++)
            assert_false(tuning_is_same(&tuning_reports.candidates[i], &tuning_reports.candidates[k]));
    }
    tried |= 1u << find_algorithm(tuned.estimate.algorithm);
    assert_int_equal(tried, (1u << ALGORITHMS) - 1);
}

/* Not associative, so that every tuning has results of its own, from the second thread's elements on. */
TEST_BETWEEN(a_candidate_with_another_result_fails_with_its_element, tuning_begin, tuning_end) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a - 3 * b", .identity = "0");
    int failed = 0;
    tuning_reports.stop_after = tests_are_whole() ? 6 : 4;
    const jr_tuned tuned = tune(&spec, JR_WORK_SCAN_INCLUSIVE);
    for (int i = 0; i < tuning_reports.count; i++)
        failed += strncmp(tuning_reports.candidates[i].failure, "its custom differs from the estimate's at element ",
                          50) == 0;
    assert_true(failed > 0);
    assert_int_equal(tuned.failed, failed);
}

/* Two arrays, expressions, statistics of few elements, an initial value, and types whose numbers have few bits. */
TEST_BETWEEN(works_of_all_kinds_can_be_tuned, tuning_begin, tuning_end) {
    const jr_value tenth = {.type = JR_F32, .as.f32 = 0.1f}, most = {.type = JR_U8, .as.u8 = 200};
    const jr_structure pair = JR_INIT(jr_structure, "pair",
                                      "struct pair { int key, id; };\n"
                                      "inline __device__ pair last() { pair p = {2147483647, 0}; return p; }",
                                      8, 4);
    const struct {
        jr_spec spec;
        jr_work_kind kind;
    } rows[] = {{{.op = JR_OP_DOT, .type = JR_F32}, JR_WORK_SCAN_INCLUSIVE},
                {{.op = JR_OP_SUM, .type = JR_F32, .map = "x * x + 0.5f", .where = "x > 1"}, JR_WORK_SCAN_EXCLUSIVE},
                {{.op = JR_OP_SUM, .type = JR_F32, .initial = &tenth}, JR_WORK_SCAN_EXCLUSIVE},
                {{.op = JR_OP_VAR, .type = JR_F64}, JR_WORK_SCAN_INCLUSIVE},
                {{.op = JR_OP_SUM, .type = JR_F16}, JR_WORK_SCAN_INCLUSIVE},
                {{.op = JR_OP_SUM, .type = JR_E4M3}, JR_WORK_SCAN_INCLUSIVE},
                {{.op = JR_OP_PROD, .type = JR_F32}, JR_WORK_SCAN_INCLUSIVE},
                {{.op = JR_OP_LOGSUMEXP, .type = JR_F32}, JR_WORK_SCAN_INCLUSIVE},
                {{.op = JR_OP_ANY, .type = JR_BOOL}, JR_WORK_SCAN_EXCLUSIVE},
                {{.op = JR_OP_ARGMIN, .type = JR_U8}, JR_WORK_SCAN_INCLUSIVE},
                {{.op = JR_OP_MAX, .type = JR_U8, .initial = &most}, JR_WORK_SCAN_EXCLUSIVE},
                {{.op = JR_OP_CUSTOM,
                  .type = JR_STRUCT,
                  .structure = &pair,
                  .combine = "a.key < b.key ? a : b",
                  .identity = "last()"},
                 JR_WORK_SCAN_INCLUSIVE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jr_spec spec = rows[i].spec;
        if (!tests_take((int)i + 7, 8)) continue; /* a sample: expressions, an index */
        spec.size = sizeof spec;
        memset(&tuning_reports, 0, sizeof tuning_reports);
        tuning_reports.stop_after = 1;
        const jr_tuned tuned = tune(&spec, rows[i].kind);
        for (int k = 0; k < tuning_reports.count; k++)
            if (tuning_is_wrong(&tuning_reports.candidates[k]))
                fail_msg("row %zu: %s: %s", i, jr_algorithm_name(tuning_reports.candidates[k].algorithm),
                         tuning_reports.candidates[k].failure);
        assert_true(tuned.measured > 0);
    }
}

RUN_TESTS(NULL, NULL)
