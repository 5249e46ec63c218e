/* Plans by stored tunings: which are followed, which are refused, and what the log says about it. */
#include "support/fixtures/plan_case.h"

#include <stdio.h>
#include <string.h>

#include "support/cases/tuning_case.h"
#include "wisdom/advice.h"
#include "wisdom/wisdom_file.h"

/* two_pass, unroll 3, block 96, one block a multiprocessor, for the sum of u32. */
static jr_wisdom_entry sample(uint64_t count) {
    return (jr_wisdom_entry){.work = "sum u32",
                             .count = count,
                             .algorithm = JR_ALGORITHM_TWO_PASS,
                             .unroll = 3,
                             .block = 96,
                             .blocks_per_multiprocessor = 1,
                             .time_ns = 1000,
                             .estimate_ns = 2000};
}

/* Stores an entry of this machine with one field changed (value NULL: unchanged), and reopens the context. */
static void store(const jr_wisdom_entry *entry, jr_machine_field field, const char *value) {
    jr_machine machine;
    jr_wisdom wisdom = {0};
    works(jr_machine_of(tuning_context, &machine));
    if (value != NULL) snprintf(machine.values[field], sizeof machine.values[field], "%s", value);
    works(jr_wisdom_add(&wisdom, &machine, entry));
    works(jr_wisdom_write(tuning_path, &wisdom));
    jr_wisdom_free(&wisdom);
    tuning_reopen();
}

static jr_stats stats_of(const jr_spec *spec) {
    jr_plan *plan = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_work_plan_create(tuning_context, WORK(spec), &plan));
    works(jr_plan_stats(plan, &stats));
    jr_plan_destroy(plan);
    return stats;
}

static jr_stats sum_stats(uint64_t capacity) {
    return stats_of(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .capacity = capacity));
}

static void assert_refused(const char *why) {
    const jr_stats stats = sum_stats(1000);
    jr_wisdom_info info = JR_INIT(jr_wisdom_info);
    assert_memory_equal(stats.tuned_by, "estimate; wisdom is refused: ", 29);
    works(jr_wisdom_info_get(tuning_context, &info));
    assert_int_equal(info.found, 1);
    assert_int_equal(info.own_count + info.usable_count, 0);
    if (strstr(info.refused, why) == NULL) fail_msg("'%s' lacks '%s'", info.refused, why);
    assert_int_not_equal(stats.block, 96);
}

TEST_BETWEEN(tunings_of_another_driver_nvrtc_library_or_capability_are_refused_by_field, tuning_begin, tuning_end) {
    static const struct {
        jr_machine_field field;
        const char *why;
    } rows[] = {{JR_MACHINE_CAPABILITY, "made with capability other, and here it is "},
                {JR_MACHINE_DRIVER, "made with driver other, and here it is "},
                {JR_MACHINE_NVRTC, "made with nvrtc other, and here it is "},
                {JR_MACHINE_LIBRARY, "made with library other, and here it is 0.3.0"}};
    const jr_wisdom_entry entry = sample(1000);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        works(jr_file_remove(tuning_path));
        store(&entry, rows[i].field, "other");
        assert_refused(rows[i].why);
    }
}

TEST_BETWEEN(a_damaged_file_is_refused_and_the_reduction_works, tuning_begin, tuning_end) {
    const uint32_t data[] = {1, 2, 3};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32);
    const jr_wisdom_entry entry = sample(1000);
    jr_value value;
    store(&entry, JR_MACHINE_DEVICE, NULL);
    scratch_text(tuning_path, "jitreduce wisdom 1\ndevice x\n");
    tuning_reopen();
    works(jr_reduce_host(tuning_context, &spec, data, 3, &value));
    assert_int_equal(value.as.u64, 6);
    assert_refused("its checksum does not match");
}

