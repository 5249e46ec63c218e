/* Tunable kernels: what is tried, what fails and is told, what is stored and found again. */
#include "support/tunable_case.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 32, LENGTH = 1000, SEEN_MAX = 64 };

/* What a search told. */
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
    float *got = malloc(on->count * sizeof *got);
    assert_non_null(got);
    works(jr_kernel_launch(choice->kernel, &choice->launch, on->args));
    works(jr_memory_read(tuning_context, got, on->result, on->count * sizeof *got));
    for (uint64_t i = 0; i < on->count; i++) assert_float_equal(got[i], on->expected[i], 1e-4);
    free(got);
}

static bool is_untouched(const tunable_case *on) {
    float *got = malloc(on->count * sizeof *got);
    bool zero = true;
    assert_non_null(got);
    works(jr_memory_read(tuning_context, got, on->result, on->count * sizeof *got));
    for (uint64_t i = 0; i < on->count; i++) zero = zero && got[i] == 0;
    free(got);
    return zero;
}

static void every_setting_of_a_matrix_product_is_right_and_the_outputs_are_put_back(void **state) {
    tunable_case on;
    seen all = {.count = 0};
    (void)state;
    tunable_case_product(&on, SIDE);
    const jr_tunable_found found = tune(&tunable_product, &on, &all);
    assert_int_equal(found.possible, 8); /* of 9: 16 * 4 rows do not divide 32 */
    assert_int_equal(found.measured, 7);
    assert_int_equal(found.failed, 0);
    assert_int_equal(found.complete, 1);
    assert_int_equal(all.begun, 7);
    assert_string_equal(found.preferred.text, "TILE=8,ROWS=1");
    assert_true(found.preferred.us > 0 && found.best.us > 0);
    for (int i = 0; i < all.count; i++) assert_true(all.items[i].us > 0 && all.items[i].failure[0] == '\0');
    assert_true(is_untouched(&on));
    tunable_case_free(&on);
}

static void every_setting_of_a_stencil_is_right(void **state) {
    tunable_case on;
    seen all = {.count = 0};
    (void)state;
    tunable_case_stencil(&on, LENGTH);
    const jr_tunable_found found = tune(&tunable_stencil, &on, &all);
    assert_int_equal(found.measured, 17);
    assert_int_equal(found.failed, 0);
    assert_string_equal(found.preferred.text, "BLOCK=32,EACH=1,STAGED=0"); /* the first of all */
    tunable_case_free(&on);
}

