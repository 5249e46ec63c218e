/* The log callback: set once before threads start, so that reading it needs no lock. */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

enum { LINE_BYTES = 2048 };

static jr_log_callback log_callback;
static void *log_user;

void jr_log_set(jr_log_callback callback, void *user) {
    log_callback = callback;
    log_user = user;
}

void jr_log(jr_log_level level, const char *format, ...) {
    if (!log_callback) return;
    int saved_errno = errno;
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length >= 0) {
        for (char *c = line; *c; c++)
            if (*c == '\n' || *c == '\r') *c = ' '; /* one call is one line */
        log_callback(log_user, level, line);
    }
    errno = saved_errno;
}
