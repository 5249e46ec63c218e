/* A tuning whose n-th allocation fails: it reports that, and leaks nothing. */
/* link: fail_nth */
#include "support/fakes/fail_nth.h"
#include "support/fixtures/open_context.h"

#include "jitreduce/tune.h"

static int stop(void *user, const jr_tune_progress *progress) {
    (void)user, (void)progress;
    return 1;
}

/* The first few candidates; their kernels are there after the first walk. */
static jr_status tune(void *user) {
    const opened *device = user;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = stop);
    jr_tuned tuned = JR_INIT(jr_tuned);
    return jr_tune(device->context, &spec, 64, &options, &tuned);
}

static jr_status tune_scan(void *user) {
    const opened *device = user;
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_tune_options options = JR_INIT(jr_tune_options, .progress = stop);
    jr_tuned tuned = JR_INIT(jr_tuned);
    return jr_tune_scan(device->context, &spec, JR_SCAN_EXCLUSIVE, 64, &options, &tuned);
}

TEST(every_failed_allocation_is_an_error_that_leaves_nothing) {
    works(tune(*state));
    assert_true(fail_nth_walk(FAIL_MEMORY, tune, *state) >= 20);
}

TEST(so_it_is_of_scans) {
    works(tune_scan(*state));
    assert_true(fail_nth_walk(FAIL_MEMORY, tune_scan, *state) >= 20);
}

RUN_TESTS(open_context, close_context)
