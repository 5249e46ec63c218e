/* What the tests of watched kernels share. */
#include "watch_case.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TEXT_BYTES = 256 };

char watch_path[SCRATCH_BYTES], watch_header[SCRATCH_BYTES];

/* ---- what is heard of the log ---- */

static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;
static char heard[1 << 14];
static int warnings;

static void hear(void *user, jr_log_level level, const char *message) {
    (void)user;
    if (level != JR_LOG_WARNING) return;
    pthread_mutex_lock(&heard_lock);
    warnings++;
    snprintf(heard, sizeof heard, "%s", message);
    pthread_mutex_unlock(&heard_lock);
}

int watch_warnings(void) {
    pthread_mutex_lock(&heard_lock);
    const int so_far = warnings;
    pthread_mutex_unlock(&heard_lock);
    return so_far;
}

void watch_pause(void) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

void watch_wait_for_warning(int count, const char *text) {
    for (int left = 3000; left > 0 && watch_warnings() < count; left--) watch_pause();
    pthread_mutex_lock(&heard_lock);
    const bool good = warnings == count && strstr(heard, text) != NULL;
    pthread_mutex_unlock(&heard_lock);
    if (!good) fail_msg("%d warnings instead of %d, and the last one has no '%s': %s", warnings, count, text, heard);
}

/* ---- fixtures ---- */

int watch_begin(void **state) {
    (void)state;
    scratch_make(scratch_own);
    snprintf(watch_path, sizeof watch_path, "%s", scratch_path(scratch_own, "answer.cu"));
    snprintf(watch_header, sizeof watch_header, "%s", scratch_path(scratch_own, "answer.cuh"));
    warnings = 0;
    heard[0] = '\0';
    jr_log_set(hear, NULL);
    return 0;
}

int watch_end(void **state) {
    (void)state;
    jr_log_set(NULL, NULL);
    scratch_remove(scratch_own);
    return 0;
}

void watch_write(int answer) {
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "extern \"C\" __global__ void k(int *o) { *o = %d; }\n", answer);
    scratch_text(watch_path, text);
}

jr_watch *watch_file(const opened *device, jr_kernel **kernel) {
    jr_watch *watch = NULL;
    works(jr_kernel_watch(device->context, &JR_INIT(jr_program, .entry = "k"), watch_path, &watch));
    *kernel = NULL;
    works(jr_watch_kernel(watch, INFINITY, kernel));
    assert_non_null(*kernel);
    return watch;
}

/* The next kernel gives an answer. */
void watch_wait_for_answer(const opened *device, jr_watch *watch, jr_kernel **kernel, int answer) {
    jr_kernel *before = *kernel;
    works(jr_watch_kernel(watch, LONG_MS, kernel));
    assert_ptr_not_equal(*kernel, before);
    assert_int_equal(kernel_answer(device, *kernel), answer);
}

void watch_stays(const opened *device, jr_watch *watch, jr_kernel *kernel, int answer) {
    jr_kernel *now = kernel;
    works(jr_watch_kernel(watch, 0, &now));
    assert_ptr_equal(now, kernel);
    assert_int_equal(kernel_answer(device, now), answer);
}
