/* The JIT log. */
#include "jit_log.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "loader/cuda_abi.h"

enum { JIT_OPTIONS = 64 }; /* numbers from here on are none of the driver's */

int jrs_jit_log_read(jrs_jit_log *log, unsigned count, const int *options, void **values) {
    *log = (jrs_jit_log){0};
    if (count > 0 && (!options || !values)) return JR_CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        unsigned number = (unsigned)(uintptr_t)values[i];
        switch (options[i]) {
        case JR_CU_JIT_ERROR_LOG_BUFFER: log->error = values[i]; break;
        case JR_CU_JIT_INFO_LOG_BUFFER: log->info = values[i]; break;
        case JR_CU_JIT_ERROR_LOG_BUFFER_BYTES:
            log->error_bytes = number;
            log->error_slot = &values[i];
            break;
        case JR_CU_JIT_INFO_LOG_BUFFER_BYTES:
            log->info_bytes = number;
            log->info_slot = &values[i];
            break;
        default:
            if (options[i] < 0 || options[i] >= JIT_OPTIONS) return JR_CUDA_ERROR_INVALID_VALUE;
        }
    }
    return JR_CUDA_SUCCESS;
}

static void put(char *buffer, unsigned bytes, void **slot, const char *text) {
    size_t used = 0;
    if (buffer && bytes > 0) {
        snprintf(buffer, bytes, "%s", text);
        used = *buffer ? strlen(buffer) + 1 : 0;
    }
    if (slot) *slot = (void *)(uintptr_t)used;
}

void jrs_jit_log_write(const jrs_jit_log *log, const char *message) {
    put(log->error, log->error_bytes, log->error_slot, message);
    put(log->info, log->info_bytes, log->info_slot, "");
}
