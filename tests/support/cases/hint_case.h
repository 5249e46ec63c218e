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

static inline void maps_are_taken(const char *const *maps, size_t count, jr_type type) {
    for (size_t i = 0; i < count; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .map = maps[i]);
        if (jr_reduce_check(&spec, NULL) != JR_OK) fail_msg("'%s': %s", maps[i], jr_last_error()->message);
    }
}

/* Each is a valid map of elements of the type. */
#define TAKEN(maps, type) maps_are_taken(maps, sizeof(maps) / sizeof *(maps), type)

/* The note about a spec over elements of these ranges (NULL: any) has these words; NULL or "": no note is given. */
static inline void assert_noted(const jr_spec *spec, const jr_value *ranges, uint64_t count, const char *words) {
    char note[512];
    unsigned flags;
    works(jr_reduce_foresee(spec, ranges, count, &flags, note, sizeof note));
    const bool silent = words == NULL || *words == '\0';
    if (silent ? *note != '\0' : strstr(note, words) == NULL)
        fail_msg("%s %s %s: '%s'", spec->map ? spec->map : "", spec->where ? spec->where : "",
                 spec->finish ? spec->finish : "", note);
}

/* Each is an invalid expression over elements of the type, whose message has these words and whose log has a caret. */
#define REFUSED(hints, type) hints_are_given(hints, sizeof(hints) / sizeof *(hints), type)

#endif