TEST_BETWEEN(without_a_file_the_estimate_chooses, tuning_begin, tuning_end) {
    jr_wisdom_info info = JR_INIT(jr_wisdom_info);
    assert_string_equal(sum_stats(1000).tuned_by, "estimate");
    works(jr_wisdom_info_get(tuning_context, &info));
    assert_string_equal(info.path, tuning_path);
    assert_string_equal(info.origin, "option");
    assert_string_equal(info.refused, "");
    assert_int_equal(info.found, 0);
    fails(jr_wisdom_info_get(NULL, &info), JR_ERROR_INVALID_ARGUMENT, "context is NULL");
    fails(jr_wisdom_info_get(tuning_context, NULL), JR_ERROR_INVALID_ARGUMENT, "info is NULL");
}

TEST_BETWEEN(the_nearest_tuning_is_followed, tuning_begin, tuning_end) {
    const jr_wisdom_entry entry = sample(1024);
    jr_wisdom_info info = JR_INIT(jr_wisdom_info);
    store(&entry, JR_MACHINE_DEVICE, NULL);
    const jr_stats stats = sum_stats(3000);
    assert_string_equal(stats.tuned_by, "wisdom of 2^10");
    assert_int_equal(stats.algorithm, JR_ALGORITHM_TWO_PASS);
    assert_int_equal(stats.unroll, 3);
    assert_int_equal(stats.block, 96);
    assert_string_equal(sum_stats(5000).tuned_by, "estimate");
    assert_string_equal(sum_stats(0).tuned_by, "estimate");
    works(jr_wisdom_info_get(tuning_context, &info));
    assert_int_equal(info.own_count, 1);
    assert_int_equal(info.usable_count + info.other_count, 0);
}

TEST_BETWEEN(a_reduction_of_host_memory_follows_it_and_is_right, tuning_begin, tuning_end) {
    enum { COUNT = 2000 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32);
    const jr_wisdom_entry entry = sample(1500);
    uint32_t data[COUNT];
    jr_value value;
    jr_stats stats = JR_INIT(jr_stats);
    for (uint32_t i = 0; i < COUNT; i++) data[i] = i;
    store(&entry, JR_MACHINE_DEVICE, NULL);
    works(jr_reduce_host(tuning_context, &spec, data, COUNT, &value));
    assert_int_equal(value.as.u64, iota_sum(COUNT));
    works(jr_context_stats(tuning_context, &stats));
    assert_string_equal(stats.tuned_by, "wisdom of 1500");
    assert_int_equal(stats.block, 96);
}

TEST_BETWEEN(data_that_goes_through_the_device_in_parts_is_left_to_the_estimate, tuning_begin, tuning_end) {
    enum { COUNT = 2000 };
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .device_bytes = 4096);
    jr_wisdom_entry entry = sample(2000);
    static const uint32_t data[COUNT] = {1, 2};
    jr_value value;
    jr_stats stats = JR_INIT(jr_stats);
    entry.algorithm = JR_ALGORITHM_ONE_BLOCK;
    store(&entry, JR_MACHINE_DEVICE, NULL);
    works(jr_reduce_host(tuning_context, &spec, data, COUNT, &value));
    assert_int_equal(value.as.u64, 3);
    works(jr_context_stats(tuning_context, &stats));
    assert_string_equal(stats.tuned_by, "estimate");
}

TEST_BETWEEN(an_estimate_that_was_best_is_told, tuning_begin, tuning_end) {
    const jr_wisdom_entry entry = {.work = "sum u32", .count = 1024, .time_ns = 1, .estimate_ns = 1};
    store(&entry, JR_MACHINE_DEVICE, NULL);
    assert_string_equal(sum_stats(1024).tuned_by, "estimate, by wisdom of 2^10");
}

