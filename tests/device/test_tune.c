/* Tuning: what is tried, what wins, what is stored, and what ends it early. Small counts: on the simulator it takes
 * seconds. */
#include "support/cases/tuning_case.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000 };

static const jr_spec sum_i32 = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32},
                     sum_f32 = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32};

static jr_tuned tune(const jr_spec *spec, uint64_t count, double limit_ms) {
    const jr_tune_options options =
        JR_INIT(jr_tune_options, .limit_ms = limit_ms, .progress = tuning_tell, .user = &tuning_reports);
    jr_tuned tuned = JR_INIT(jr_tuned);
    works(jr_work_tune(tuning_context, WORK(spec), count, &options, &tuned));
    assert_int_equal(tuned.count, count);
    assert_int_equal(tuned.measured + tuned.failed, tuning_reports.count);
    return tuned;
}

TEST_BETWEEN(a_spec_that_says_how_is_refused, tuning_begin, tuning_end) {
    const char *const why = "leave algorithm, unroll, block, grid, blocks_per_multiprocessor, shared and max_launch_ms";
    jr_spec spec = JR_INIT(jr_spec);
    jr_tuned tuned = JR_INIT(jr_tuned);
#define REFUSED(member, value)                                                                                         \
    spec = sum_i32;                                                                                                    \
    spec.member = (value);                                                                                             \
    fails(jr_work_tune(tuning_context, WORK(&spec), COUNT, NULL, &tuned), JR_ERROR_INVALID_ARGUMENT, why)
    REFUSED(algorithm, JR_ALGORITHM_TWO_PASS);
    REFUSED(unroll, 1);
    REFUSED(block, 32);
    REFUSED(grid, 1);
    REFUSED(blocks_per_multiprocessor, 1);
    REFUSED(shared, JR_SHARED_DYNAMIC);
    REFUSED(max_launch_ms, 1);
}

TEST_BETWEEN(arguments_that_are_wrong_are_named, tuning_begin, tuning_end) {
    const jr_spec wrong = JR_INIT(jr_spec, .op = JR_OP_AND, .type = JR_F32);
    jr_tune_options options = JR_INIT(jr_tune_options, .limit_ms = -1);
    jr_tuned tuned = JR_INIT(jr_tuned, .count = COUNT);
    fails(jr_work_tune(NULL, WORK(&sum_i32), COUNT, NULL, &tuned), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_work_tune(tuning_context, WORK(NULL), COUNT, NULL, &tuned), JR_ERROR_INVALID_ARGUMENT, "spec is NULL");
    fails(jr_work_tune(tuning_context, WORK(&sum_i32), COUNT, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "tuned is NULL");
    fails(jr_work_tune(tuning_context, WORK(&sum_i32), 0, NULL, &tuned), JR_ERROR_INVALID_ARGUMENT,
          "a count of 0 cannot be tuned for");
    fails(jr_work_tune(tuning_context, WORK(&sum_i32), UINT64_MAX, NULL, &tuned), JR_ERROR_INVALID_ARGUMENT,
          "cannot be tuned for");
    fails(jr_work_tune(tuning_context, WORK(&sum_i32), COUNT, &options, &tuned), JR_ERROR_INVALID_ARGUMENT,
          "limit_ms -1");
    fails(jr_work_tune(tuning_context, WORK(&wrong), COUNT, NULL, &tuned), JR_ERROR_UNSUPPORTED_TYPE, "operator and");
    fails(jr_work_tuned_store(NULL, WORK(&sum_i32), &tuned), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_work_tuned_store(tuning_context, WORK(&sum_i32), &tuned), JR_ERROR_INVALID_ARGUMENT,
          "nothing was found for a count of 1000");
}

TEST_BETWEEN(more_data_than_memory_is_refused_and_leaves_nothing, tuning_begin, tuning_end) {
    jr_tuned tuned = JR_INIT(jr_tuned);
    fails(jr_work_tune(tuning_context, WORK(&sum_i32), UINT64_C(1) << 44, NULL, &tuned), JR_ERROR_DEVICE_OUT_OF_MEMORY,
          "bytes");
    works(jr_work_tune(tuning_context, WORK(&sum_i32), 10, &JR_INIT(jr_tune_options, .limit_ms = 1), &tuned));
}

TEST_BETWEEN(a_tuning_that_is_stopped_decides_nothing, tuning_begin, tuning_end) {
    jr_tuned tuned = JR_INIT(jr_tuned);
    tuning_reports.stop_after = 1;
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = tuning_tell, .user = &tuning_reports);
    works(jr_work_tune(tuning_context, WORK(&sum_i32), COUNT, &options, &tuned));
    assert_false(tuned.better);
    assert_false(tuned.complete);
    assert_true(tuning_reports.count < TUNING_SEEN_MAX);
    fails(jr_work_tuned_store(tuning_context, WORK(&sum_i32), &tuned), JR_ERROR_INVALID_ARGUMENT, "nothing was found");
}

TEST_BETWEEN(a_limit_ends_it_with_what_was_found_until_then, tuning_begin, tuning_end) {
    const jr_tuned tuned = tune(&sum_f32, COUNT, 1);
    assert_false(tuned.complete);
    assert_true(tuned.estimate.us > 0);
    assert_true(tuning_reports.count < 20);
}

static void assert_honest(const jr_tuned *tuned) {
    assert_true(tuned->complete);
    assert_true(tuned->measured > 20);
    assert_true(tuned->estimate.us > 0 && tuned->estimate.gain == 1);
    if (tuned->better) {
        assert_false(tuning_is_same(&tuned->best, &tuned->estimate));
        assert_true(tuned->best.gain >= 1.01);
        assert_true(tuned->best.us < tuned->estimate.us);
    } else {
        assert_true(tuning_is_same(&tuned->best, &tuned->estimate));
    }
}

