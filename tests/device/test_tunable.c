/* Tunable kernels: what is tried, which failures are reported, what is stored and found again. */
#include "support/cases/tunable_case.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, LENGTH = 1000, SEEN_MAX = 64 };

/* What a search reported. */
typedef struct seen {
    jr_tunable_setting items[SEEN_MAX];
    int count, begun, stop_after;
} seen;

static int tell(void *user, const jr_tunable_progress *progress) {
    seen *all = user;
    if (progress->begins) {
        all->begun++;
        return 0;
    }
    assert_true(all->count < SEEN_MAX);
    assert_int_equal(progress->done, all->count + 1);
    all->items[all->count++] = *progress->setting;
    return all->stop_after > 0 && all->count >= all->stop_after;
}

static jr_tunable_found tune(const jr_tunable *tunable, const tunable_case *on, seen *all) {
    const jr_tunable_options options = JR_INIT(jr_tunable_options, .progress = tell, .user = all);
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    works(jr_tunable_tune(tuning_context, tunable, &on->problem, &options, &found));
    return found;
}

static jr_tunable_choice choose(const jr_tunable *tunable, int64_t n) {
    jr_tunable_choice choice = JR_INIT(jr_tunable_choice);
    works(jr_tunable_get(tuning_context, tunable, &n, &choice));
    return choice;
}

/* Runs what was chosen, and holds it against the host. */
static void runs_right(const jr_tunable_choice *choice, tunable_case *on) {
    float *got = test_bytes(on->count * sizeof *got);
    works(jr_kernel_launch(choice->kernel, &choice->launch, on->args));
    works(jr_memory_read(tuning_context, got, on->result, on->count * sizeof *got));
    for (uint64_t i = 0; i < on->count; i++) assert_float_equal(got[i], on->expected[i], 1e-4);
}

TEST_BETWEEN(every_setting_of_a_matrix_product_is_right_and_the_outputs_are_put_back, tuning_begin, tuning_end) {
    tunable_case on;
    seen all = {.count = 0};
    tunable_case_product(&on, SIDE);
    const jr_tunable_found found = tune(&tunable_product, &on, &all);
    assert_int_equal(found.possible, 8); /* of 9: 16 * 4 rows do not divide 32 */
    assert_int_equal(found.measured, 7);
    assert_int_equal(found.failed, 0);
    assert_int_equal(found.complete, 1);
    assert_true(all.begun >= 7); /* the best ones twice */
    assert_string_equal(found.preferred.text, "TILE=8,ROWS=1");
    assert_true(found.preferred.us > 0 && found.best.us > 0);
    for (int i = 0; i < all.count; i++) assert_true(all.items[i].us > 0 && all.items[i].failure[0] == '\0');
    assert_true(tunable_case_is_untouched(&on));
    tunable_case_free(&on);
}

TEST_BETWEEN(every_setting_of_a_stencil_is_right, tuning_begin, tuning_end) {
    tunable_case on;
    seen all = {.count = 0};
    tunable_case_stencil(&on, LENGTH);
    const jr_tunable_found found = tune(&tunable_stencil, &on, &all);
    assert_int_equal(found.measured, 17);
    assert_int_equal(found.failed, 0);
    assert_string_equal(found.preferred.text, "BLOCK=32,EACH=1,STAGED=0"); /* the first of all */
    tunable_case_free(&on);
}

TEST_BETWEEN(what_was_stored_is_found_by_the_next_context_and_for_sizes_near_it, tuning_begin, tuning_end) {
    tunable_case on, large;
    seen all = {.count = 0};
    tunable_case_product(&on, SIDE);
    jr_tunable_found found = tune(&tunable_product, &on, &all);
    assert_string_equal(choose(&tunable_product, SIDE).why, "preferred");
    memcpy(found.best.values, (const int64_t[]){16, 2}, 2 * sizeof(int64_t)); /* whatever was faster here */
    works(jr_tunable_store(tuning_context, &tunable_product, on.sizes, &found));
    tunable_case_free(&on);
    tuning_reopen();
    tunable_case_product(&on, SIDE);
    tunable_case_product(&large, 2 * SIDE);
    jr_tunable_choice choice = choose(&tunable_product, SIDE);
    assert_string_equal(choice.why, "wisdom of N=32");
    assert_string_equal(choice.setting.text, "TILE=16,ROWS=2");
    assert_int_equal(choice.launch.block[0] * choice.launch.block[1], 256);
    runs_right(&choice, &on);
    choice = choose(&tunable_product, (int64_t)2 * SIDE);
    assert_string_equal(choice.why, "wisdom of N=32");
    assert_int_equal(choice.launch.grid[0], 4);
    runs_right(&choice, &large);
    assert_string_equal(choose(&tunable_product, 24).why, "preferred"); /* 32 rows do not divide 24 */
    assert_string_equal(choose(&tunable_stencil, SIDE).why, "preferred");
    jr_tunable other = tunable_product; /* another text: another tunable */
    other.shared = "16";
    assert_string_equal(choose(&other, SIDE).why, "preferred");
    tunable_case_free(&on);
    tunable_case_free(&large);
}

