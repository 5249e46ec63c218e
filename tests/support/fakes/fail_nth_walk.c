/* Walks of fail_nth.h: a task with each of its calls failing. */
#include <stdio.h>

#include "base/error.h"
#include "fail_nth.h"
#include "support/fixtures/check.h"

enum { ROUNDS_MAX = 5000 };

static void round_check(int n, jr_status status, bool used) {
    char sentinel[64];
    snprintf(sentinel, sizeof sentinel, "fail_nth round %d", n);
    const int allocations = fail_nth_live_allocations(), files = fail_nth_live_files(),
              libraries = fail_nth_live_libraries();
    if (allocations) fail_msg("round %d: %d allocations leaked", n, allocations);
    if (files) fail_msg("round %d: %d files are still open", n, files);
    if (libraries) fail_msg("round %d: %d libraries are still open", n, libraries);
    if (!used && status) fail_msg("round %d: no call failed, but the task: %s", n, jr_last_error()->message);
    if (!status) return;
    assert_int_equal(jr_last_error()->status, status);
    assert_string_not_equal(jr_last_error()->message, "");
    assert_string_not_equal(jr_last_error()->message, sentinel);
}

int fail_nth_walk_by(int kinds, int step, jr_status (*task)(void *user), void *user) {
    int failed = 0;
    for (int n = 1; n <= ROUNDS_MAX; n += step) {
        (void)jr_fail(JR_OK, "fail_nth round %d", n); /* so that an old reason cannot pass for a new one */
        fail_nth_begin(kinds, n);
        jr_status status = task(user);
        bool used = fail_nth_end();
        round_check(n, status, used);
        if (!used) return failed;
        failed++;
    }
    fail_msg("the task still makes new calls after %d rounds", ROUNDS_MAX);
    return 0;
}

int fail_nth_walk(int kinds, jr_status (*task)(void *user), void *user) {
    return fail_nth_walk_by(kinds, 1, task, user);
}
