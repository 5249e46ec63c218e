/* The device request: takes "cuda:1" apart. */
#ifndef JR_DEVICE_REQUEST_H
#define JR_DEVICE_REQUEST_H

#include <stdbool.h>

#include "jitreduce/status.h"

typedef struct jr_request {
    bool simulated;
    int ordinal; /* -1: none was named */
} jr_request;

/* Parses "cuda", "cuda:N", "sim"; NULL means the setting, else "cuda"; "auto" means "cuda" (falling back is for the
 * caller to decide). Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_request_parse(const char *text, jr_request *request);

#endif
