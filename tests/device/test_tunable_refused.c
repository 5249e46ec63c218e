/* Tunable kernels: texts, names and problems that are wrong are named. */
#include "support/cases/tunable_case.h"

enum { LENGTH = 1000 };

TEST_BETWEEN(texts_that_are_wrong_are_named, tuning_begin, tuning_end) {
    static const struct {
        const char *parameter, *restriction, *grid, *block, *shared, *preferred, *why;
    } wrong[] = {
        {"1,2,", NULL, "1", "32", NULL, NULL, "parameter MODE: '1,2,' is not a list of whole numbers"},
        {"", NULL, "1", "32", NULL, NULL, "parameter MODE: '' is not a list"},
        {"1,x", NULL, "1", "32", NULL, NULL, "'1,x' is not a list"},
        {"8..1", NULL, "1", "32", NULL, NULL, "'8..1' is not a list"},
        {"1..8*1", NULL, "1", "32", NULL, NULL, "'1..8*1' is not a list"},
        {"0..8*2", NULL, "1", "32", NULL, NULL, "'0..8*2' is not a list"},
        {"1..8+0", NULL, "1", "32", NULL, NULL, "'1..8+0' is not a list"},
        {"1,2,1", NULL, "1", "32", NULL, NULL, "parameter MODE has the value 1 twice"},
        {"1..100000", NULL, "1", "32", NULL, NULL, "parameter MODE has more than 4096 values"},
        {"1..9223372036854775807*2", NULL, "1", "32", NULL, "MODE=3", "this value of MODE is not among"},
        {"1", "MODE > ", "1", "32", NULL, NULL, "a restriction: 'MODE > ': a number or name is missing"},
        {"1", "BLOCK > 1", "1", "32", NULL, NULL, "'BLOCK' is not defined; there are: WARP, MULTIPROCESSORS"},
        {"1,2", "MODE > 2", "1", "32", NULL, NULL, "no setting meets the restrictions: 2 were tried"},
        {"1,2", "MODE > 1", "1", "32", NULL, "MODE=1", "the preferred setting 'MODE=1' does not meet"},
        {"1,2", NULL, "1", "32", NULL, "MODE=", "this value of MODE is not among '1,2'"},
        {"1,2", NULL, "1", "32", NULL, "MOOD=1", "'MOOD=1' is not MODE=VALUE"},
        {"1,2", NULL, "1", "32", NULL, "MODE=1,", "',' is not allowed there"},
        {"1", NULL, "1/0", "32", NULL, NULL, "grid: '1/0': divides by 0"},
        {"1", NULL, "1,2,3,4", "32", NULL, NULL, "grid: '1,2,3,4' has more than 3 extents"},
        {"1", NULL, "1", "MODE - 1", NULL, NULL, "block: 'MODE - 1' is 0: 1 to 2147483647 are possible"},
        {"1", NULL, "1", "32", "-4", NULL, "shared: '-4' is -4: 0 to 2147483647"},
        {"1", NULL, NULL, "32", NULL, NULL, "a tunable needs a program with a name, a grid and a block"},
    };
    tunable_modes on;
    jr_tunable_choice choice = JR_INIT(jr_tunable_choice);
    tunable_modes_make(&on, "1");
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

TEST_BETWEEN(names_that_are_wrong_are_named, tuning_begin, tuning_end) {
    const jr_named_text constant = {"MODE", "1"};
    const int64_t none = 0;
    jr_tunable tunable = tunable_stencil;
    jr_tunable_choice choice = JR_INIT(jr_tunable_choice);
    tunable_modes on;
    tunable_modes_make(&on, "1");
    on.parameter.name = "2MODE";
    fails(jr_tunable_get(tuning_context, &on.tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT,
          "'2MODE' is not a name");
    on.parameter.name = "MODE";
    on.program.constants = &constant;
    on.program.constant_count = 1;
    fails(jr_tunable_get(tuning_context, &on.tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT,
          "MODE is given twice: it is a constant of the program, too");
    on.program.constant_count = 0;
    on.program.name = "two words";
    fails(jr_tunable_get(tuning_context, &on.tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT, "program 'two words'");
    fails(jr_tunable_get(tuning_context, &tunable, &none, &choice), JR_ERROR_INVALID_ARGUMENT,
          "size N: 0; it must be 1");
    fails(jr_tunable_get(tuning_context, &tunable, NULL, &choice), JR_ERROR_INVALID_ARGUMENT,
          "size N: 0; it must be 1");
    tunable.parameter_count = 17;
    fails(jr_tunable_get(tuning_context, &tunable, &none, &choice), JR_ERROR_INVALID_ARGUMENT,
          "17 parameters: give 1 to 16");
    jr_memory_free(tuning_context, on.d_out);
}

TEST_BETWEEN(what_is_expected_must_be_what_the_preferred_setting_gives, tuning_begin, tuning_end) {
    tunable_case on;
    jr_tunable_found found = JR_INIT(jr_tunable_found, .failed = 99);
    tunable_case_stencil(&on, LENGTH);
    on.expected[7] += 1;
    fails(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, NULL, &found), JR_ERROR_INVALID_ARGUMENT,
          "the preferred setting BLOCK=32,EACH=1,STAGED=0: what is expected is not what this setting gives: output 0: "
          "element 7 is ");
    assert_int_equal(found.failed, 99);
    assert_true(tunable_case_is_untouched(&on));
    on.output.type = JR_I32;
    fails(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, NULL, &found), JR_ERROR_INVALID_ARGUMENT,
          "output 0: type");
    on.output.type = JR_F32;
    on.output.bytes -= 1;
    fails(jr_tunable_tune(tuning_context, &tunable_stencil, &on.problem, NULL, &found), JR_ERROR_INVALID_ARGUMENT,
          "3999 bytes are not a whole number of elements");
    tunable_case_free(&on);
}

RUN_TESTS(NULL, NULL)