TEST_BETWEEN(of_two_stored_sizes_the_nearer_one_counts, tuning_begin, tuning_end) {
    const int64_t small = 16, great = 1024;
    jr_tunable_found found = JR_INIT(jr_tunable_found, .complete = 1, .best.us = 1, .preferred.us = 2);
    memcpy(found.best.values, (const int64_t[]){4, 1}, 2 * sizeof(int64_t));
    works(jr_tunable_store(tuning_context, &tunable_product, &small, &found));
    memcpy(found.best.values, (const int64_t[]){16, 4}, 2 * sizeof(int64_t));
    works(jr_tunable_store(tuning_context, &tunable_product, &great, &found));
    assert_string_equal(choose(&tunable_product, 64).why, "wisdom of N=16");
    assert_string_equal(choose(&tunable_product, 256).why, "wisdom of N=1024");
    assert_string_equal(choose(&tunable_product, 16).setting.text, "TILE=4,ROWS=1");
    found.best.values[0] = 5;
    fails(jr_tunable_store(tuning_context, &tunable_product, &great, &found), JR_ERROR_INVALID_ARGUMENT,
          "this value of TILE is not among '4,8,16'");
    found = JR_INIT(jr_tunable_found);
    fails(jr_tunable_store(tuning_context, &tunable_product, &great, &found), JR_ERROR_INVALID_ARGUMENT,
          "not complete");
}

/* ---- settings that fail ---- */

static const char *failure_of(const seen *all, int64_t mode) {
    for (int i = 0; i < all->count; i++)
        if (all->items[i].values[0] == mode) return all->items[i].failure;
    return "not tried";
}

TEST_BETWEEN(settings_that_fail_are_told_and_the_next_ones_go_on, tuning_begin, tuning_end) {
    tunable_modes on;
    seen all = {.count = 0};
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    const jr_tunable_options options = JR_INIT(jr_tunable_options, .progress = tell, .user = &all);
    tunable_modes_make(&on, "0,1,4,5,6");
    works(jr_tunable_tune(tuning_context, &on.tunable, &on.problem, &options, &found));
    assert_int_equal(found.failed, 3);
    assert_int_equal(found.measured, 1);
    assert_non_null(strstr(failure_of(&all, 1), "output 0: byte 0 is 0x05, and 0x01 is expected"));
    assert_non_null(strstr(failure_of(&all, 4), "modes"));
    assert_true(failure_of(&all, 5)[0] != '\0');
    assert_string_equal(failure_of(&all, 6), "");
    jr_memory_free(tuning_context, on.d_out);
}

/* The setting ends the context, as faults do; a caller that excludes it continues with a new context. */
static void check_fault(const char *values, int64_t mode, const char *text) {
    tunable_modes on;
    jr_tunable_setting bad = {.values = {mode}};
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    const jr_tunable_options options = JR_INIT(jr_tunable_options, .excluded = &bad, .excluded_count = 1);
    tunable_modes_make(&on, values);
    assert_int_equal(jr_tunable_tune(tuning_context, &on.tunable, &on.problem, NULL, &found), JR_ERROR_DEVICE_FAULT);
    if (strncmp(jr_last_error()->message, text, strlen(text)) != 0) fail_msg("%s", jr_last_error()->message);
    jr_memory_free(tuning_context, on.d_out);
    tuning_reopen();
    tunable_modes_make(&on, values);
    works(jr_tunable_tune(tuning_context, &on.tunable, &on.problem, &options, &found));
    assert_int_equal(found.failed, 1);
    assert_int_equal(found.measured, 1);
    jr_memory_free(tuning_context, on.d_out);
}

TEST_BETWEEN(a_setting_that_faults_is_named_and_can_be_excluded, tuning_begin, tuning_end) {
    if (!jr_context_is_simulated(tuning_context)) skip_because("a fault ends what else this process does on a GPU\n");
    check_fault("0,2,6", 2, "MODE=2: ");
}

TEST_BETWEEN(a_setting_that_never_ends_is_named_and_can_be_excluded, tuning_begin, tuning_end) {
    if (!jr_context_is_simulated(tuning_context)) skip_because("a kernel on a GPU that never ends cannot be ended\n");
    check_fault("0,3,6", 3, "MODE=3: ");
}

TEST_BETWEEN(a_search_that_is_stopped_or_late_says_so, tuning_begin, tuning_end) {
    tunable_case on;
    seen all = {.stop_after = 2};
    tunable_case_stencil(&on, LENGTH);
    jr_tunable_found found = tune(&tunable_stencil, &on, &all);
    assert_int_equal(found.complete, 0);
    assert_int_equal(all.count, 2);
    const jr_tunable_options late = JR_INIT(jr_tunable_options, .limit_ms = 1e-3);
    works(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, &late, &found));
    assert_int_equal(found.complete, 0);
    fails(jr_tunable_store(tuning_context, &tunable_stencil, on.sizes, &found), JR_ERROR_INVALID_ARGUMENT,
          "not complete");
    tunable_case_free(&on);
}

TEST_BETWEEN(no_more_settings_are_tried_than_asked_for, tuning_begin, tuning_end) {
    tunable_case on;
    seen all = {.count = 0};
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    const jr_tunable_options few = JR_INIT(jr_tunable_options, .settings_most = 5, .progress = tell, .user = &all);
    tunable_case_stencil(&on, LENGTH);
    works(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, &few, &found));
    assert_int_equal(all.count, 5);
    assert_int_equal(found.measured, 5);
    tunable_case_free(&on);
}

/* A kernel that never ends is stopped early: the simulator's own limit takes it 20 seconds. */
int main(void) {
    setenv("JRSIM_STEP_LIMIT", "1000000", 0);
    return check_run(NULL, NULL);
}
