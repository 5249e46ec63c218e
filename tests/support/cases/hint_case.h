/* Maps that are refused, and what the message says. */
#ifndef TESTS_SUPPORT_HINT_CASE_H
#define TESTS_SUPPORT_HINT_CASE_H

#include <string.h>

#include "support/fixtures/open_context.h"

typedef struct hint {
    const char *map, *why;
} hint;

static inline void hints_are_given(const hint *hints, size_t count, jr_type type) {
    for (size_t i = 0; i < count; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .map = hints[i].map);
        const jr_status status = jr_reduce_check(&spec, NULL);
        if (status != JR_ERROR_INVALID_EXPRESSION) fail_msg("'%s' gives %s", hints[i].map, jr_status_name(status));
        if (strstr(jr_last_error()->message, hints[i].why) == NULL || strstr(jr_last_error()->log, "^\n") == NULL)
            fail_msg("'%s': %s\n%s", hints[i].map, jr_last_error()->message, jr_last_error()->log);
    }
}

/* Each is an invalid expression over elements of the type, whose message has these words and whose log has a caret. */
#define REFUSED(hints, type) hints_are_given(hints, sizeof(hints) / sizeof *(hints), type)

#endif
