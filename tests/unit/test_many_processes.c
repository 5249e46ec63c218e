/* Many processes that start with an empty cache folder at once: each kernel is compiled once in all, whichever process
 * is killed at whichever call; where locks or exclusive files do not work, as on network file systems, once a process.
 * The stand-in of NVRTC logs its compiles. Each process opens a driver of its own: none is open when it is forked. */
/* link: fail_nth */
/* cache: own */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

enum { PROCESSES_MAX = 64, KERNELS_MAX = 100 };

static char nvrtc[SCRATCH_BYTES], compile_log[SCRATCH_BYTES];

/* ---- in a process ---- */

static jr_status launch(jr_context *context, jr_kernel *kernel, int *answer) {
    void *d_out = NULL;
    jr_status status = jr_memory_new(context, sizeof *answer, &d_out);
    if (status == JR_OK)
        status = jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {1}), (void *[]){&d_out});
    if (status == JR_OK) status = jr_memory_read(context, answer, d_out, sizeof *answer);
    jr_memory_free(context, d_out);
    return status;
}

/* Gets the kernels, each with a number of its own, and compares what they write. */
static bool get_kernels(jr_context *context, int kernels) {
    for (int i = 1; i <= kernels; i++) {
        char text[12];
        int answer = 0;
        snprintf(text, sizeof text, "%d", i);
        const jr_named_text constant = {"N", text};
        const jr_program program = JR_INIT(jr_program, .name = "one of many", .source = "// k writes N\n", .entry = "k",
                                           .constants = &constant, .constant_count = 1);
        jr_kernel *kernel = NULL;
        if (jr_kernel_get(context, &program, &kernel) != JR_OK || launch(context, kernel, &answer) != JR_OK ||
            answer != i)
            return false;
    }
    return true;
}

typedef struct process {
    int kernels;
    int failing;     /* all these calls fail */
    int killed_at;   /* the process is killed at this call of the system, after the context is open; 0: never */
    const int *gate; /* a pipe, at whose end it begins; NULL: at once */
} process;

static int told[2];

/* Others begin now, and may wait already. */
static void die(void) {
    (void)!write(told[1], "", 1);
    usleep(2000);
    kill(getpid(), SIGKILL);
}

static bool run(const process *self) {
    const jr_options options = JR_INIT(jr_options, .nvrtc = nvrtc, .cache_dir = scratch_own, .wait_ms = INFINITY);
    jr_context *context = NULL;
    char byte;
    if (self->gate != NULL) {
        close(self->gate[1]);
        if (read(self->gate[0], &byte, 1) != 0) return false;
    }
    if (self->failing != 0) fail_nth_always(self->failing);
    bool good = jr_context_open(&options, &context) == JR_OK;
    if (self->killed_at != 0) fail_nth_act(FAIL_FILES | FAIL_LOCKS | FAIL_PATHS, self->killed_at, die);
    good = good && get_kernels(context, self->kernels);
    if (!good) fprintf(stderr, "%s\n", jr_last_error()->message);
    jr_context_close(context);
    return good;
}

static pid_t begin_process(const process *self) {
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(run(self) ? 0 : 1);
    return child;
}

static int end_process(pid_t child) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* ---- what was compiled ---- */

/* How often each kernel was compiled by all processes. */
static void read_log(int compiles[KERNELS_MAX + 1]) {
    size_t count;
    memset(compiles, 0, (KERNELS_MAX + 1) * sizeof *compiles);
    if (access(compile_log, F_OK) != 0) return;
    char *text = scratch_read(compile_log, &count), *at = text;
    for (char *end; *at != '\0'; at = end + 1) {
        const long number = strtol(at, &end, 10);
        assert_in_range(number, 1, KERNELS_MAX);
        compiles[number]++;
    }
}

static void run_all(const process *one, int processes) {
    pid_t children[PROCESSES_MAX];
    int gate[2];
    process self = *one;
    assert_int_equal(pipe(gate), 0);
    self.gate = gate;
    for (int i = 0; i < processes; i++) children[i] = begin_process(&self);
    close(gate[0]);
    close(gate[1]);
    for (int i = 0; i < processes; i++) assert_int_equal(end_process(children[i]), 0);
}

static int begin(void **state) {
    scratch_begin(state);
    snprintf(compile_log, sizeof compile_log, "%s", scratch_path(scratch_own, "compiles"));
    return setenv("ANSWER_NVRTC_LOG", compile_log, 1);
}

/* ---- tests ---- */

TEST_BETWEEN(sixty_four_processes_compile_each_kernel_once, begin, NULL) {
    const process one = {.kernels = KERNELS_MAX};
    int compiles[KERNELS_MAX + 1];
    run_all(&one, PROCESSES_MAX);
    read_log(compiles);
    for (int i = 1; i <= one.kernels; i++) assert_int_equal(compiles[i], 1);
}

static void compile_once_a_process_at_most(int failing) {
    enum { PROCESSES = 8, KERNELS = 6 };
    const process one = {.kernels = KERNELS, .failing = failing};
    int compiles[KERNELS_MAX + 1];
    run_all(&one, PROCESSES);
    read_log(compiles);
    for (int i = 1; i <= KERNELS; i++) assert_in_range(compiles[i], 1, PROCESSES);
}

TEST_BETWEEN(without_locks_each_process_compiles_a_kernel_once_at_most, begin, NULL) {
    compile_once_a_process_at_most(FAIL_LOCKS);
}

TEST_BETWEEN(without_exclusive_files_each_process_compiles_a_kernel_once, begin, NULL) {
    compile_once_a_process_at_most(FAIL_EXCLUSIVE);
}

TEST_BETWEEN(with_neither_each_process_compiles_a_kernel_once, begin, NULL) {
    compile_once_a_process_at_most(FAIL_LOCKS | FAIL_EXCLUSIVE);
}

/* One process is killed at a call, and two others go on. False: it made fewer calls. */
static bool others_go_on_after(int killed_at) {
    const process dies = {.kernels = 1, .killed_at = killed_at}, lives = {.kernels = 1};
    int compiles[KERNELS_MAX + 1];
    char byte;
    assert_int_equal(pipe(told), 0);
    const pid_t holder = begin_process(&dies);
    close(told[1]);
    const bool died = read(told[0], &byte, 1) == 1; /* 0: it ended */
    const pid_t others[] = {begin_process(&lives), begin_process(&lives)};
    close(told[0]);
    const int status = end_process(holder);
    for (int i = 0; i < 2; i++) assert_int_equal(end_process(others[i]), 0);
    assert_int_equal(died, WIFSIGNALED(status));
    read_log(compiles);
    assert_in_range(compiles[1], 1, died ? 2 : 1); /* what it compiled may have died with it */
    return died;
}

TEST(whichever_call_a_process_is_killed_at_the_others_go_on) {
    int killed_at = 1;
    for (bool died = true; died; killed_at++) {
        begin(state);
        died = others_go_on_after(killed_at);
        scratch_remove(scratch_own);
    }
    assert_true(killed_at > 40);
}

static int begin_all(void **state) {
    static char folder[SCRATCH_BYTES];
    size_t count;
    (void)state;
    scratch_make(folder);
    snprintf(nvrtc, sizeof nvrtc, "%s", scratch_path(folder, "libnvrtc.so.13"));
    fake_library_make(nvrtc, scratch_read("tests/faults/answer_nvrtc.c", &count));
    return 0;
}

RUN_TESTS(begin_all, NULL)
