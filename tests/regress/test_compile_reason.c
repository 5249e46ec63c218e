/* "Why was it compiled again?" had no answer: the log said "it was not stored", whatever the reason was. Each compile
 * has its reason in one line, in the log and in jr_stats. */
/* cache: own */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

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

TEST_BETWEEN(the_reason_is_what_changed_since_the_last_compile, begin, scratch_end) {
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

TEST_BETWEEN(headers_that_come_and_go_are_named, begin, scratch_end) {
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

TEST_BETWEEN(all_that_differs_is_named_as_far_as_it_fits, begin, scratch_end) {
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

TEST_BETWEEN(entries_that_cannot_be_used_are_the_reason, begin, scratch_end) {
    const jr_program program = program_of(source);
    compiles_because(&program, cache, "sm_90", "first compile");
    each_entry(spoil);
    compiles_because(&program, cache, "sm_90", "its entry in the cache was damaged or could not be read");
    each_entry(take_away);
    compiles_because(&program, cache, "sm_90", "its entry was removed from the cache");
}

TEST_BETWEEN(a_cache_that_is_off_says_why, begin, scratch_end) {
    const jr_program program = program_of(source);
    scratch_text(scratch_path(scratch_own, "file"), "");
    char below[3 * SCRATCH_BYTES];
    snprintf(below, sizeof below, "%s/file/cache", scratch_own);
    compiles_because(&program, "", "sm_90", "the disk cache is off (option: turned off)");
    compiles_because(&program, below, "sm_90", "the disk cache is off (option: cannot make folder ");
}

RUN_TESTS(NULL, NULL)
