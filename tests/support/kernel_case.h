/* What the tests of kernels and images share: saxpy as a program, and a run of it. */
#ifndef TESTS_SUPPORT_KERNEL_CASE_H
#define TESTS_SUPPORT_KERNEL_CASE_H

#include "support/open_context.h"

extern const char saxpy_source[]; /* y[i] = A * x[i] + y[i]; needs the constant A */

/* Gets a program's kernel; asserts. */
jr_kernel *kernel_new(const opened *device, const jr_program *program);

/* Launches a saxpy(n, x, y) on 1000 elements, x = i, y = 1, and asserts that y is factor * i + 1. */
void saxpy_multiplies_by(const opened *device, jr_kernel *kernel, float factor);

/* Launches a kernel(int *out) on one thread and returns what it wrote. */
int kernel_answer(const opened *device, jr_kernel *kernel);

#endif
