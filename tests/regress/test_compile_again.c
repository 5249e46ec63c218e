/* Compiles that are made again, and why something is compiled at all. */
/* cache: own */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "program/sources.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

/* NVRTC 13.5 refused kernels under --Ofast-compile that it compiles without it, and every failure of NVRTC's builtins
 * was reported as a missing file, also when there was too little memory. Here a fake NVRTC fails in each way. */
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

/* "Why was it compiled again?" had no answer: the log said "it was not stored", whatever the reason was. Each compile
 * has its reason in one line, in the log and in jr_stats. */
static char compiled[2048]; /* the last log line of a compile; "" if nothing was compiled */

static void keep_line(void *user, jr_log_level level, const char *line) {
    (void)user;
    if (level == JR_LOG_INFO && strncmp(line, "compiled ", 9) == 0) snprintf(compiled, sizeof compiled, "%s", line);
}

static jr_named_text constants[] = {{"BLOCK", "128"}};
static const char *options[] = {"--maxrregcount=32"};
static char folder[2 * SCRATCH_BYTES], cache[2 * SCRATCH_BYTES], nvrtc[2 * SCRATCH_BYTES];
static const char *folders[] = {folder};

static jr_program program_of(const char *source) {
    return JR_INIT(jr_program, .name = "program", .source = source, .entry = "entry", .constants = constants,
                   .constant_count = 1, .options = options, .option_count = 1, .include_folders = folders,
                   .include_folder_count = 1);
}

/* Compiles, and asserts that the log has the reason; NULL: that the cache had the image. */
static void compiles_because(const jr_program *program, const char *cache_dir, const char *architecture,
                             const char *reason) {
    const jr_options how = JR_INIT(jr_options, .nvrtc = nvrtc, .cache_dir = cache_dir);
    jr_image *image = NULL;
    compiled[0] = '\0';
    jr_log_set(keep_line, NULL);
    const jr_status status = jr_image_compile(&how, program, architecture, &image);
    jr_log_set(NULL, NULL);
    if (status != JR_OK) fail_msg("%s", jr_last_error()->message);
    jr_image_destroy(image);
    if (reason == NULL)
        assert_string_equal(compiled, "");
    else if (strstr(compiled, reason) == NULL)
        fail_msg("'%s' does not have '%s'", compiled, reason);
}

static const char source[] = "#include \"a.h\"\n";

static int begin(void **state) {
    if (scratch_begin(state) != 0) return 1;
    snprintf(folder, sizeof folder, "%s/include", scratch_own);
    snprintf(cache, sizeof cache, "%s/cache", scratch_own);
    snprintf(nvrtc, sizeof nvrtc, "%s/libnvrtc.so.13", scratch_own);
    scratch_text(scratch_path(folder, "a.h"), "// one\n");
    constants[0].text = "128";
    options[0] = "--maxrregcount=32";
    return fake_nvrtc(nvrtc, "return 0;") ? 0 : 1;
}

TEST_BETWEEN(the_reason_is_what_changed_since_the_last_compile, begin, NULL) {
    jr_program program = program_of(source);
    compiles_because(&program, cache, "sm_90", " ms: first compile of this program in this cache");
    compiles_because(&program, cache, "sm_90", NULL);
    scratch_text(scratch_path(folder, "a.h"), "// two\n");
    compiles_because(&program, cache, "sm_90", "/a.h changed since its last compile");
    constants[0].text = "256";
    compiles_because(&program, cache, "sm_90", "constant BLOCK changed from '128' to '256' since its last compile");
    options[0] = "--maxrregcount=64";
    compiles_because(&program, cache, "sm_90", "its options changed from '--maxrregcount=32' to '--maxrregcount=64'");
    program = program_of("#include \"a.h\"\nint more;\n");
    compiles_because(&program, cache, "sm_90", "its source changed since its last compile");
    assert_true(fake_nvrtc(nvrtc, "return compiles == 9 ? 11 : 0;"));
    compiles_because(&program, cache, "sm_90", "NVRTC changed from '13.0 (build ");
    compiles_because(&program, cache, "sm_90", NULL);
}

