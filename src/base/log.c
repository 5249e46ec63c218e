/* The log callback: set once before threads start, so that reading it needs no lock. Lines that must wait are kept for
 * each thread. */
#include "log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

enum { LINE_BYTES = 2048 };

static jr_log_callback log_callback;
static void *log_user;

/* A line that waits until no lock is held. */
typedef struct log_kept {
    struct log_kept *next;
    jr_log_level level;
    char line[];
} log_kept;

/* What a thread keeps between hold and release. */
typedef struct log_held {
    int depth;
    log_kept *first, *last;
} log_held;

static _Thread_local log_held held;

void jr_log_set(jr_log_callback callback, void *user) {
    log_callback = callback;
    log_user = user;
}

/* Without memory the line is lost. */
static void keep(jr_log_level level, const char *line) {
    const size_t bytes = strlen(line) + 1;
    log_kept *made = malloc(sizeof *made + bytes);
    if (made == NULL) return;
    *made = (log_kept){.level = level};
    memcpy(made->line, line, bytes);
    if (held.last != NULL)
        held.last->next = made;
    else
        held.first = made;
    held.last = made;
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
        if (held.depth > 0)
            keep(level, line);
        else
            log_callback(log_user, level, line);
    }
    errno = saved_errno;
}

void jr_log_hold(void) {
    held.depth++;
}

void jr_log_release(void) {
    if (--held.depth > 0) return;
    const int saved_errno = errno;
    while (held.first != NULL) {
        log_kept *told = held.first;
        held.first = told->next;
        if (held.first == NULL) held.last = NULL;
        if (log_callback) log_callback(log_user, told->level, told->line);
        free(told);
    }
    errno = saved_errno;
}

void jr_log_failure(const char *call, unsigned mark) {
    if (jr_error_is_news(mark)) jr_log(JR_LOG_ERROR, "%s: %s", call, jr_last_error()->message);
}
