/* What the stages of a call took, and NVRTC's own trace of a compile. */
/* cache: own */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "support/cases/pch_case.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

static const char source[] = "extern \"C\" __global__ void k(int *out) { *out = 42; }\n";

static jr_stats stats_of(const char *folder, const char *text) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = folder);
    const jr_program program = JR_INIT(jr_program, .name = "staged", .source = text, .entry = "k");
    jr_stats stats = JR_INIT(jr_stats);
    jr_context *context = NULL;
    jr_kernel *kernel = NULL;
    works(jr_context_open(&options, &context));
    works(jr_kernel_get(context, &program, &kernel));
    works(jr_context_stats(context, &stats));
    jr_context_close(context);
    return stats;
}

/* The first test, as NVRTC uses precompiled headers for the folder for which the process opened it. */
TEST_BETWEEN(kernels_that_begin_with_precompiled_headers_are_counted, pch_begin, pch_end) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = scratch_own);
    const char *const texts[] = {pch_source, pch_other};
    char path[2 * SCRATCH_BYTES];
    jr_context *context = NULL;
    works(jr_context_open(&options, &context));
    for (uint64_t i = 0; i < 2; i++) {
        jr_stats stats = JR_INIT(jr_stats);
        jr_kernel *kernel = NULL;
        works(jr_kernel_get(context, &pch_asked(0, texts[i])->program, &kernel));
        works(jr_context_stats(context, &stats));
        if (pch_files(path) > 0) assert_int_equal(stats.precompiled, i);
    }
    if (pch_files(path) == 0) print_message("NVRTC before 12.8 has no precompiled headers\n");
    jr_context_close(context);
}

TEST_BETWEEN(each_stage_of_a_compile_has_its_time, scratch_begin, scratch_end) {
    const jr_stats compiled = stats_of(scratch_own, source), found = stats_of(scratch_own, source);
    assert_int_equal(compiled.origin, JR_ORIGIN_COMPILED);
    assert_true(compiled.sources_ms > 0 && compiled.compiler_ms > 0 && compiled.nvrtc_ms > 0 && compiled.load_ms > 0);
    assert_int_equal(compiled.precompiled, 0);
    assert_int_equal(found.origin, JR_ORIGIN_DISK);
    assert_true(found.sources_ms > 0 && found.cache_ms > 0);
    assert_true(found.nvrtc_ms == 0 && found.wait_ms == 0);
}

/* The traces of a folder: their number, and the text of one. */
static int traces_of(const char *folder, char **text) {
    int count = 0;
    DIR *stream = opendir(folder);
    *text = NULL;
    if (stream == NULL) return 0;
    for (const struct dirent *item = readdir(stream); item != NULL; item = readdir(stream)) {
        if (strncmp(item->d_name, "staged-", 7) != 0 || strstr(item->d_name, ".json") == NULL) continue;
        *text = scratch_read(scratch_path(folder, item->d_name), &(size_t){0});
        count++;
    }
    closedir(stream);
    return count;
}

TEST_BETWEEN(a_compile_is_traced_on_request, scratch_begin, scratch_end) {
    char traces[2 * SCRATCH_BYTES], *text;
    snprintf(traces, sizeof traces, "%s/a/traces", scratch_own);
    assert_int_equal(setenv("JITREDUCE_TIME_TRACE", traces, 1), 0);
    stats_of(scratch_own, source);
    const int count = traces_of(traces, &text);
    if (count == 0) {
        unsetenv("JITREDUCE_TIME_TRACE");
        skip_because("NVRTC before 12.8 writes no traces\n");
    }
    assert_int_equal(count, 1);
    assert_int_equal(scratch_count(traces), 1); /* and nothing else */
    assert_non_null(strstr(text, "traceEvents"));
    stats_of(scratch_own, source); /* from the cache */
    assert_int_equal(traces_of(traces, &text), 1);
    assert_int_equal(unsetenv("JITREDUCE_TIME_TRACE"), 0);
}

/* The key is the same, and so is the image. */
TEST_BETWEEN(a_trace_changes_no_image, scratch_begin, scratch_end) {
    const jr_program program = JR_INIT(jr_program, .name = "staged", .source = source, .entry = "k");
    const jr_options traced = JR_INIT(jr_options, .cache_dir = ""), plain = traced;
    jr_image *first = NULL, *second = NULL;
    size_t bytes[2];
    assert_int_equal(setenv("JITREDUCE_TIME_TRACE", scratch_own, 1), 0);
    works(jr_image_compile(&traced, &program, "sm_90", &first));
    assert_int_equal(unsetenv("JITREDUCE_TIME_TRACE"), 0);
    works(jr_image_compile(&plain, &program, "sm_90", &second));
    const void *data = jr_image_data(first, &bytes[0]), *other = jr_image_data(second, &bytes[1]);
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(data, other, bytes[0]);
    jr_image_destroy(first);
    jr_image_destroy(second);
}

TEST_BETWEEN(a_folder_that_cannot_be_made_costs_the_trace_alone, scratch_begin, scratch_end) {
    scratch_text(scratch_path(scratch_own, "file"), "");
    assert_int_equal(setenv("JITREDUCE_TIME_TRACE", scratch_path(scratch_own, "file/traces"), 1), 0);
    assert_int_equal(stats_of(scratch_own, source).origin, JR_ORIGIN_COMPILED);
    assert_int_equal(setenv("JITREDUCE_TIME_TRACE", scratch_path(scratch_own, "file"), 1), 0);
    assert_int_equal(stats_of("", source).origin, JR_ORIGIN_COMPILED);
    assert_int_equal(setenv("JITREDUCE_TIME_TRACE", "/proc/1", 1), 0); /* a folder in which nothing can be made */
    assert_int_equal(stats_of("", source).origin, JR_ORIGIN_COMPILED);
    assert_int_equal(unsetenv("JITREDUCE_TIME_TRACE"), 0);
}

RUN_TESTS(NULL, NULL)
