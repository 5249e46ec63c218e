/* Kernels that fault. A fault ends a real GPU's context for the whole process, so each test runs in a child, and this
 * process never touches the driver: a driver does not survive a fork. */
#include "support/fixtures/open_context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/pump.h"
#include "kernel/context.h"

static const char source[] = "extern \"C\" __global__ void store(char *to) { *(volatile int *)to = 7; }\n";

/* What a child saw: its exit status. CMocka's assertions must not be used in it. */
enum { SAW_WHAT_IT_SHOULD = 0, COULD_NOT_BEGIN, NO_FAULT, WRONG_STATUS, WRONG_AFTERWARDS };

static int complain(int outcome, jr_status status) {
    fprintf(stderr, "outcome %d: %s: %s\n", outcome, jr_status_name(status), jr_last_error()->message);
    return outcome;
}

/* A reduction of host memory: it waits for the device, so it sees a fault that is there. */
static jr_status reduce(jr_context *context) {
    const int data[3] = {1, 2, 3};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_value value = {0};
    const jr_status status = jr_reduce_host(context, &spec, data, 3, &value);
    return status == JR_OK && value.as.i64 != 6 ? JR_ERROR_DRIVER : status;
}

static int healthy(void *unused) {
    (void)unused;
    jr_context *context = NULL;
    jr_status status = jr_context_open(NULL, &context);
    if (status != JR_OK) return complain(COULD_NOT_BEGIN, status);
    status = reduce(context);
    jr_context_close(context);
    return status == JR_OK ? SAW_WHAT_IT_SHOULD : complain(WRONG_STATUS, status);
}

/* Launches the store at an invalid or misaligned address, and reduces until a call returns the fault; then reduces
 * again. */
static int faulty(void *address) {
    const jr_program program = JR_INIT(jr_program, .name = "store", .source = source, .entry = "store");
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1});
    jr_context *context = NULL, *second = NULL;
    jr_kernel *kernel = NULL;
    void *args[] = {address};
    jr_status status = jr_context_open(NULL, &context);
    if (status == JR_OK) status = jr_kernel_get(context, &program, &kernel);
    if (status == JR_OK) status = reduce(context);
    if (status != JR_OK) return complain(COULD_NOT_BEGIN, status);
    status = jr_kernel_launch(kernel, &launch, args);
    if (status == JR_OK) status = reduce(context);
    if (status == JR_OK) return complain(NO_FAULT, status);
    if (status != JR_ERROR_DEVICE_FAULT || strstr(jr_last_error()->message, "context is lost") == NULL)
        return complain(WRONG_STATUS, status);
    status = reduce(context); /* and it stays lost */
    if (status != JR_ERROR_DEVICE_FAULT) return complain(WRONG_AFTERWARDS, status);
    status = jr_context_open(NULL, &second); /* the lost context is not given to another caller */
    if (status != JR_ERROR_DEVICE_FAULT || second != NULL) return complain(WRONG_AFTERWARDS, status);
    const char *advice = jr_context_is_simulated(context) ? "close all contexts of this device" : "start a new one";
    if (strstr(jr_last_error()->message, advice) == NULL) return complain(WRONG_AFTERWARDS, status);
    jr_context_close(context);
    return SAW_WHAT_IT_SHOULD;
}

/* Writes nowhere from the third of many chunks on. */
static jr_status store_nowhere(void *kernel, const jr_chunk *chunk) {
    uint64_t nowhere = 0x10;
    void *args[] = {&nowhere};
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1}, .stream = chunk->stream);
    return chunk->index < 2 ? JR_OK : jr_kernel_launch(kernel, &launch, args);
}

/* Pumps an array through a kernel that faults: the run ends with the fault, and everything is let go of. */
static int faulty_pump(void *unused) {
    (void)unused;
    static char data[1 << 20];
    const jr_program program = JR_INIT(jr_program, .name = "store", .source = source, .entry = "store");
    const jr_pump_request request = {.arrays = {{.data = data, .element_bytes = 1}},
                                     .array_count = 1,
                                     .count = sizeof data,
                                     .limit_bytes = 8 << 10,
                                     .stage_from_bytes = 1};
    jr_context *context = NULL;
    jr_kernel *kernel = NULL;
    jr_pump *pump = NULL;
    bool pushed = false;
    jr_status status = jr_context_open(NULL, &context);
    if (status == JR_OK) status = jr_kernel_get(context, &program, &kernel);
    if (status == JR_OK) status = jr_device_enter(&context->device, &pushed);
    if (status == JR_OK) status = jr_pump_open(&context->device, &request, &pump);
    if (status != JR_OK) return complain(COULD_NOT_BEGIN, status);
    status = jr_pump_run(pump, store_nowhere, kernel);
    jr_pump_close(pump);
    jr_device_leave(&context->device, pushed);
    jr_context_close(context);
    return status == JR_ERROR_DEVICE_FAULT ? SAW_WHAT_IT_SHOULD : complain(WRONG_STATUS, status);
}

static void child_sees_what_it_should(int (*task)(void *), void *user) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(task(user));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SAW_WHAT_IT_SHOULD);
}

/* compute-sanitizer would report the faults that are planted here. tools/dev/check_gpu.sh sets the variable. */
static void skip_under_sanitizer(void) {
    const char *sanitizer = getenv("SANITIZER");
    if (sanitizer == NULL || *sanitizer == '\0') return;
    skip_because("its faults are planted, and compute-sanitizer would report them\n");
}

TEST(a_write_out_of_bounds_is_a_device_fault) {
    skip_under_sanitizer();
    uint64_t nowhere = 0x10;
    child_sees_what_it_should(faulty, &nowhere);
    child_sees_what_it_should(healthy, NULL);
}

TEST(a_misaligned_write_is_a_device_fault) {
    skip_under_sanitizer();
    uint64_t crooked = 0x7f0000000002;
    child_sees_what_it_should(faulty, &crooked);
    child_sees_what_it_should(healthy, NULL);
}

TEST(a_fault_ends_the_pump_that_it_happens_in) {
    skip_under_sanitizer();
    child_sees_what_it_should(faulty_pump, NULL);
}

TEST(a_process_without_faults_works) {
    for (int i = 0; i < 2; i++) child_sees_what_it_should(healthy, NULL);
}

RUN_TESTS(NULL, NULL)
