/* Scans by stored tunings: what is stored, and which plans and calls follow it. */
#include "support/cases/tuning_case.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 3000 };

static const jr_spec sum_i32 = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};

static jr_tuned made_up(uint64_t count) {
    return JR_INIT(jr_tuned, .count = count, .estimate = {.algorithm = JR_ALGORITHM_SINGLE_PASS, .us = 2.5, .gain = 1},
                   .best = {.algorithm = JR_ALGORITHM_THREE_PASS, .unroll = 2, .block = 64, .us = 1.25, .gain = 2},
                   .better = 1);
}

static jr_stats stats_of(jr_work_kind kind, uint64_t capacity) {
    jr_spec spec = sum_i32;
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    spec.capacity = capacity;
    works(jr_work_plan_create(tuning_context, WORK(&spec, .kind = kind), &plan));
    works(jr_plan_stats(plan, &stats));
    jr_plan_destroy(plan);
    return stats;
}

TEST_BETWEEN(what_is_stored_is_followed_by_scans_of_the_same_kind, tuning_begin, tuning_end) {
    const jr_tuned made = made_up(1024);
    size_t count;
    works(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), &made));
    const jr_stats stats = stats_of(JR_WORK_SCAN_INCLUSIVE, 2000);
    assert_string_equal(stats.tuned_by, "wisdom of 2^10");
    assert_int_equal(stats.algorithm, JR_ALGORITHM_THREE_PASS);
    assert_int_equal(stats.unroll, 2);
    assert_int_equal(stats.block, 64);
    assert_string_equal(stats_of(JR_WORK_SCAN_EXCLUSIVE, 2000).tuned_by, "estimate");
    assert_string_equal(stats_of(JR_WORK_SCAN_INCLUSIVE, 5000).tuned_by, "estimate");
    assert_string_equal(stats_of(JR_WORK_SCAN_INCLUSIVE, 0).tuned_by, "estimate");
    char *text = scratch_read(tuning_path, &count);
    assert_non_null(strstr(text, "\ninclusive scan sum i32, 1024 elements: three_pass, unroll 2, block 64; 1.250 us, "
                                 "estimate 2.500 us\n"));
}

/* The context that stored it is gone; a block of 128 threads suits all of them. */
TEST_BETWEEN(a_fresh_context_follows_a_file_with_every_algorithm, tuning_begin, tuning_end) {
    static const jr_algorithm algorithms[] = {JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_BULK_COPY,
                                              JR_ALGORITHM_THREE_PASS, JR_ALGORITHM_WAVE};
    enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };
    for (int a = 0; a < ALGORITHMS; a++) {
        jr_tuned made = made_up((uint64_t)1024 << 4 * a);
        made.best.algorithm = algorithms[a];
        made.best.block = 128;
        works(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_EXCLUSIVE), &made));
    }
    tuning_reopen();
    for (int a = 0; a < ALGORITHMS; a++) {
        const jr_stats stats = stats_of(JR_WORK_SCAN_EXCLUSIVE, (uint64_t)1024 << 4 * a);
        assert_int_equal(stats.algorithm, algorithms[a]);
        assert_int_equal(stats.unroll, 2);
        assert_int_equal(stats.block, 128);
    }
}

TEST_BETWEEN(a_reduction_of_the_same_work_is_another_one, tuning_begin, tuning_end) {
    const jr_tuned made = made_up(1024);
    jr_tuned flat = made;
    jr_spec spec = sum_i32;
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    flat.best.algorithm = JR_ALGORITHM_TWO_PASS;
    flat.best.block = 96;
    spec.capacity = 1024;
    works(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), &made));
    works(jr_work_plan_create(tuning_context, WORK(&spec), &plan));
    works(jr_plan_stats(plan, &stats));
    jr_plan_destroy(plan);
    assert_string_equal(stats.tuned_by, "estimate");
    works(jr_work_tuned_store(tuning_context, WORK(&sum_i32), &flat));
    assert_int_equal(stats_of(JR_WORK_SCAN_INCLUSIVE, 1024).block, 64);
}

TEST_BETWEEN(what_the_caller_set_stays, tuning_begin, tuning_end) {
    const jr_tuned made = made_up(1024);
    jr_spec spec = sum_i32;
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), &made));
    spec.capacity = 1024;
    spec.algorithm = JR_ALGORITHM_SINGLE_PASS;
    works(jr_work_plan_create(tuning_context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE), &plan));
    works(jr_plan_stats(plan, &stats));
    jr_plan_destroy(plan);
    assert_string_equal(stats.tuned_by, "estimate");
    assert_int_equal(stats.algorithm, JR_ALGORITHM_SINGLE_PASS);
}

TEST_BETWEEN(a_complete_tuning_without_a_winner_is_stored_as_the_estimate, tuning_begin, tuning_end) {
    const jr_tuned made = JR_INIT(jr_tuned, .count = 1024, .estimate = {.us = 2.5}, .best = {.us = 2.5}, .complete = 1);
    works(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_EXCLUSIVE), &made));
    assert_string_equal(stats_of(JR_WORK_SCAN_EXCLUSIVE, 1024).tuned_by, "estimate, by wisdom of 2^10");
}

TEST_BETWEEN(a_scan_of_host_memory_follows_it_and_is_right, tuning_begin, tuning_end) {
    const jr_tuned made = made_up(COUNT);
    jr_stats stats = JR_INIT(jr_stats);
    int32_t data[COUNT];
    int64_t results[COUNT], sum = 0;
    works(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_EXCLUSIVE), &made));
    for (int32_t i = 0; i < COUNT; i++) data[i] = i % 7 - 2;
    works(jr_work_run_host(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_EXCLUSIVE),
                           DATA(.in = FROM(data), .count = COUNT, .out = results)));
    works(jr_context_stats(tuning_context, &stats));
    assert_string_equal(stats.tuned_by, "wisdom of 3000");
    assert_int_equal(stats.algorithm, JR_ALGORITHM_THREE_PASS);
    for (int i = 0; i < COUNT; sum += data[i++]) assert_int_equal(results[i], sum);
}

/* Segments are not tuned: what was found for scans of all elements says nothing of them. */
TEST_BETWEEN(scans_of_segments_are_left_to_the_estimate, tuning_begin, tuning_end) {
    const jr_tuned made = made_up(12);
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 4);
    const jr_work_data segments = JR_INIT(jr_work_data, .segments = 3);
    const int32_t data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const int64_t expected[12] = {1, 3, 6, 10, 5, 11, 18, 26, 9, 19, 30, 42};
    const void *arrays[] = {data};
    int64_t results[12] = {0};
    jr_spec spec = sum_i32;
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    spec.capacity = 12;
    works(jr_work_tuned_store(tuning_context, WORK(&sum_i32, .kind = JR_WORK_SCAN_INCLUSIVE), &made));
    assert_string_equal(stats_of(JR_WORK_SCAN_INCLUSIVE, 12).tuned_by, "wisdom of 12");
    works(jr_work_plan_create(tuning_context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout), &plan));
    works(jr_plan_stats(plan, &stats));
    jr_plan_destroy(plan);
    assert_string_equal(stats.tuned_by, "estimate");
    works(jr_work_run_host(tuning_context, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &layout),
                           DATA_OF(segments, arrays, results)));
    assert_memory_equal(results, expected, sizeof expected);
    works(jr_context_stats(tuning_context, &stats));
    assert_string_equal(stats.tuned_by, "estimate");
}

RUN_TESTS(NULL, NULL)