TEST_BETWEEN(each_candidate_is_tried_once_and_atomic_of_floats_never, tuning_begin, tuning_end) {
    const jr_tuned tuned = tune(&sum_f32, COUNT, 0);
    assert_honest(&tuned);
    for (int i = 0; i < tuning_reports.count; i++) {
        assert_int_not_equal(tuning_reports.candidates[i].algorithm, JR_ALGORITHM_ATOMIC);
        assert_false(tuning_is_same(&tuning_reports.candidates[i], &tuned.estimate));
        assert_false(tuning_is_wrong(&tuning_reports.candidates[i]));
        for (int k = 0; k < i; k++)
            assert_false(tuning_is_same(&tuning_reports.candidates[i], &tuning_reports.candidates[k]));
    }
}

/* Not associative, so that every tuning has a result of its own. */
TEST_BETWEEN(a_candidate_with_another_result_fails_with_a_reason, tuning_begin, tuning_end) {
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I32, .combine = "a - 3 * b", .identity = "0", .commutative = 1);
    int failed = 0;
    tuning_reports.stop_after = 12;
    const jr_tuned tuned = tune(&spec, COUNT, 0);
    for (int i = 0; i < tuning_reports.count; i++)
        failed += strcmp(tuning_reports.candidates[i].failure, "its custom differs from the estimate's") == 0;
    assert_true(failed > 0);
    assert_int_equal(tuned.failed, failed);
}

TEST_BETWEEN(what_is_stored_is_followed_by_plans_of_the_same_work, tuning_begin, tuning_end) {
    const jr_tuned made =
        JR_INIT(jr_tuned, .count = 1024, .estimate = {.algorithm = JR_ALGORITHM_SINGLE_PASS, .us = 2.5, .gain = 1},
                .best = {.algorithm = JR_ALGORITHM_TWO_PASS,
                         .unroll = 2,
                         .block = 64,
                         .blocks_per_multiprocessor = 1,
                         .us = 1.25,
                         .gain = 2},
                .better = 1);
    jr_spec spec = sum_f32;
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    size_t count;
    works(jr_work_tuned_store(tuning_context, WORK(&sum_f32), &made));
    spec.capacity = 2000;
    works(jr_work_plan_create(tuning_context, WORK(&spec), &plan));
    works(jr_plan_stats(plan, &stats));
    jr_plan_destroy(plan);
    assert_string_equal(stats.tuned_by, "wisdom of 2^10");
    assert_int_equal(stats.algorithm, JR_ALGORITHM_TWO_PASS);
    assert_int_equal(stats.unroll, 2);
    assert_int_equal(stats.block, 64);
    char *text = scratch_read(tuning_path, &count);
    assert_non_null(strstr(text, "\nsum f32, 1024 elements: two_pass, unroll 2, block 64, 1 blocks a multiprocessor; "
                                 "1.250 us, estimate 2.500 us\n"));
}

TEST_BETWEEN(a_complete_tuning_without_a_winner_is_stored_as_the_estimate, tuning_begin, tuning_end) {
    const jr_tuned made = JR_INIT(jr_tuned, .count = 1024, .estimate = {.us = 2.5}, .best = {.us = 2.5}, .complete = 1);
    jr_spec spec = sum_f32;
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_work_tuned_store(tuning_context, WORK(&sum_f32), &made));
    spec.capacity = 1024;
    works(jr_work_plan_create(tuning_context, WORK(&spec), &plan));
    works(jr_plan_stats(plan, &stats));
    jr_plan_destroy(plan);
    assert_string_equal(stats.tuned_by, "estimate, by wisdom of 2^10");
}

/* Two arrays, an expression of floats, and a type whose numbers have few bits. */
TEST_BETWEEN(works_of_all_kinds_can_be_tuned, tuning_begin, tuning_end) {
    const jr_op ops[] = {JR_OP_MIN, JR_OP_ARGMAX, JR_OP_MEAN};
    const jr_spec specs[] = {
        {.size = sizeof(jr_spec), .op = JR_OP_DOT, .type = JR_F32},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x * x + 0.5f", .where = "x > 1"},
        {.size = sizeof(jr_spec), .ops = ops, .op_count = 3, .type = JR_F64},
        {.size = sizeof(jr_spec), .op = JR_OP_VAR, .type = JR_BF16},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F16},
        {.size = sizeof(jr_spec), .op = JR_OP_PROD, .type = JR_F32},
        {.size = sizeof(jr_spec), .op = JR_OP_LOGSUMEXP, .type = JR_F32},
        {.size = sizeof(jr_spec), .op = JR_OP_ANY, .type = JR_BOOL},
        {.size = sizeof(jr_spec), .op = JR_OP_ARGMIN, .type = JR_U8}};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        if (!tests_take((int)i, 3)) continue;
        memset(&tuning_reports, 0, sizeof tuning_reports);
        tuning_reports.stop_after = tests_are_whole() ? 4 : 2;
        const jr_tuned tuned = tune(&specs[i], COUNT, 0);
        for (int k = 0; k < tuning_reports.count; k++)
            if (tuning_is_wrong(&tuning_reports.candidates[k]))
                fail_msg("spec %zu: %s: %s", i, jr_algorithm_name(tuning_reports.candidates[k].algorithm),
                         tuning_reports.candidates[k].failure);
        assert_true(tuned.measured > 0);
    }
}

RUN_TESTS(NULL, NULL)
