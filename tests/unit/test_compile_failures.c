/* What becomes of NVRTC's failures: a made-up NVRTC fails in each way, and the message says what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fake_library.h"
#include "support/scratch.h"

/* An NVRTC 13.0 for sm_90; %s: the statement that ends nvrtcCompileProgram. */
static const char fake_nvrtc[] =
    "#include <stddef.h>\n"
    "int nvrtcVersion(int *a, int *b) { *a = 13; *b = 0; return 0; }\n"
    "const char *nvrtcGetErrorString(int r) { return r == 7 ? \"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE\" : r == 1 ? "
    "\"NVRTC_ERROR_OUT_OF_MEMORY\" : \"NVRTC_ERROR_INTERNAL_ERROR\"; }\n"
    "int nvrtcGetNumSupportedArchs(int *n) { *n = 1; return 0; }\n"
    "int nvrtcGetSupportedArchs(int *n) { *n = 90; return 0; }\n"
    "int nvrtcCreateProgram(void **p, const char *s, const char *n, int c, const char **h, const char **i) { *p = p; "
    "return 0; }\n"
    "int nvrtcDestroyProgram(void **p) { *p = NULL; return 0; }\n"
    "int nvrtcCompileProgram(void *p, int n, const char **o) { %s }\n"
    "int nvrtcGetProgramLogSize(void *p, size_t *n) { *n = 7; return 0; }\n"
    "int nvrtcGetProgramLog(void *p, char *s) { s[0] = 'l'; s[1] = 'o'; s[2] = 'g'; s[3] = 0; return 0; }\n"
    "int nvrtcGetPTXSize(void *p, size_t *n) { return 11; }\n"
    "int nvrtcGetPTX(void *p, char *s) { return 11; }\n"
    "int nvrtcGetCUBINSize(void *p, size_t *n) { return 11; }\n"
    "int nvrtcGetCUBIN(void *p, char *s) { return 11; }\n"
    "int nvrtcAddNameExpression(void *p, const char *s) { return 0; }\n"
    "int nvrtcGetLoweredName(void *p, const char *s, const char **t) { return 11; }\n";

/* Compiles with an NVRTC whose compile ends so; the failure is in jr_last_error. */
static jr_status compile_with(const char *folder, const char *ending) {
    char source[4096];
    const char *path = scratch_path(folder, "libnvrtc.so.13");
    const jr_options options = {.nvrtc = path, .cache_dir = ""};
    const jr_program program = {.name = "program", .source = "", .entry = "entry"};
    jr_image *image = NULL;
    snprintf(source, sizeof source, fake_nvrtc, ending);
    assert_true(fake_library(path, source));
    const jr_status status = jr_image_compile(&options, &program, "sm_90", &image);
    assert_null(image);
    return status;
}

/* Each in a folder, and so in a library, of its own: the loader keeps what it has opened. */
static void expect(const char *ending, jr_status status, const char *message, const char *driver_name) {
    char folder[SCRATCH_BYTES];
    scratch_make(folder);
    assert_int_equal(compile_with(folder, ending), status);
    assert_non_null(strstr(jr_last_error()->message, message));
    assert_string_equal(jr_last_error()->driver_name, driver_name);
    assert_string_equal(jr_last_error()->log, "log");
    scratch_remove(folder);
}

static void missing_builtins_are_named_with_the_file_to_install(void **state) {
    (void)state;
    expect("return 7;", JR_ERROR_NVRTC_NOT_FOUND, "put libnvrtc-builtins.so.13.0 beside it",
           "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE");
}

static void a_text_that_does_not_compile_keeps_its_log(void **state) {
    (void)state;
    expect("return 6;", JR_ERROR_COMPILE, "program program, entry entry, does not compile",
           "NVRTC_ERROR_INTERNAL_ERROR");
}

static void an_error_number_of_a_newer_nvrtc_is_still_named(void **state) {
    (void)state;
    expect("return 77;", JR_ERROR_COMPILE, "compiling failed: NVRTC_ERROR_INTERNAL_ERROR",
           "NVRTC_ERROR_INTERNAL_ERROR");
}

static void a_result_that_cannot_be_read_is_an_error(void **state) {
    (void)state;
    expect("return 0;", JR_ERROR_COMPILE, "asking for the size of the result failed", "NVRTC_ERROR_INTERNAL_ERROR");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_builtins_are_named_with_the_file_to_install),
        cmocka_unit_test(a_text_that_does_not_compile_keeps_its_log),
        cmocka_unit_test(an_error_number_of_a_newer_nvrtc_is_still_named),
        cmocka_unit_test(a_result_that_cannot_be_read_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
