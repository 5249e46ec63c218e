/* Every call around a precompiled header may fail, as it is made and as it is used: the image is the one that a compile
 * without gives, or an error that blames no program; nothing half-written stays; and the next compile has one again. */
/* link: fail_nth */
/* cache: own */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "image/compile.h"
#include "image/program_files.h"
#include "kernel/context.h"
#include "pch/pch_headers.h"
#include "support/cases/pch_case.h"
#include "support/fakes/fail_nth.h"

static struct {
    jr_context *context;
    const jr_nvrtc *nvrtc;
    bool new_headers; /* each round has another header, which makes no other code */
    int round;
    int made, begun; /* heard of the log */
    void *cubin;     /* of a compile without a failure */
    size_t bytes;
} test;

static void count_lines(void *user, jr_log_level level, const char *line) {
    (void)user, (void)level;
    test.made += strstr(line, "precompiled headers: made ") != NULL;
    test.begun += strstr(line, "precompiled headers: began with ") != NULL;
}

/* Compiles as a process does that has not compiled before, but for NVRTC, which is open. */
static jr_status compile(const jr_program_text *text, const jr_headers *headers, jr_image **image) {
    static const jr_key key;
    jr_pch *pch = NULL;
    jr_compile_cost cost;
    JR_TRY(jr_pch_open(scratch_own, &pch));
    const jr_compile_target target = {.architecture = "sm_90", .key = &key, .headers = headers, .pch = pch};
    const jr_status status = jr_compile(test.nvrtc, text, &target, &cost, image);
    jr_pch_close(pch);
    return status;
}

static void assert_image(jr_image *image) {
    size_t bytes = 0;
    const void *cubin = jr_image_cubin(image, &bytes);
    if (test.cubin == NULL) {
        test.bytes = bytes;
        test.cubin = malloc(bytes);
        memcpy(test.cubin, cubin, bytes);
    }
    assert_int_equal(bytes, test.bytes);
    assert_memory_equal(cubin, test.cubin, bytes);
    jr_image_free(image);
}

static void assert_nothing_torn(void) {
    const char *folder = scratch_path(scratch_own, "pch");
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    assert_int_equal(jr_folder_list(folder, &entries, &count), JR_OK);
    for (size_t i = 0; i < count; i++) {
        if (strncmp(entries[i].name, JR_TEMPORARY_PREFIX, sizeof JR_TEMPORARY_PREFIX - 1) == 0)
            fail_msg("a half-written file stays: %s", entries[i].name);
        if (test.new_headers) assert_int_equal(jr_file_remove(scratch_path(folder, entries[i].name)), JR_OK);
    }
    free(entries);
}

static jr_status compile_text(const jr_program_text *text, const jr_headers *headers) {
    jr_image *image = NULL;
    const jr_status status = compile(text, headers, &image);
    fail_nth_pause();
    if (status == JR_ERROR_COMPILE) fail_msg("a program in order is blamed: %s", jr_last_error()->message);
    if (status == JR_OK) assert_image(image);
    return status;
}

static jr_status compile_one(void *user) {
    jr_program_text text;
    jr_headers *headers = NULL;
    (void)user;
    JR_TRY(jr_program_text_make(&pch_asked(0, pch_source)->program, &text));
    jr_status status = jr_program_files_none(&text, &headers);
    if (status == JR_OK) status = compile_text(&text, headers);
    fail_nth_pause();
    jr_error_saved *why = jr_error_save();
    if (status == JR_OK || headers != NULL) {
        test.made = test.begun = 0;
        assert_int_equal(compile_text(&text, headers), JR_OK);
        assert_int_equal(test.made + test.begun, 1);
        assert_nothing_torn();
    }
    jr_error_restore(why);
    jr_headers_free(headers);
    jr_program_text_free(&text);
    return status;
}

static jr_status compile_next(void *user) {
    char text[16];
    snprintf(text, sizeof text, "%9d", ++test.round);
    pch_put(strstr(pch_header, "/*") + 2, text);
    return compile_one(user);
}

/* ---- fixtures ---- */

static bool has_them(void) {
    return test.nvrtc->nvrtcSetPCHHeapSize != NULL;
}

static int begin(void **state) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = scratch_own);
    pch_begin(state);
    works(jr_context_open(&options, &test.context));
    works(jr_compiler_acquire(test.context->compiler, &test.nvrtc));
    jr_log_set(count_lines, NULL);
    if (has_them()) works(compile_next(NULL));
    return 0;
}

static int end(void **state) {
    jr_log_set(NULL, NULL);
    jr_compiler_release(test.context->compiler);
    jr_context_close(test.context);
    free(test.cubin);
    return pch_end(state);
}

static void walk(jr_status (*task)(void *)) {
    if (!has_them()) {
        print_message("skipped: NVRTC before 12.8 has no precompiled headers\n");
        skip();
    }
    const int step = tests_are_whole() ? 1 : 3; /* a compile takes 0.2 s */
    assert_true(fail_nth_walk_by(FAIL_EVERY, step, task, NULL) >= 10);
}

TEST(the_compile_that_begins_with_one_copes_with_a_failure_of_every_call) {
    walk(compile_one);
}

TEST(the_compile_that_makes_one_copes_with_a_failure_of_every_call) {
    test.new_headers = true;
    walk(compile_next);
}

/* ---- texts of headers ---- */

static struct {
    jr_program_text text;
    jr_folders folders;
    jr_headers *headers;
} kept;

/* Keeps the texts and reads them: what is read is what was found, and a failure costs no more than the texts. */
static jr_status keep_and_read(void *user) {
    (void)user;
    for (int i = 0; i < 2; i++) {
        jr_headers *read = NULL;
        jr_pch_headers_write(scratch_own, &kept.text, &kept.folders, kept.headers);
        const bool hit = jr_pch_headers_read(scratch_own, &kept.text, &kept.folders, &read);
        if (i == 1) assert_true(hit);
        assert_int_equal(hit, read != NULL);
        if (hit) assert_memory_equal(read->digest, kept.headers->digest, JR_DIGEST_BYTES);
        if (hit) assert_memory_equal(read->texts_digest, kept.headers->texts_digest, JR_DIGEST_BYTES);
        jr_headers_free(read);
        fail_nth_pause();
        assert_nothing_torn();
    }
    return JR_OK;
}

TEST(texts_of_headers_are_kept_and_read_with_a_failure_of_every_call) {
    const char *const folders[] = {scratch_own};
    jr_program program = pch_asked(0, pch_source)->program;
    program.headers = NULL;
    program.header_count = 0;
    program.include_folders = folders;
    program.include_folder_count = 1;
    scratch_text(scratch_path(scratch_own, "big.h"), pch_header);
    works(jr_program_text_make(&program, &kept.text));
    works(jr_folders_list(&program, NULL, 0, &kept.folders));
    works(jr_headers_find(&kept.text, &kept.folders, &kept.headers));
    test.new_headers = true; /* each round begins without texts */
    assert_true(fail_nth_walk(FAIL_EVERY, keep_and_read, NULL) > 30);
    jr_headers_free(kept.headers);
    jr_folders_free(&kept.folders);
    jr_program_text_free(&kept.text);
}

RUN_TESTS(begin, end)
