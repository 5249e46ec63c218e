/* A captured launch of a test's own making: one buffer, two arguments, a program with a constant. */
#ifndef TESTS_SUPPORT_REPLAY_CASE_H
#define TESTS_SUPPORT_REPLAY_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "jitreduce.h"

enum { REPLAY_CASE_BYTES = 64 };

extern const unsigned char replay_case_before[REPLAY_CASE_BYTES];
extern const jr_program replay_case_program;

/* Writes it as folder/name; asserts. */
void replay_case_write(const char *folder, const char *name);

#endif