TEST_BETWEEN(another_device_of_the_same_capability_is_followed_and_named, tuning_begin, tuning_end) {
    const jr_wisdom_entry entry = sample(1024);
    jr_wisdom_info info = JR_INIT(jr_wisdom_info);
    store(&entry, JR_MACHINE_DEVICE, "Sister");
    assert_string_equal(sum_stats(1024).tuned_by, "wisdom of 2^10 on Sister");
    works(jr_wisdom_info_get(tuning_context, &info));
    assert_int_equal(info.usable_count, 1);
    const jr_wisdom_entry own = sample(2048);
    store(&own, JR_MACHINE_DEVICE, NULL);
    assert_string_equal(sum_stats(1024).tuned_by, "wisdom of 2^11");
}

TEST_BETWEEN(what_the_caller_set_stays, tuning_begin, tuning_end) {
    const jr_wisdom_entry entry = sample(1024);
    const jr_value initial = {.type = JR_U64, .as.u64 = 5};
    jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .capacity = 1024, .initial = &initial, .unroll = 3);
    store(&entry, JR_MACHINE_DEVICE, NULL);
    assert_string_equal(stats_of(&spec).tuned_by, "wisdom of 2^10");
    spec.unroll = 2;
    assert_string_equal(stats_of(&spec).tuned_by, "estimate");
    assert_int_equal(stats_of(&spec).unroll, 2);
    spec.block = 64;
    spec.algorithm = JR_ALGORITHM_TWO_PASS;
    assert_string_equal(stats_of(&spec).tuned_by, "given");
}

TEST_BETWEEN(an_algorithm_that_does_not_take_the_spec_is_left_to_the_estimate, tuning_begin, tuning_end) {
    jr_wisdom_entry entry = sample(1024);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_U32, .combine = "a", .identity = "0",
                                 .commutative = 0, .capacity = 1024);
    snprintf(entry.work, sizeof entry.work, "sum u32");
    entry.algorithm = JR_ALGORITHM_STRIDED;
    entry.unroll = 1; /* strided needs 2 */
    store(&entry, JR_MACHINE_DEVICE, NULL);
    assert_string_equal(sum_stats(1024).tuned_by, "estimate");
    assert_string_equal(stats_of(&spec).tuned_by, "estimate");
}

TEST_BETWEEN(a_spec_that_is_wrong_is_refused_as_ever, tuning_begin, tuning_end) {
    const jr_wisdom_entry entry = sample(1024);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = (jr_type)99, .capacity = 1024);
    jr_plan *plan = NULL;
    store(&entry, JR_MACHINE_DEVICE, NULL);
    fails(jr_work_plan_create(tuning_context, WORK(&spec), &plan), JR_ERROR_INVALID_ARGUMENT, "99");
    assert_null(plan);
}

TEST_BETWEEN(what_is_added_is_used_by_the_plans_that_follow, tuning_begin, tuning_end) {
    const jr_wisdom_entry entry = sample(1024);
    scratch_text(tuning_path, "jitreduce wisdom 1\n"); /* damaged */
    assert_memory_equal(sum_stats(1024).tuned_by, "estimate; wisdom is refused: ", 29);
    works(jr_advice_add(tuning_context, &entry));
    assert_string_equal(sum_stats(1024).tuned_by, "wisdom of 2^10");
}

TEST_BETWEEN(an_empty_path_turns_stored_tunings_off, tuning_begin, tuning_end) {
    const jr_wisdom_entry entry = sample(1024);
    jr_wisdom_info info = JR_INIT(jr_wisdom_info);
    store(&entry, JR_MACHINE_DEVICE, NULL);
    jr_context_close(tuning_context);
    works(jr_context_open(&JR_INIT(jr_options, .wisdom = ""), &tuning_context));
    assert_string_equal(sum_stats(1024).tuned_by, "estimate");
    works(jr_wisdom_info_get(tuning_context, &info));
    assert_string_equal(info.path, "");
    fails(jr_advice_add(tuning_context, &entry), JR_ERROR_WISDOM, "there is no file for tunings (option: turned off)");
}

RUN_TESTS(NULL, NULL)
