/* What the wrappers of fail_nth.h share: whether this call fails, and which files are open. */
#ifndef TESTS_SUPPORT_FAIL_NTH_COUNT_H
#define TESTS_SUPPORT_FAIL_NTH_COUNT_H

#include <stdbool.h>

/* Is this call of a kind the one that fails? */
bool fail_nth_now(int kind);

/* Counts a file that was opened or is to be closed; returns it. -1 is fine. */
int fail_nth_file(int file, bool open);

#endif
