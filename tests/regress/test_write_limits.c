/* A limit on the size of files (ulimit -f) ended the process by SIGXFSZ when the cache stored an image. */
/* cache: own */
#include <signal.h>
#include <sys/resource.h>

#include "base/files.h"
#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

static const char content[64 * 1024];

/* Sets the limit of files' sizes and returns what it was. */
static rlim_t limit_set(__rlimit_resource_t resource, rlim_t now) {
    struct rlimit limit;
    assert_int_equal(getrlimit(resource, &limit), 0);
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = now;
    assert_int_equal(setrlimit(resource, &limit), 0);
    return before;
}

static bool is_pending(int signal) {
    sigset_t pending;
    assert_int_equal(sigpending(&pending), 0);
    return sigismember(&pending, signal) == 1;
}

static bool is_blocked(int signal) {
    sigset_t blocked;
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &blocked), 0);
    return sigismember(&blocked, signal) == 1;
}

TEST(a_file_that_may_not_be_so_large_is_a_failure_and_nothing_else) {
    char folder[SCRATCH_BYTES];
    struct sigaction action;
    scratch_make(folder);
    const rlim_t before = limit_set(RLIMIT_FSIZE, 1024);
    const jr_status status = jr_file_write(folder, "file", content, sizeof content);
    limit_set(RLIMIT_FSIZE, before);
    fails(status, JR_ERROR_FILE, "File too large");
    assert_int_equal(scratch_count(folder), 0);
    assert_false(is_pending(SIGXFSZ));
    assert_false(is_blocked(SIGXFSZ));
    assert_int_equal(sigaction(SIGXFSZ, NULL, &action), 0);
    assert_true(action.sa_handler == SIG_DFL);
}

TEST(a_signal_that_waited_before_waits_afterwards) {
    char folder[SCRATCH_BYTES];
    sigset_t own, before;
    const struct timespec none = {0};
    scratch_make(folder);
    sigemptyset(&own);
    sigaddset(&own, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &own, &before);
    raise(SIGXFSZ);
    const rlim_t limit = limit_set(RLIMIT_FSIZE, 1024);
    const jr_status status = jr_file_write(folder, "file", content, sizeof content);
    limit_set(RLIMIT_FSIZE, limit);
    const bool waits = is_pending(SIGXFSZ), blocked = is_blocked(SIGXFSZ);
    while (sigtimedwait(&own, NULL, &none) == SIGXFSZ) continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_true(waits);
    assert_true(blocked);
    fails(status, JR_ERROR_FILE, "File too large");
}

static jr_program answer_program(const jr_named_text *answer) {
    return JR_INIT(jr_program, .name = "answer", .source = "extern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n",
                   .entry = "k", .constants = answer, .constant_count = 1);
}

/* A kernel that is compiled and cannot be stored is there all the same. NVRTC is open before the limit begins. */
static void compile_limited(const opened *device, __rlimit_resource_t resource, rlim_t limit) {
    const jr_named_text first = {"ANSWER", "41"}, second = {"ANSWER", "42"};
    const jr_program warm = answer_program(&first), program = answer_program(&second);
    jr_counters counters = JR_INIT(jr_counters);
    jr_context *context;
    jr_kernel *kernel;
    char folder[SCRATCH_BYTES];
    scratch_make(folder);
    works(jr_context_open(&JR_INIT(jr_options, .cache_dir = folder), &context));
    works(jr_kernel_get(context, &warm, &kernel));
    const int stored = scratch_count(folder);
    const rlim_t before = limit_set(resource, limit);
    const jr_status status = jr_kernel_get(context, &program, &kernel);
    limit_set(resource, before);
    works(status);
    assert_int_equal(kernel_answer(device, kernel), 42);
    works(jr_context_counters(context, &counters));
    assert_int_equal(counters.compiles, 2);
    assert_true(counters.cache_failures >= 1);
    assert_int_equal(scratch_count(folder), stored);
    jr_context_close(context);
    scratch_remove(folder);
}

TEST(a_limit_on_the_size_of_files_costs_time_never_the_call) {
    compile_limited(*state, RLIMIT_FSIZE, 100);
    compile_limited(*state, RLIMIT_FSIZE, 0);
}

TEST(a_limit_on_open_files_costs_time_never_the_call) {
    compile_limited(*state, RLIMIT_NOFILE, 3); /* standard input, output and error are all that can be open */
}

TEST(stored_tunings_are_refused_by_a_limit_and_stay_as_they_were) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = 1000, .complete = 1, .estimate = {.us = 1}, .best = {.us = 1});
    jr_context *context;
    char folder[SCRATCH_BYTES];
    scratch_make(folder);
    works(jr_context_open(&JR_INIT(jr_options, .wisdom = scratch_path(folder, "wisdom")), &context));
    const rlim_t before = limit_set(RLIMIT_FSIZE, 16);
    const jr_status status = jr_work_tuned_store(context, WORK(&spec), &tuned);
    limit_set(RLIMIT_FSIZE, before);
    fails(status, JR_ERROR_FILE, "File too large");
    assert_int_equal(scratch_count(folder), 0);
    works(jr_work_tuned_store(context, WORK(&spec), &tuned));
    assert_int_equal(scratch_count(folder), 1);
    jr_context_close(context);
}

RUN_TESTS(open_context, close_context)