static void what_was_stored_is_found_by_the_next_context_and_for_sizes_near_it(void **state) {
    tunable_case on, large;
    seen all = {.count = 0};
    (void)state;
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

static void of_two_stored_sizes_the_nearer_one_counts(void **state) {
    const int64_t small = 16, great = 1024;
    jr_tunable_found found = JR_INIT(jr_tunable_found, .complete = 1, .best.us = 1, .preferred.us = 2);
    (void)state;
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
    fails(jr_tunable_store(tuning_context, &tunable_product, &great, &found), JR_ERROR_INVALID_ARGUMENT, "not complete");
}

/* ---- settings that fail ---- */

static const char *const modes = "extern \"C\" __global__ void modes(int *out) {\n"
                                 "#if MODE == 1\n"
                                 "    out[threadIdx.x] = 5;\n"
                                 "#elif MODE == 2\n"
                                 "    out[threadIdx.x + (1ull << 45)] = 1;\n"
                                 "#elif MODE == 3\n"
                                 "    while (((volatile int *)out)[threadIdx.x] != 77) {}\n"
                                 "#elif MODE == 4\n"
                                 "#error this mode is none\n"
                                 "#elif MODE == 5\n"
                                 "    __shared__ volatile int much[1 << 20];\n"
                                 "    much[threadIdx.x] = 1;\n"
                                 "    out[threadIdx.x] = much[threadIdx.x];\n"
                                 "#else\n"
                                 "    out[threadIdx.x] += 1;\n" /* right on outputs as they were alone */
                                 "#endif\n"
                                 "}\n";

/* A tunable of some modes, and its problem. */
typedef struct mode_case {
    jr_program program;
    jr_named_text parameter;
    jr_tunable tunable;
    void *d_out, *args[1];
    jr_tunable_output output;
    jr_tunable_problem problem;
} mode_case;

static void mode_case_make(mode_case *made, const char *values) {
    const int zeros[32] = {0};
    *made = (mode_case){.parameter = {"MODE", values}};
    made->program = JR_INIT(jr_program, .name = "modes", .source = modes, .entry = "modes");
    made->tunable = JR_INIT(jr_tunable, .program = &made->program, .parameters = &made->parameter, .parameter_count = 1,
                            .grid = "1", .block = "32");
    works(jr_memory_new(tuning_context, sizeof zeros, &made->d_out));
    works(jr_memory_write(tuning_context, made->d_out, zeros, sizeof zeros));
    made->args[0] = &made->d_out;
    made->output = (jr_tunable_output){.address = made->d_out, .bytes = sizeof zeros};
    made->problem =
        JR_INIT(jr_tunable_problem, .args = made->args, .outputs = &made->output, .output_count = 1);
}

static const char *failure_of(const seen *all, int64_t mode) {
    for (int i = 0; i < all->count; i++)
        if (all->items[i].values[0] == mode) return all->items[i].failure;
    return "not tried";
}

static void settings_that_fail_are_told_and_the_next_ones_go_on(void **state) {
    mode_case on;
    seen all = {.count = 0};
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    const jr_tunable_options options = JR_INIT(jr_tunable_options, .progress = tell, .user = &all);
    (void)state;
    mode_case_make(&on, "0,1,4,5,6");
    works(jr_tunable_tune(tuning_context, &on.tunable, &on.problem, &options, &found));
    assert_int_equal(found.failed, 3);
    assert_int_equal(found.measured, 1);
    assert_non_null(strstr(failure_of(&all, 1), "output 0: byte 0 is 0x05, and 0x01 is expected"));
    assert_non_null(strstr(failure_of(&all, 4), "modes"));
    assert_true(failure_of(&all, 5)[0] != '\0');
    assert_string_equal(failure_of(&all, 6), "");
    jr_memory_free(tuning_context, on.d_out);
}

/* It ends the context, as faults do; who excludes it goes on with a new one. */
static void check_fault(const char *values, int64_t mode, const char *text) {
    mode_case on;
    jr_tunable_setting bad = {.values = {mode}};
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    const jr_tunable_options options = JR_INIT(jr_tunable_options, .excluded = &bad, .excluded_count = 1);
    mode_case_make(&on, values);
    assert_int_equal(jr_tunable_tune(tuning_context, &on.tunable, &on.problem, NULL, &found), JR_ERROR_DEVICE_FAULT);
    if (strncmp(jr_last_error()->message, text, strlen(text)) != 0) fail_msg("%s", jr_last_error()->message);
    jr_memory_free(tuning_context, on.d_out);
    tuning_reopen();
    mode_case_make(&on, values);
    works(jr_tunable_tune(tuning_context, &on.tunable, &on.problem, &options, &found));
    assert_int_equal(found.failed, 1);
    assert_int_equal(found.measured, 1);
    jr_memory_free(tuning_context, on.d_out);
}

static void a_setting_that_faults_is_named_and_can_be_excluded(void **state) {
    (void)state;
    if (!jr_context_is_simulated(tuning_context)) {
        print_message("a fault ends what else this process does on a GPU\n");
        skip();
    }
    check_fault("0,2,6", 2, "MODE=2: ");
}

static void a_setting_that_never_ends_is_named_and_can_be_excluded(void **state) {
    (void)state;
    if (!jr_context_is_simulated(tuning_context)) {
        print_message("a kernel on a GPU that never ends cannot be ended\n");
        skip();
    }
    check_fault("0,3,6", 3, "MODE=3: ");
}

static void a_search_that_is_stopped_or_late_says_so(void **state) {
    tunable_case on;
    seen all = {.stop_after = 2};
    (void)state;
    tunable_case_stencil(&on, LENGTH);
    jr_tunable_found found = tune(&tunable_stencil, &on, &all);
    assert_int_equal(found.complete, 0);
    assert_int_equal(all.count, 2);
    const jr_tunable_options late = JR_INIT(jr_tunable_options, .limit_ms = 1e-3);
    works(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, &late, &found));
    assert_int_equal(found.complete, 0);
    fails(jr_tunable_store(tuning_context, &tunable_stencil, on.sizes, &found), JR_ERROR_INVALID_ARGUMENT, "not complete");
    tunable_case_free(&on);
}

