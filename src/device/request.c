/* Parses device requests. */
#include "request.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/settings.h"

jr_status jr_request_parse(const char *text, jr_request *request) {
    if (text == NULL) text = jr_setting_get(JR_SETTING_DEVICE);
    if (text == NULL || text[0] == '\0' || strcmp(text, "auto") == 0) text = "cuda";
    *request = (jr_request){.simulated = strcmp(text, "sim") == 0, .ordinal = -1};
    if (request->simulated || strcmp(text, "cuda") == 0) return JR_OK;
    if (strncmp(text, "cuda:", 5) == 0 && isdigit((unsigned char)text[5])) {
        char *end;
        const long ordinal = strtol(text + 5, &end, 10);
        request->ordinal = (int)ordinal;
        if (*end == '\0' && ordinal < 1024) return JR_OK;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown device '%s': give \"cuda\", \"cuda:N\" or \"sim\"", text);
}
