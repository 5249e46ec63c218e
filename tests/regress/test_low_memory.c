/* With too little memory NVRTC itself ended the process ("LLVM ERROR: out of memory"), or was reported as missing. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"

enum { STEP_BYTES = 2 << 20, STEPS = 256, GOOD_IN_A_ROW = 12 };

/* How a compile ended, as exit codes of a child; the linker's own is 127. */
enum { COMPILED = 10, TOLD, OTHERWISE };

static rlim_t mapped_bytes(void) {
    char line[128];
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fgets(line, sizeof line, file) == NULL) _exit(OTHERWISE);
    fclose(file);
    const unsigned long pages = strtoul(line, NULL, 10); /* its first number */
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Compiles for the first time in a process that may have so much memory more. */
static int compile_within(rlim_t more) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = "", .wisdom = "", .packs = "");
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const int data[3] = {3, 1, 2};
    jr_context *context = NULL;
    jr_value value;
    if (jr_context_open(&options, &context) != JR_OK) return OTHERWISE;
    const rlim_t limit = mapped_bytes() + more;
    if (setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) != 0) return OTHERWISE;
    const jr_status status = jr_reduce_host(context, &spec, data, 3, &value);
    if (status == JR_OK) return value.as.i64 == 6 ? COMPILED : OTHERWISE;
    if (status == JR_ERROR_OUT_OF_MEMORY) return TOLD;
    fprintf(stderr, "%s\n", jr_last_error()->message);
    return OTHERWISE;
}

static int end_of_child(rlim_t more) {
    int ended = 0;
    const pid_t child = fork();
    if (child == 0) _exit(compile_within(more));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    if (!WIFEXITED(ended))
        fail_msg("%llu bytes end the process by signal %d", (unsigned long long)more, WTERMSIG(ended));
    return WEXITSTATUS(ended);
}

TEST(too_little_memory_for_a_compile_is_told_and_nothing_else) {
    int good = 0, told = 0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip_because("SKIP: a sanitizer's own memory takes any limit\n");
#endif
    for (int step = 1; step <= STEPS && good < GOOD_IN_A_ROW; step++) {
        const int end = end_of_child((rlim_t)step * STEP_BYTES);
        if (end != COMPILED && end != TOLD) fail_msg("%d MiB: a child ended with %d", step * STEP_BYTES >> 20, end);
        told += end == TOLD;
        good = end == COMPILED ? good + 1 : 0;
    }
    assert_true(told > 20);
    assert_int_equal(good, GOOD_IN_A_ROW);
}

RUN_TESTS(NULL, NULL)