static void no_more_settings_are_tried_than_asked_for(void **state) {
    tunable_case on;
    seen all = {.count = 0};
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    const jr_tunable_options few = JR_INIT(jr_tunable_options, .settings_most = 5, .progress = tell, .user = &all);
    (void)state;
    tunable_case_stencil(&on, LENGTH);
    works(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, &few, &found));
    assert_int_equal(all.count, 5);
    assert_int_equal(found.measured, 5);
    tunable_case_free(&on);
}

/* ---- what is refused ---- */

static void texts_that_are_wrong_are_named(void **state) {
    static const struct {
        const char *parameter, *restriction, *grid, *block, *shared, *preferred, *why;
    } wrong[] = {
        {"1,2,", NULL, "1", "32", NULL, NULL, "parameter MODE: '1,2,' is no list of whole numbers"},
        {"", NULL, "1", "32", NULL, NULL, "parameter MODE: '' is no list"},
        {"1,x", NULL, "1", "32", NULL, NULL, "'1,x' is no list"},
        {"8..1", NULL, "1", "32", NULL, NULL, "'8..1' is no list"},
        {"1..8*1", NULL, "1", "32", NULL, NULL, "'1..8*1' is no list"},
        {"0..8*2", NULL, "1", "32", NULL, NULL, "'0..8*2' is no list"},
        {"1..8+0", NULL, "1", "32", NULL, NULL, "'1..8+0' is no list"},
        {"1,2,1", NULL, "1", "32", NULL, NULL, "parameter MODE has the value 1 twice"},
        {"1..100000", NULL, "1", "32", NULL, NULL, "parameter MODE has more than 4096 values"},
        {"1..9223372036854775807*2", NULL, "1", "32", NULL, "MODE=3", "this value of MODE is not among"},
        {"1", "MODE > ", "1", "32", NULL, NULL, "a restriction: 'MODE > ': a number or name is missing"},
        {"1", "BLOCK > 1", "1", "32", NULL, NULL, "'BLOCK' is not defined; there are: WARP, MULTIPROCESSORS"},
        {"1,2", "MODE > 2", "1", "32", NULL, NULL, "no setting meets the restrictions: of 2 none is possible"},
        {"1,2", "MODE > 1", "1", "32", NULL, "MODE=1", "the preferred setting 'MODE=1' does not meet"},
        {"1,2", NULL, "1", "32", NULL, "MODE=", "this value of MODE is not among '1,2'"},
        {"1,2", NULL, "1", "32", NULL, "MOOD=1", "'MOOD=1' is not MODE=VALUE"},
        {"1,2", NULL, "1", "32", NULL, "MODE=1,", "',' cannot stand there"},
        {"1", NULL, "1/0", "32", NULL, NULL, "grid: '1/0': divides by 0"},
        {"1", NULL, "1,2,3,4", "32", NULL, NULL, "grid: '1,2,3,4' has more than 3 extents"},
        {"1", NULL, "1", "MODE - 1", NULL, NULL, "block: 'MODE - 1' is 0: 1 to 2147483647 are possible"},
        {"1", NULL, "1", "32", "-4", NULL, "shared: '-4' is -4: 0 to 2147483647"},
        {"1", NULL, NULL, "32", NULL, NULL, "a tunable needs a program with a name, a grid and a block"},
    };
    mode_case on;
    jr_tunable_choice choice = JR_INIT(jr_tunable_choice);
    (void)state;
    mode_case_make(&on, "1");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        on.parameter.text = wrong[i].parameter;
        on.tunable.restrictions = &wrong[i].restriction;
        on.tunable.restriction_count = wrong[i].restriction != NULL;
        on.tunable.grid = wrong[i].grid;
        on.tunable.block = wrong[i].block;
        on.tunable.shared = wrong[i].shared;
        on.tunable.preferred = wrong[i].preferred;
        fails(jr_tunable_get(tuning_context, &on.tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT, wrong[i].why);
    }
    jr_memory_free(tuning_context, on.d_out);
}

