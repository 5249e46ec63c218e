/* A constant that a header defined again was without effect: the kernel was compiled with the header's value, and
 * nobody said so. */
#include <string.h>

#include "support/fixtures/kernel_case.h"

static const char uses[] = "#include \"h\"\nextern \"C\" __global__ void k(int *o) { int unused; *o = N; }";

static jr_program program_of(const jr_named_text *constant, const jr_named_text *header) {
    return JR_INIT(jr_program, .name = "p", .source = uses, .constants = constant, .constant_count = 1,
                   .headers = header, .header_count = 1);
}

TEST(a_constant_that_a_header_defines_again_is_refused) {
    const opened *device = *state;
    const jr_named_text constant = {"N", "7"}, header = {"h", "#define N 2\n"};
    const jr_program program = program_of(&constant, &header);
    jr_kernel *kernel = NULL;
    for (int again = 0; again < 2; again++) {
        fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE,
              "the constant N is 7, but h(1) defines it again");
        assert_non_null(strstr(jr_last_error()->log, "incompatible redefinition"));
    }
}

TEST(one_that_it_defines_alike_or_where_there_is_none_is_taken) {
    const opened *device = *state;
    static const char *const texts[] = {"#define N 7\n", "#ifndef N\n#define N 2\n#endif\n",
                                        "#define M 1\n#undef M\n#define M 2\n"};
    const jr_named_text constant = {"N", "7"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const jr_named_text header = {"h", texts[i]};
        const jr_program program = program_of(&constant, &header);
        assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 7);
    }
}

static void keep_line(void *user, jr_log_level level, const char *line) {
    int *found = user;
    *found += level == JR_LOG_WARNING && strstr(line, "p(2): warning") != NULL && strchr(line, '^') == NULL;
}

TEST(warnings_of_a_program_that_compiles_are_logged) {
    const opened *device = *state;
    const jr_named_text constant = {"N", "8"}, header = {"h", "#define M 1\n#define M 2\n"};
    const jr_program program = program_of(&constant, &header);
    int found = 0;
    jr_log_set(keep_line, &found);
    jr_kernel *kernel = kernel_new(device, &program);
    jr_log_set(NULL, NULL);
    assert_int_equal(kernel_answer(device, kernel), 8);
    assert_int_equal(found, 1);
}

RUN_TESTS(open_context, close_context)
