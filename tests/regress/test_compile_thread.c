/* NVRTC recurses on the stack of who calls it: deep nesting ended the process, and so did a first call on a thread with
 * a small stack. It compiles on a thread of the library's own now, and calls need what context.h says. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

/* As jitreduce.h promises; sanitizers lay red zones around what lies on the stack. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CALL_STACK_BYTES = 1024 * 1024 };
#else
enum { CALL_STACK_BYTES = 128 * 1024 };
#endif

/* Runs begin(user) on a thread with so much stack; what it returns is NULL, or what failed. */
static void run_on_stack(size_t bytes, void *(*begin)(void *user), void *user) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *failed = NULL;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, bytes), 0);
    assert_int_equal(pthread_create(&thread, &attributes, begin, user), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    if (failed != NULL) fail_msg("%s failed", (const char *)failed);
}

typedef struct deep {
    jr_context *context;
    jr_kernel *kernel;
} deep;

/* A kernel whose nesting needs some 20 MiB of stack in NVRTC 13.0; NULL, or what failed. */
static void *compile_deep(void *user) {
    enum { DEPTH = 8000 };
    deep *made = user;
    char *source = calloc(DEPTH + 128, 1);
    if (source == NULL) return (void *)"calloc";
    strcpy(source, "extern \"C\" __global__ void k(int *out) { *out = ");
    memset(source + strlen(source), '!', DEPTH);
    strcat(source, "7; }");
    const jr_program program = JR_INIT(jr_program, .name = "deep", .source = source, .entry = "k");
    const jr_status status = jr_kernel_get(made->context, &program, &made->kernel);
    free(source);
    return status == JR_OK ? NULL : (void *)"compiling";
}

/* On a thread like any other: of a process's first one NVRTC raises the limit of stack. */
TEST_BETWEEN(a_text_nested_thousands_deep_compiles, open_context, close_context) {
    const opened *device = *state;
    deep made = {.context = device->context};
    run_on_stack(8 << 20, compile_deep, &made);
    int *d_out = device_new(device, sizeof *d_out), out = 0;
    void *args[] = {&d_out};
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1});
    works(jr_kernel_launch(made.kernel, &launch, args));
    device_read(device, &out, d_out, sizeof out);
    assert_int_equal(out, 1);
}

/* As deep as expressions may nest, nearly. */
#define TEN_SIGNS "!!!!!!!!!!"
#define DEEP_MAP  TEN_SIGNS TEN_SIGNS TEN_SIGNS TEN_SIGNS TEN_SIGNS TEN_SIGNS TEN_SIGNS TEN_SIGNS TEN_SIGNS TEN_SIGNS "x"

/* Calls of every kind, twice: with nothing loaded or compiled, and with everything. NULL, or what failed. */
static void *try_everything(void *folder) {
    static const float data[64] = {3, 1, 2};
    static const jr_spec specs[] = {{.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x * x"},
                                    {.size = sizeof(jr_spec), .op = JR_OP_ARGMIN, .type = JR_F32},
                                    {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = DEEP_MAP},
                                    {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .map = "x * nothing"}};
    for (int round = 0; round < 2; round++) {
        const jr_options options = JR_INIT(jr_options, .cache_dir = folder);
        jr_context *context = NULL;
        jr_value value;
        float results[64];
        if (jr_context_open(&options, &context) != JR_OK) return (void *)"open";
        for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
            if ((jr_reduce_host(context, &specs[i], data, 64, &value) == JR_OK) != (i < 3)) return (void *)"reduce";
        if (jr_work_run_host(context,
                             WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32), .kind = JR_WORK_SCAN_INCLUSIVE),
                             DATA(.in = FROM(data), .count = 64, .out = results)))
            return (void *)"scan";
        jr_context_close(context);
    }
    return NULL;
}

TEST(calls_need_no_more_stack_than_the_header_says) {
    char folder[SCRATCH_BYTES];
    scratch_make(folder);
    run_on_stack(CALL_STACK_BYTES, try_everything, folder);
}

/* In a child, as limits stay: what becomes of a compile with a small RLIMIT_STACK, and where no thread can be had. */
static jr_status compile_plain(void) {
    const jr_program program =
        JR_INIT(jr_program, .name = "p", .source = "extern \"C\" __global__ void k() {}", .entry = "k");
    const jr_options options = JR_INIT(jr_options, .cache_dir = "");
    jr_image *image = NULL;
    const jr_status status = jr_image_compile(&options, &program, "compute_80", &image);
    jr_image_destroy(image);
    return status;
}

static int with_small_stack(void *user) {
    (void)user;
    const struct rlimit limits = {128 * 1024, 128 * 1024};
    return setrlimit(RLIMIT_STACK, &limits) == 0 && compile_plain() == JR_OK ? 0 : 1;
}

static int without_threads(void *user) {
    (void)user;
    const struct rlimit limits = {0, 0};
    if (setrlimit(RLIMIT_NPROC, &limits) != 0 || compile_plain() != JR_ERROR_OUT_OF_MEMORY) return 1;
    return strstr(jr_last_error()->message, "no thread with a stack of 64 MiB") != NULL ? 0 : 2;
}

TEST(limits_of_stack_and_threads_do_not_end_the_process) {
    assert_int_equal(scratch_unprivileged(with_small_stack, NULL), 0);
    assert_int_equal(scratch_unprivileged(without_threads, NULL), 0);
}

static void *compile_many(void *user) {
    jr_context *context = user;
    for (int i = 0;; i++) {
        char text[128];
        jr_kernel *kernel = NULL;
        snprintf(text, sizeof text, "extern \"C\" __global__ void k(int *out) { *out = %d; }", i);
        const jr_program program = JR_INIT(jr_program, .name = "many", .source = text, .entry = "k");
        if (jr_kernel_get(context, &program, &kernel) != JR_OK) return user;
        pthread_testcancel();
    }
}

/* What a thread holds when it is cancelled, nobody gives back: the next call waited for ever. */
TEST_BETWEEN(a_cancelled_thread_leaves_nothing_locked, open_context, close_context) {
    const opened *device = *state;
    for (unsigned i = 1; i <= 5; i++) {
        pthread_t thread;
        void *ended = NULL;
        assert_int_equal(pthread_create(&thread, NULL, compile_many, device->context), 0);
        usleep(i * 37000);
        assert_int_equal(pthread_cancel(thread), 0);
        assert_int_equal(pthread_join(thread, &ended), 0);
        assert_ptr_equal(ended, PTHREAD_CANCELED);
        jr_kernel *kernel = NULL;
        char text[128];
        snprintf(text, sizeof text, "extern \"C\" __global__ void k(int *out) { *out = -%u; }", i);
        const jr_program program = JR_INIT(jr_program, .name = "next", .source = text, .entry = "k");
        alarm(600);
        works(jr_kernel_get(device->context, &program, &kernel));
        alarm(0);
    }
}

/* What forks comes first, while there are no threads: ThreadSanitizer does not support them after a fork that copied
 * some. */

RUN_TESTS(NULL, NULL)