static void names_that_are_wrong_are_named(void **state) {
    const jr_named_text constant = {"MODE", "1"};
    const int64_t none = 0;
    jr_tunable tunable = tunable_stencil;
    jr_tunable_choice choice = JR_INIT(jr_tunable_choice);
    mode_case on;
    (void)state;
    mode_case_make(&on, "1");
    on.parameter.name = "2MODE";
    fails(jr_tunable_get(tuning_context, &on.tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT, "'2MODE' is no name");
    on.parameter.name = "MODE";
    on.program.constants = &constant;
    on.program.constant_count = 1;
    fails(jr_tunable_get(tuning_context, &on.tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT,
          "MODE stands twice: it is a constant of the program, too");
    on.program.constant_count = 0;
    on.program.name = "two words";
    fails(jr_tunable_get(tuning_context, &on.tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT, "program 'two words'");
    fails(jr_tunable_get(tuning_context, &tunable, &none, &choice), JR_ERROR_INVALID_ARGUMENT, "size N: 0; it must be 1");
    fails(jr_tunable_get(tuning_context, &tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT, "size N: 0; it must be 1");
    tunable.parameter_count = 17;
    fails(jr_tunable_get(tuning_context, &tunable, &none, &choice), JR_ERROR_INVALID_ARGUMENT, "17 parameters: 1 to 16");
    jr_memory_free(tuning_context, on.d_out);
}

static void what_is_expected_must_be_what_the_preferred_setting_gives(void **state) {
    tunable_case on;
    jr_tunable_found found = JR_INIT(jr_tunable_found, .failed = 99);
    (void)state;
    tunable_case_stencil(&on, LENGTH);
    on.expected[7] += 1;
    fails(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, NULL, &found), JR_ERROR_INVALID_ARGUMENT,
          "the preferred setting BLOCK=32,EACH=1,STAGED=0: what is expected is not what this setting gives: output 0: "
          "element 7 is ");
    assert_int_equal(found.failed, 99);
    assert_true(is_untouched(&on));
    on.output.type = JR_I32;
    fails(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, NULL, &found), JR_ERROR_INVALID_ARGUMENT,
          "output 0: type");
    on.output.type = JR_F32;
    on.output.bytes -= 1;
    fails(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, NULL, &found), JR_ERROR_INVALID_ARGUMENT,
          "3999 bytes are no whole elements");
    tunable_case_free(&on);
}

int main(void) {
#define TUNABLE_TEST(name) cmocka_unit_test_setup_teardown(name, tuning_begin, tuning_end)
    const struct CMUnitTest tests[] = {
        TUNABLE_TEST(every_setting_of_a_matrix_product_is_right_and_the_outputs_are_put_back),
        TUNABLE_TEST(every_setting_of_a_stencil_is_right),
        TUNABLE_TEST(what_was_stored_is_found_by_the_next_context_and_for_sizes_near_it),
        TUNABLE_TEST(of_two_stored_sizes_the_nearer_one_counts),
        TUNABLE_TEST(settings_that_fail_are_told_and_the_next_ones_go_on),
        TUNABLE_TEST(a_setting_that_faults_is_named_and_can_be_excluded),
        TUNABLE_TEST(a_setting_that_never_ends_is_named_and_can_be_excluded),
        TUNABLE_TEST(a_search_that_is_stopped_or_late_says_so),
        TUNABLE_TEST(no_more_settings_are_tried_than_asked_for),
        TUNABLE_TEST(texts_that_are_wrong_are_named),
        TUNABLE_TEST(names_that_are_wrong_are_named),
        TUNABLE_TEST(what_is_expected_must_be_what_the_preferred_setting_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
