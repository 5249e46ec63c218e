/* Maps that are refused, and what the message says. */
#ifndef TESTS_SUPPORT_HINT_CASE_H
#define TESTS_SUPPORT_HINT_CASE_H

#include "support/fixtures/open_context.h"

typedef struct hint {
    const char *map, *why;
} hint;

/* Each is an invalid expression over elements of the type, whose message has these words and whose log has a caret. */
#define REFUSED(hints, type) hints_are_given(hints, sizeof(hints) / sizeof *(hints), type)
void hints_are_given(const hint *hints, size_t count, jr_type type);

#endif
