/* The public functions of tuning (tune.h). */
#include "jitreduce/tune.h"

#include <string.h>

#include "base/error.h"
#include "tune/advice.h"

_Static_assert((int)JR_WISDOM_PATH_BYTES == (int)JR_PATH_BYTES, "paths of one length");

jr_status jr_wisdom_info_get(jr_context *context, jr_wisdom_info *info) {
    jr_advice_state state;
    if (context == NULL || info == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "context or info is NULL");
    const jr_status status = jr_advice_look(context, &state);
    if (status != JR_OK) return status;
    *info = (jr_wisdom_info){.origin = state.place.origin,
                             .found = state.found,
                             .own_count = state.here,
                             .usable_count = state.elsewhere,
                             .other_count = state.other};
    memcpy(info->path, state.place.path, sizeof info->path);
    memcpy(info->refused, state.refused, sizeof info->refused);
    return JR_OK;
}
