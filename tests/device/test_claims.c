/* Claims: processes and contexts that share a cache folder compile each kernel once, whatever becomes of the one that
 * compiles. Each test forks its processes before a driver is opened. */
/* cache: own */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

static const char source[] = "extern \"C\" __global__ void k(int *out) { *out = N; }\n";

enum { MAPPED = 128 };

static bool has_nvrtc_mapped(void) {
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[1024];
    bool mapped = false;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) mapped = mapped || strstr(line, "libnvrtc.") != NULL;
    if (maps != NULL) fclose(maps);
    return mapped;
}

/* What a process compiled; -1: something failed. */
static int get_kernels(int count, double wait_ms) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = scratch_own, .wait_ms = wait_ms);
    jr_context *context = NULL;
    jr_counters counters = JR_INIT(jr_counters);
    if (jr_context_open(&options, &context) != JR_OK) return -1;
    jr_status status = JR_OK;
    for (int i = 0; i < count && status == JR_OK; i++) {
        char text[12];
        snprintf(text, sizeof text, "%d", i);
        const jr_named_text constant = {"N", text};
        const jr_program program = JR_INIT(jr_program, .name = "claimed", .source = source, .entry = "k",
                                           .constants = &constant, .constant_count = 1);
        jr_kernel *kernel = NULL;
        status = jr_kernel_get(context, &program, &kernel);
    }
    if (status == JR_OK) status = jr_context_counters(context, &counters);
    jr_context_close(context);
    return status == JR_OK ? (int)counters.compiles : -1;
}

/* ---- processes ---- */

static pid_t begin_process(int count, double wait_ms, const int gate[2]) {
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child != 0) return child;
    char byte;
    close(gate[1]);
    const bool open = read(gate[0], &byte, 1) == 0; /* the end of the pipe: all begin at once */
    const int compiled = open ? get_kernels(count, wait_ms) : -1;
    _exit(compiled < 0 ? 255 : compiled + (has_nvrtc_mapped() ? MAPPED : 0));
}

static int mapped_count;

/* What it compiled. */
static int end_process(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_not_equal(WEXITSTATUS(status), 255);
    mapped_count += WEXITSTATUS(status) >= MAPPED;
    return WEXITSTATUS(status) % MAPPED;
}

/* How often `processes` that begin at once compile in all. */
static int compiles_of(int processes, int kernels) {
    pid_t children[64];
    int gate[2], compiles = 0;
    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < processes; i++) children[i] = begin_process(kernels, 0, gate);
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < processes; i++) compiles += end_process(children[i]);
    return compiles;
}

TEST_BETWEEN(processes_that_ask_at_once_compile_each_kernel_once, scratch_begin, NULL) {
    const int processes = tests_are_whole() ? 64 : 6, kernels = tests_are_whole() ? 100 : 4;
    assert_int_equal(compiles_of(processes, kernels), kernels);
}

/* Opening NVRTC takes as long as a small compile, on a core that others could use. */
TEST_BETWEEN(processes_that_compile_nothing_do_not_open_nvrtc, scratch_begin, NULL) {
    mapped_count = 0;
    assert_int_equal(compiles_of(6, 1), 1);
    assert_in_range(mapped_count, 1, 2); /* the one that described it, the one that compiled */
}

TEST_BETWEEN(a_folder_in_which_nothing_can_be_claimed_costs_at_most_one_compile_a_process, scratch_begin, NULL) {
    scratch_folder(scratch_path(scratch_own, ".jitreduce-claims")); /* where the file of claims would be */
    const int compiles = compiles_of(3, 2);
    assert_in_range(compiles, 2, 6);
}

/* ---- a holder that dies ---- */

static int told[2];
static const char *last_words;

/* Ends the process where the log says so; others have begun to wait by then. */
static void die_at(void *user, jr_log_level level, const char *line) {
    (void)user;
    (void)level;
    if (strstr(line, last_words) == NULL) return;
    (void)!write(told[1], "", 1);
    usleep(200000);
    kill(getpid(), SIGKILL);
}

static void others_go_on_when_the_holder_dies_at(const char *words) {
    int gate[2], status = 0;
    char byte;
    last_words = words;
    assert_int_equal(pipe(told), 0);
    assert_int_equal(pipe(gate), 0);
    fflush(NULL);
    const pid_t holder = fork();
    if (holder == 0) {
        jr_log_set(die_at, NULL);
        _exit(get_kernels(1, 0) < 0);
    }
    assert_int_equal(read(told[0], &byte, 1), 1);
    const pid_t waiting[] = {begin_process(1, INFINITY, gate), begin_process(1, INFINITY, gate)};
    close(gate[0]);
    close(gate[1]);
    const int compiled = end_process(waiting[0]) + end_process(waiting[1]);
    assert_int_equal(waitpid(holder, &status, 0), holder);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(compiled, 1);
    close(told[0]);
    close(told[1]);
}

TEST_BETWEEN(a_holder_that_is_killed_before_it_compiles_holds_nobody_up, scratch_begin, NULL) {
    others_go_on_when_the_holder_dies_at("compiling claimed");
}

TEST_BETWEEN(a_holder_that_is_killed_before_it_stores_holds_nobody_up, scratch_begin, NULL) {
    others_go_on_when_the_holder_dies_at("compiled claimed");
}

/* ---- one process ---- */

static void *get_one(void *compiled) {
    *(int *)compiled = get_kernels(1, 0);
    return NULL;
}

TEST_BETWEEN(contexts_of_one_process_compile_a_kernel_once, scratch_begin, NULL) {
    pthread_t threads[4];
    int compiled[4];
    for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, get_one, &compiled[i]), 0);
    int compiles = 0;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(compiled[i] >= 0);
        compiles += compiled[i];
    }
    assert_int_equal(compiles, 1);
}

TEST_BETWEEN(after_wait_ms_a_context_compiles_for_itself, scratch_begin, NULL) {
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file = open(scratch_path(scratch_own, ".jitreduce-claims"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(fcntl(file, F_OFD_SETLK, &all), 0);
    assert_int_equal(get_kernels(1, 20), 1);
    close(file);
}

TEST(a_wait_that_is_no_number_of_milliseconds_is_refused) {
    const double wrong[] = {-1, NAN};
    for (int i = 0; i < 2; i++) {
        jr_context *context = NULL;
        fails(jr_context_open(&JR_INIT(jr_options, .wait_ms = wrong[i]), &context), JR_ERROR_INVALID_ARGUMENT,
              "wait_ms");
    }
}

RUN_TESTS(NULL, NULL)
