/* Chooses and checks architectures. */
#include "architecture.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static bool is_supported(const jr_nvrtc_about *record, int architecture) {
    for (int i = 0; i < record->architecture_count; i++)
        if (record->architectures[i] == architecture) return true;
    return false;
}

jr_status jr_architecture_choose(const jr_nvrtc_about *record, jr_architecture_device device,
                                 char out[JR_ARCHITECTURE_BYTES]) {
    const int wanted = device.major * 10 + device.minor;
    int best = 0; /* the newest that is not too new */
    for (int i = 0; i < record->architecture_count; i++)
        if (record->architectures[i] <= wanted && record->architectures[i] > best) best = record->architectures[i];
    if (best > 0)
        snprintf(out, JR_ARCHITECTURE_BYTES, best == wanted && !device.ptx_only ? "sm_%d" : "compute_%d", best);
    else
        return jr_fail(JR_ERROR_ARCHITECTURE,
                       "NVRTC %d.%d (%s) cannot compile for this device of compute capability %d.%d: its oldest target "
                       "is sm_%d; use an older NVRTC",
                       record->major, record->minor, record->path, device.major, device.minor,
                       record->architecture_count > 0 ? record->architectures[0] : 0);
    return JR_OK;
}

int jr_architecture_number(const char *name) {
    const char *digits = NULL;
    if (strncmp(name, "sm_", 3) == 0) digits = name + 3;
    if (strncmp(name, "compute_", 8) == 0) digits = name + 8;
    if (digits == NULL || !isdigit((unsigned char)digits[0]) || digits[0] == '0') return 0;
    char *end;
    const long number = strtol(digits, &end, 10);
    const bool suffix_fits = *end == '\0' || ((*end == 'a' || *end == 'f') && end[1] == '\0');
    return suffix_fits && number < 10000 ? (int)number : 0;
}

const char *jr_architecture_meant(const char *name) {
    return name != NULL && strcmp(name, "sim") == 0 ? "compute_90" : name;
}

jr_status jr_architecture_check(const jr_nvrtc_about *record, const char *name) {
    const int number = name != NULL ? jr_architecture_number(name) : 0;
    if (number == 0 || strlen(name) >= JR_ARCHITECTURE_BYTES)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown architecture '%s': give \"sm_90\" or \"compute_90\"",
                       name != NULL ? name : "(NULL)");
    if (!is_supported(record, number))
        return jr_fail(JR_ERROR_ARCHITECTURE, "NVRTC %d.%d (%s) does not know the architecture %s", record->major,
                       record->minor, record->path, name);
    return JR_OK;
}
