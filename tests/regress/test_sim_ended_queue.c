/* A call that waited when the process ended came back with success although its work was never done: what was to be
 * copied was not there. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/cases/sim_case.h"

enum { WORDS = 64, COPIED = 10, FAILED = 11, UNFILLED = 12 };

typedef struct waiter {
    jr_cu_context context;
    jr_cu_deviceptr address;
    unsigned words[WORDS];
    int copied, waited;
} waiter;

static waiter the_waiter;
static pthread_t copier, synchronizer;
static bool in_child;

static void pause_ms(long ms) {
    const struct timespec time = {.tv_nsec = ms * 1000000};
    nanosleep(&time, NULL);
}

/* In the queue's hands when the driver is asked to stop, and done before it gives up waiting. */
static void take_long(void *user) {
    (void)user;
    pause_ms(150);
}

static void *copy(void *argument) {
    waiter *self = argument;
    self->copied = cuCtxSetCurrent(self->context);
    if (!self->copied) self->copied = cuMemcpyDtoH_v2(self->words, self->address, sizeof self->words);
    return NULL;
}

static void *synchronize(void *argument) {
    waiter *self = argument;
    self->waited = cuCtxSetCurrent(self->context);
    if (!self->waited) self->waited = cuCtxSynchronize();
    return NULL;
}

/* Runs after the driver's own destructor. */
__attribute__((destructor(101))) static void look(void) {
    if (!in_child) return;
    pthread_join(copier, NULL);
    pthread_join(synchronizer, NULL);
    const bool there = the_waiter.words[0] == 0x01010101 && the_waiter.words[WORDS - 1] == 0x01010101;
    const bool told = the_waiter.copied == JR_CUDA_ERROR_DEINITIALIZED;
    _exit(there ? COPIED : told && the_waiter.waited == JR_CUDA_ERROR_DEINITIALIZED ? FAILED : UNFILLED);
}

static int end_while_others_wait(void) {
    in_child = true;
    bool ready = cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&the_waiter.context, 0) == 0 &&
                 cuCtxSetCurrent(the_waiter.context) == 0 &&
                 cuMemAlloc_v2(&the_waiter.address, sizeof the_waiter.words) == 0 &&
                 cuLaunchHostFunc(NULL, take_long, NULL) == 0 &&
                 cuMemsetD8_v2(the_waiter.address, 1, sizeof the_waiter.words) == 0 &&
                 pthread_create(&copier, NULL, copy, &the_waiter) == 0;
    pause_ms(20);
    ready = ready && pthread_create(&synchronizer, NULL, synchronize, &the_waiter) == 0;
    pause_ms(20);
    if (!ready) _exit(1);
    exit(0);
}

TEST(work_that_was_never_done_is_no_success) {
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) end_while_others_wait();
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == FAILED || WEXITSTATUS(status) == COPIED);
}

RUN_TESTS(NULL, NULL)
