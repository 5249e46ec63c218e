/* Tests that go through a table of all combinations take a sample of it, unless the environment asks for all. */
#ifndef JR_SUPPORT_WHOLE_H
#define JR_SUPPORT_WHOLE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* JR_TESTS=whole (`make check-whole`). */
static inline bool tests_are_whole(void) {
    const char *tests = getenv("JR_TESTS");
    return tests != NULL && strcmp(tests, "whole") == 0;
}

#endif