TEST_BETWEEN(headers_that_come_and_go_are_named, begin, NULL) {
    const jr_named_text own = {"own.h", "int own;"};
    jr_program program = program_of(source);
    compiles_because(&program, cache, "sm_90", "first compile");
    program.headers = &own;
    program.header_count = 1;
    compiles_because(&program, cache, "sm_90", "header own.h is new since its last compile");
    program.header_count = 0;
    constants[0].text = "64";
    compiles_because(&program, cache, "sm_90", "constant BLOCK changed from '128' to '64'");
    scratch_text(scratch_path(folder, "a.h"), "#include \"b.h\"\n");
    scratch_text(scratch_path(folder, "b.h"), "\n");
    compiles_because(&program, cache, "sm_90", "/a.h changed, header ");
    scratch_text(scratch_path(folder, "b.h"), "// two\n");
    compiles_because(&program, cache, "sm_90", "/b.h changed since its last compile");
}

TEST_BETWEEN(all_that_differs_is_named_as_far_as_it_fits, begin, NULL) {
    jr_program program = program_of(source);
    compiles_because(&program, cache, "sm_90", "first compile");
    constants[0].text = "64";
    options[0] = "--maxrregcount=128";
    scratch_text(scratch_path(folder, "a.h"), "// three\n");
    compiles_because(&program, cache, "sm_90",
                     ": constant BLOCK changed from '128' to '64', its options changed from "
                     "'--maxrregcount=32' to '--maxrregcount=128' since its last compile");
    char names[30][64], texts[30][100];
    jr_named_text many[30];
    for (int i = 0; i < 30; i++) {
        snprintf(names[i], sizeof names[i], "A_CONSTANT_WITH_A_LONG_NAME_THAT_GOES_ON_AND_ON_NUMBER_%d", i);
        snprintf(texts[i], sizeof texts[i], "%090d", i);
        many[i] = (jr_named_text){names[i], texts[i]};
    }
    program.constants = many;
    program.constant_count = 30;
    compiles_because(&program, cache, "sm_90", "ON_NUMBER_2 is new, and 28 more since its last compile");
    for (int i = 0; i < 30; i++) texts[i][89] = 'x';
    compiles_because(&program, cache, "sm_90", "AND_ON_NUMBER_0 changed, and 29 more since its last compile");
}

/* Does something to every entry of the cache. */
static void each_entry(void (*change)(const char *path)) {
    DIR *all = opendir(cache);
    assert_non_null(all);
    for (const struct dirent *entry; (entry = readdir(all)) != NULL;) {
        const char *suffix = strrchr(entry->d_name, '.');
        if (suffix != NULL && strcmp(suffix, ".jri") == 0) change(scratch_path(cache, entry->d_name));
    }
    closedir(all);
}

static void spoil(const char *path) {
    scratch_text(path, "no image");
}

static void take_away(const char *path) {
    assert_int_equal(remove(path), 0);
}

TEST_BETWEEN(entries_that_cannot_be_used_are_the_reason, begin, NULL) {
    const jr_program program = program_of(source);
    compiles_because(&program, cache, "sm_90", "first compile");
    each_entry(spoil);
    compiles_because(&program, cache, "sm_90", "its entry in the cache was damaged or could not be read");
    each_entry(take_away);
    compiles_because(&program, cache, "sm_90", "its entry was removed from the cache");
}

TEST_BETWEEN(a_cache_that_is_off_says_why, begin, NULL) {
    const jr_program program = program_of(source);
    scratch_text(scratch_path(scratch_own, "file"), "");
    char below[3 * SCRATCH_BYTES];
    snprintf(below, sizeof below, "%s/file/cache", scratch_own);
    compiles_because(&program, "", "sm_90", "the disk cache is off (option: turned off)");
    compiles_because(&program, below, "sm_90", "the disk cache is off (option: cannot make folder ");
}

RUN_TESTS(NULL, NULL)
