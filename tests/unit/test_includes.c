/* Which includes and options a program may have: nothing may read a real file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "jitreduce.h"
#include "program/includes.h"
#include "program/options.h"
#include "program/program.h"

static jr_status includes(const char *source) {
    const jr_program program = JR_INIT(jr_program, .name = "p", .source = source, .entry = "e");
    return jr_includes_check(&program);
}

static void texts_that_could_read_a_real_file_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "#include \"/etc/passwd\"\n",
        "#include </etc/passwd>\n",
        "  #  include  \"/etc/passwd\"\n",
        "#include \"../../etc/passwd\"\n",
        "#include \"a/../../b\"\n",
        "%:include \"/etc/passwd\"\n",
        "?\?=include \"/etc/passwd\"\n",
        "#include /* x */ \"/etc/passwd\"\n",
        "#/* x */include \"/etc/passwd\"\n",
        "#inc\\\nlude \"/etc/passwd\"\n",
        "#include \\\n\"/etc/passwd\"\n",
        "#include \"\\\n/etc/passwd\"\n",
        "#include X\n",
        "#include_next \"/etc/passwd\"\n",
        "#import \"/etc/passwd\"\n",
        "#embed \"/etc/passwd\"\n",
        "#if __has_include(\"/etc/passwd\")\n",
        "#if __has_include ( </etc/passwd> )\n",
        "int a;\n#include \"/etc/passwd\"\n",
        "#include \"open\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (includes(texts[i]) != JR_ERROR_INVALID_ARGUMENT) fail_msg("taken: %s", texts[i]);
        assert_non_null(strstr(jr_last_error()->message, "line "));
    }
}

static void plain_names_are_left_to_nvrtc(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "#include \"mine.cuh\"\n",
        "#include <vendor_fp16.h>\n",
        "#include \"folder/mine.cuh\"\n",
        "int a##b;",
        "#define X include\n",
        "a ? b : c; a %: b;",
        "#if __has_include(<vendor_fp16.h>)\n#endif\n",
        "__has_it()",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (includes(texts[i]) != JR_OK) fail_msg("refused: %s", texts[i]);
}

static void a_header_is_looked_at_too_and_named(void **state) {
    (void)state;
    const jr_named_text header = {"bad.cuh", "\n\n#include \"/etc/passwd\"\n"};
    const jr_program program =
        JR_INIT(jr_program, .name = "p", .source = "", .entry = "e", .headers = &header, .header_count = 1);
    assert_int_equal(jr_includes_check(&program), JR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(jr_last_error()->message, "bad.cuh"));
    assert_non_null(strstr(jr_last_error()->message, "line 3"));
}

static void options_with_one_dash_or_two_that_use_files_are_refused(void **state) {
    (void)state;
    static const char *const refused[] = {"-I/tmp",
                                          "-I",
                                          "--include-path=/tmp",
                                          "--use-bundled-headers=/tmp",
                                          "-include=x",
                                          "--pre-include",
                                          "-arch=sm_80",
                                          "-create-pch=/tmp/x",
                                          "--use-pch=/tmp/x",
                                          "-pch-dir=/tmp",
                                          "-fdevice-time-trace=/tmp/t",
                                          "--fdevice-time-trace=t",
                                          "-dlto",
                                          "--time=x",
                                          "-rdc=true",
                                          "word"};
    static const char *const taken[] = {"--maxrregcount=32", "-DX=1", "--use_fast_math", "-lineinfo", "--std=c++20"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const jr_program program = JR_INIT(jr_program, .name = "p", .options = &refused[i], .option_count = 1);
        if (jr_options_check(&program) != JR_ERROR_INVALID_ARGUMENT) fail_msg("taken: %s", refused[i]);
        assert_non_null(strstr(jr_last_error()->message, refused[i]));
    }
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        const jr_program program = JR_INIT(jr_program, .name = "p", .options = &taken[i], .option_count = 1);
        assert_int_equal(jr_options_check(&program), JR_OK);
    }
}

static void a_count_without_its_array_is_named(void **state) {
    (void)state;
    const jr_program programs[] = {
        {.size = sizeof(jr_program), .name = "p", .source = "", .entry = "e", .constant_count = 1},
        {.size = sizeof(jr_program), .name = "p", .source = "", .entry = "e", .header_count = 2},
        {.size = sizeof(jr_program), .name = "p", .source = "", .entry = "e", .option_count = 3}};
    static const char *const named[] = {"1 constants", "2 headers", "3 options"};
    for (size_t i = 0; i < 3; i++) {
        jr_program_text text;
        assert_int_equal(jr_program_text_make(&programs[i], &text), JR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(jr_last_error()->message, named[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_could_read_a_real_file_are_refused),
        cmocka_unit_test(plain_names_are_left_to_nvrtc),
        cmocka_unit_test(a_header_is_looked_at_too_and_named),
        cmocka_unit_test(options_with_one_dash_or_two_that_use_files_are_refused),
        cmocka_unit_test(a_count_without_its_array_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
