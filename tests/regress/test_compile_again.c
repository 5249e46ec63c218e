/* NVRTC 13.5 refused kernels under --Ofast-compile that it compiles without it, and every failure of NVRTC's builtins
 * was reported as a missing file, also when there was too little memory. Here a fake NVRTC fails in each way. */
/* cache: own */
#include <string.h>

#include "jitreduce.h"
#include "program/sources.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

static const char *const hurried[] = {"--minimal", "--Ofast-compile=min"};

/* What a compile of a program with or without the options that shorten compiles gave. */
typedef struct outcome {
    jr_status status;
    int attempt; /* in which it came, 1 or 2 */
} outcome;

static outcome compile(const char *ending, size_t option_count) {
    char folder[SCRATCH_BYTES];
    outcome out = {0};
    jr_image *image = NULL;
    scratch_make(folder);
    const char *path = scratch_path(folder, "libnvrtc.so.13");
    const jr_options options = JR_INIT(jr_options, .nvrtc = path, .cache_dir = "");
    const jr_program program = JR_INIT(jr_program, .name = "program", .source = "", .entry = "entry",
                                       .options = hurried, .option_count = option_count);
    if (strstr(ending, "beside")) scratch_elf(scratch_path(folder, "libnvrtc-builtins.so.13.0"));
    assert_true(fake_nvrtc(path, ending));
    out.status = jr_image_compile(&options, &program, "sm_90", &image);
    if (out.status == JR_OK) out.attempt = strstr(jr_image_ptx(image), "// two") != NULL ? 2 : 1;
    jr_image_destroy(image);
    scratch_remove(folder);
    return out;
}

#define REFUSED "nvrtc: error: invalid argument for option --Ofast-compile (-Ofc): min"
static const char refused_by_12_8[] = "log = \"" REFUSED "\\n\"; return has(n, o, \"--Ofast-compile=min\") ? 5 : 0;";

TEST(a_compile_that_only_hurry_spoils_is_made_without_it) {
    static const char *const endings[] = {
        "log = \"a.cuh(6) Error: unsupported operation\\n\"; return has(n, o, \"--Ofast-compile=min\") ? 6 : 0;",
        "return has(n, o, \"--minimal\") ? 11 : 0;",
        "return has(n, o, \"--minimal\") || has(n, o, \"--Ofast-compile=min\") ? 5 : 0;",
        refused_by_12_8,
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const outcome out = compile(endings[i], 2);
        if (out.status != JR_OK) fail_msg("%s: %s", endings[i], jr_last_error()->message);
        assert_int_equal(out.attempt, 2);
    }
    assert_int_equal(compile("return compiles == 1 ? 11 : 0;", 0).status, JR_ERROR_COMPILE);
    assert_int_equal(compile("return 0;", 2).attempt, 1);
}

/* Sums and means of i8 and u8: what NVRTC 13.5 does not know under --Ofast-compile is not called. */
TEST(our_kernels_call_no_dot_product_of_bytes) {
    assert_true(jr_embedded_source_count > 0);
    for (size_t i = 0; i < jr_embedded_source_count; i++)
        if (strstr(jr_embedded_sources[i].text, "__dp4a(")) fail_msg("%s calls __dp4a", jr_embedded_sources[i].name);
}

TEST(it_is_counted_and_told) {
    char folder[SCRATCH_BYTES];
    scratch_make(folder);
    const char *path = scratch_path(folder, "libnvrtc.so.13");
    const jr_options options = JR_INIT(jr_options, .device = "sim", .nvrtc = path, .cache_dir = "");
    jr_context *context = NULL;
    jr_kernel *kernel = NULL;
    jr_counters counters = JR_INIT(jr_counters);
    jr_stats stats = JR_INIT(jr_stats);
    assert_true(fake_nvrtc(path, "return has(n, o, \"--minimal\") ? 11 : 0;"));
    assert_int_equal(jr_context_open(&options, &context), JR_OK);
    for (size_t hurry = 0; hurry <= 1; hurry++) {
        const jr_program program = JR_INIT(jr_program, .name = "program", .source = "", .entry = "entry",
                                           .options = hurried, .option_count = hurry);
        assert_int_equal(jr_kernel_get(context, &program, &kernel), JR_OK);
        assert_int_equal(jr_context_counters(context, &counters), JR_OK);
        assert_int_equal(jr_context_stats(context, &stats), JR_OK);
        assert_int_equal(counters.compiles, hurry + 1);
        assert_int_equal(counters.compiles_again, hurry);
        assert_int_equal(stats.compiled_again, hurry);
    }
    jr_context_close(context);
    scratch_remove(folder);
}

TEST(a_fault_of_the_text_is_told_at_once) {
    const outcome out = compile("log = \"p(1): error: expected a ;\\n\"; return compiles == 1 ? 6 : 0;", 2);
    assert_int_equal(out.status, JR_ERROR_COMPILE);
    assert_non_null(strstr(jr_last_error()->log, "expected a ;"));
}

TEST(too_little_memory_is_told_as_such) {
    assert_int_equal(compile("return 1;", 2).status, JR_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(jr_last_error()->message, "NVRTC has no memory to compile program program"));
    assert_string_equal(jr_last_error()->driver_name, "NVRTC_ERROR_OUT_OF_MEMORY");
    assert_int_equal(compile("/* beside */ return 7;", 2).status, JR_ERROR_OUT_OF_MEMORY);
    assert_non_null(strstr(jr_last_error()->message, "too little memory"));
    assert_int_equal(compile("return 7;", 2).status, JR_ERROR_NVRTC_NOT_FOUND);
}

RUN_TESTS(NULL, NULL)
