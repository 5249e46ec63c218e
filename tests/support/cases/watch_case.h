/* What the tests of watched kernels share: a file in a folder of its own whose kernel gives an answer, a watch of it,
 * and the warnings that are logged. All assert that they succeed. */
#ifndef TESTS_SUPPORT_WATCH_CASE_H
#define TESTS_SUPPORT_WATCH_CASE_H

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

static const double LONG_MS = 60000; /* a test that waits so long fails */

extern char watch_path[SCRATCH_BYTES], watch_header[SCRATCH_BYTES]; /* the file; a header in the same folder */

/* CMocka's fixtures for each test. */
int watch_begin(void **state);
int watch_end(void **state);

void watch_write(int answer); /* the file */
jr_watch *watch_file(const opened *device, jr_kernel **kernel);

/* The next kernel gives an answer; the kernel is what it was. */
void watch_wait_for_answer(const opened *device, jr_watch *watch, jr_kernel **kernel, int answer);
void watch_stays(const opened *device, jr_watch *watch, jr_kernel *kernel, int answer);

/* Warnings so far; waits until there are so many, and the last one has a text. */
int watch_warnings(void);
void watch_wait_for_warning(int count, const char *text);

void watch_pause(void); /* 20 ms */

#endif
