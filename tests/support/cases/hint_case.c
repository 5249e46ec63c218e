/* Checks expressions that are refused. */
#include "hint_case.h"

#include <string.h>

void hints_are_given(const hint *hints, size_t count, jr_type type) {
    for (size_t i = 0; i < count; i++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .map = hints[i].map);
        const jr_status status = jr_reduce_check(&spec, NULL);
        if (status != JR_ERROR_INVALID_EXPRESSION) fail_msg("'%s' gives %s", hints[i].map, jr_status_name(status));
        if (strstr(jr_last_error()->message, hints[i].why) == NULL || strstr(jr_last_error()->log, "^\n") == NULL)
            fail_msg("'%s': %s\n%s", hints[i].map, jr_last_error()->message, jr_last_error()->log);
    }
}
