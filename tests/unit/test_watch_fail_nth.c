/* Every call of a watch may fail: where it begins, an error that leaves nothing; where a file has changed, the kernel
 * stays as it was until the next try, which comes without another change. */
/* link: fail_nth */
/* cache: own */
#include <stdio.h>
#include <string.h>

#include "support/cases/watch_case.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"

static struct {
    const opened *device;
    char nvrtc[SCRATCH_BYTES];
    int round;
} test;

/* For the stand-in of NVRTC, whose compiles cost nothing. */
static void write_answer(int answer) {
    char text[64];
    snprintf(text, sizeof text, "#define N %d\n#include \"answer.cuh\"\n", answer);
    scratch_text(watch_path, text);
}

static jr_status open_one(jr_context **context) {
    const jr_options options = JR_INIT(jr_options, .nvrtc = test.nvrtc, .cache_dir = "");
    return jr_context_open(&options, context);
}

/* ---- it begins ---- */

static jr_status begin_and_end(void *user) {
    jr_context *context = NULL;
    jr_watch *watch = NULL;
    jr_kernel *kernel = NULL;
    (void)user;
    jr_status status = open_one(&context);
    if (status == JR_OK) status = jr_kernel_watch(context, &JR_INIT(jr_program, .entry = "k"), watch_path, &watch);
    fail_nth_pause();
    if (status == JR_ERROR_COMPILE) fail_msg("a program in order is blamed: %s", jr_last_error()->message);
    if (status == JR_OK) {
        works(jr_watch_kernel(watch, 0, &kernel));
        assert_int_equal(kernel_answer(test.device, kernel), 7);
    } else {
        assert_null(watch);
    }
    jr_watch_end(watch);
    jr_context_close(context);
    return status;
}

TEST_BETWEEN(a_watch_that_begins_copes_with_a_failure_of_every_call, watch_begin, watch_end) {
    scratch_text(watch_header, "// nothing\n");
    write_answer(7);
    works(begin_and_end(NULL));
    assert_true(fail_nth_walk(FAIL_EVERY, begin_and_end, NULL) > 100);
}

/* ---- its file changes ---- */

/* Fails the n-th call of the watching thread after a change; false: it makes fewer. */
static bool change(jr_watch *watch, jr_kernel **kernel, int n) {
    write_answer(++test.round);
    fail_nth_begin(FAIL_EVERY, n);
    works(jr_watch_kernel(watch, LONG_MS, kernel));
    fail_nth_pause();
    assert_int_equal(kernel_answer(test.device, *kernel), test.round);
    return fail_nth_end();
}

TEST_BETWEEN(a_change_is_taken_up_whatever_call_fails, watch_begin, watch_end) {
    const int step = tests_are_whole() ? 1 : 11; /* a failure costs a second */
    jr_context *context = NULL;
    jr_watch *watch = NULL;
    jr_kernel *kernel = NULL;
    scratch_text(watch_header, "// nothing\n");
    write_answer(++test.round);
    works(open_one(&context));
    works(jr_kernel_watch(context, &JR_INIT(jr_program, .entry = "k"), watch_path, &watch));
    works(jr_watch_kernel(watch, 0, &kernel));
    int n = 1;
    while (change(watch, &kernel, n)) n += step;
    assert_true(n > 50);
    jr_watch_end(watch);
    jr_context_close(context);
}

static int begin(void **state) {
    char folder[SCRATCH_BYTES];
    size_t count;
    if (open_context(state) != 0) return -1;
    test.device = *state;
    scratch_make(folder);
    snprintf(test.nvrtc, sizeof test.nvrtc, "%s", scratch_path(folder, "libnvrtc.so.13"));
    fake_library_make(test.nvrtc, scratch_read("tests/faults/answer_nvrtc.c", &count));
    return 0;
}

RUN_TESTS(begin, close_context)
