/* What becomes of NVRTC's failures: a made-up NVRTC fails in each way, and the message says what to do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

/* Compiles with an NVRTC whose compile ends so; the failure is in jr_last_error. */
static jr_status compile_with(const char *folder, const char *ending) {
    const char *path = scratch_path(folder, "libnvrtc.so.13");
    const jr_options options = JR_INIT(jr_options, .nvrtc = path, .cache_dir = "");
    const jr_program program = JR_INIT(jr_program, .name = "program", .source = "", .entry = "entry");
    jr_image *image = NULL;
    assert_true(fake_nvrtc(path, ending));
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

TEST(missing_builtins_are_named_with_the_file_to_install) {
    expect("return 7;", JR_ERROR_NVRTC_NOT_FOUND, "put libnvrtc-builtins.so.13.0 next to it",
           "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE");
}

/* Builtins that need a library which is gone when they are opened, as libstdc++.so.6 in a small container. */
TEST(a_library_that_the_builtins_need_is_named) {
    char folder[SCRATCH_BYTES], command[1024];
    const char *compiler = getenv("CC");
    scratch_make(folder);
    assert_true(fake_library(scratch_path(folder, "libneeded.so.6"), "int needed(void) { return 1; }"));
    snprintf(command, sizeof command,
             "cd '%s' && echo 'int needed(void); int use(void) { return needed(); }' | %s -x c -shared -fPIC "
             "-o libnvrtc-builtins.so.13.0 - -L. -l:libneeded.so.6 && rm libneeded.so.6",
             folder, compiler != NULL ? compiler : "cc");
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c): the test's own words */
    assert_int_equal(compile_with(folder, "return 7;"), JR_ERROR_NVRTC_NOT_FOUND);
    assert_non_null(strstr(jr_last_error()->message, "cannot load its builtins library"));
    assert_non_null(strstr(jr_last_error()->message, "libneeded.so.6: cannot open shared object file"));
}

TEST(a_text_that_does_not_compile_keeps_its_log) {
    expect("return 6;", JR_ERROR_COMPILE, "program program, entry entry, does not compile",
           "NVRTC_ERROR_INTERNAL_ERROR");
}

TEST(an_error_number_of_a_newer_nvrtc_is_still_named) {
    expect("return 77;", JR_ERROR_COMPILE, "compiling failed: NVRTC_ERROR_INTERNAL_ERROR",
           "NVRTC_ERROR_INTERNAL_ERROR");
}

TEST(a_result_that_cannot_be_read_is_an_error) {
    expect("size_result = 11; return 0;", JR_ERROR_COMPILE, "asking for the size of the result failed",
           "NVRTC_ERROR_INTERNAL_ERROR");
}

RUN_TESTS(NULL, NULL)
