/* The thread-local error record, and the names and meanings of statuses.
 *
 * Invariant: every string of the record is NUL-terminated. New texts are formatted aside first, because a caller may
 * well pass pieces of the old record ("%s", jr_last_error()->message) into the new one. */
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, DRIVER_NAME_BYTES = 64, LOG_BYTES = 16 * 1024 };

static const char cut_note[] = "\n[log cut at 16 KiB]";

typedef struct error_record {
    jr_status status;
    unsigned serial; /* of the failure */
    bool told;       /* to the log */
    char message[MESSAGE_BYTES];
    char driver_name[DRIVER_NAME_BYTES];
    char log[LOG_BYTES];
    jr_error shown; /* what jr_last_error hands out: pointers into this record */
} error_record;

static _Thread_local error_record record;
static _Thread_local unsigned serials; /* all failures of the thread, those that were taken back, too */

struct jr_error_saved {
    error_record record;
};

static const char *stage_of(jr_status status) {
    static const char *const stages[] = {"",       "base",   "loader", "program", "image",
                                         "device", "kernel", "reduce", "tune",    "group"};
    int hundreds = -(int)status / 100;
    return hundreds >= 0 && hundreds < (int)(sizeof stages / sizeof *stages) ? stages[hundreds] : "";
}

const jr_error *jr_last_error(void) {
    record.shown = (jr_error){.size = sizeof(jr_error),
                              .status = record.status,
                              .stage = stage_of(record.status),
                              .message = record.message,
                              .driver_name = record.driver_name,
                              .log = record.log};
    return &record.shown;
}

/* A first byte of a multi-byte character, or one of its own: where a text may be cut. */
static int starts_character(char byte) {
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* Marks a cut message with "..." at its end, without leaving half a UTF-8 character before it. */
static void mark_cut(char message[MESSAGE_BYTES]) {
    size_t end = MESSAGE_BYTES - 4;
    while (end > 0 && !starts_character(message[end])) end--;
    memcpy(message + end, "...", 4);
}

static void format_message(char out[MESSAGE_BYTES], const char *format, va_list arguments) {
    int length = vsnprintf(out, MESSAGE_BYTES, format, arguments);
    if (length < 0)
        snprintf(out, MESSAGE_BYTES, "%s", format);
    else if (length >= MESSAGE_BYTES)
        mark_cut(out);
}

static void log_set(const char *log) {
    size_t length = strlen(log);
    if (length < LOG_BYTES) {
        memmove(record.log, log, length + 1); /* may be the record's own log */
        return;
    }
    size_t kept = LOG_BYTES - sizeof cut_note;
    while (kept > 0 && !starts_character(log[kept])) kept--;
    memmove(record.log, log, kept);
    memcpy(record.log + kept, cut_note, sizeof cut_note);
}

/* errno survives, so that a caller may record first and look at it later. */
jr_status jr_fail_with(jr_status status, const char *driver_name, const char *log, const char *format, ...) {
    int saved_errno = errno;
    char message[MESSAGE_BYTES], name[DRIVER_NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    format_message(message, format, arguments);
    va_end(arguments);
    snprintf(name, sizeof name, "%s", driver_name ? driver_name : "");
    record.status = status;
    record.serial = ++serials;
    record.told = false;
    memcpy(record.message, message, sizeof message);
    memcpy(record.driver_name, name, sizeof name);
    log_set(log ? log : "");
    errno = saved_errno;
    return status;
}

jr_status jr_fail_prefix(const char *format, ...) {
    int saved_errno = errno;
    char prefix[MESSAGE_BYTES], joined[2 * MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    format_message(prefix, format, arguments);
    va_end(arguments);
    const int length = snprintf(joined, sizeof joined, "%s%s", prefix, record.message);
    memcpy(record.message, joined, sizeof record.message);
    if (length >= MESSAGE_BYTES) mark_cut(record.message);
    errno = saved_errno;
    return record.status;
}

unsigned jr_error_mark(void) {
    return record.serial;
}

bool jr_error_is_news(unsigned mark) {
    const bool news = record.serial != mark && !record.told;
    if (news) record.told = true;
    return news;
}

jr_error_saved *jr_error_save(void) {
    jr_error_saved *saved = malloc(sizeof *saved);
    if (saved) saved->record = record;
    return saved;
}

jr_error_saved *jr_error_copy(const jr_error_saved *saved) {
    jr_error_saved *copy = saved != NULL ? malloc(sizeof *copy) : NULL;
    if (copy != NULL) *copy = *saved;
    return copy;
}

void jr_error_restore(jr_error_saved *saved) {
    if (!saved) return;
    record = saved->record;
    free(saved);
}

void jr_error_adopt(jr_error_saved *saved) {
    if (!saved) return;
    saved->record.serial = ++serials;
    jr_error_restore(saved);
}

jr_status jr_given(const char *names, const void *const pointers[], size_t count) {
    size_t missing = 0;
    while (missing < count && pointers[missing] != NULL) missing++;
    if (missing == count) return JR_OK;
    for (size_t i = 0; i < missing; i++) names += strcspn(names, ",") + 2; /* ", " */
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%.*s is NULL", (int)strcspn(names, ","), names);
}

jr_status jr_given_aligned(const char *what, const void *address, size_t alignment) {
    if (address == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the %s is NULL", what);
    if ((uintptr_t)address % alignment == 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the %s %p is not aligned to %zu bytes", what, address, alignment);
}

const char *jr_status_text(jr_status status) {
    switch (status) {
#define STATUS_TEXT(name, number, text)                                                                                \
    case name: return text;
        JR_STATUSES(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

const char *jr_status_name(jr_status status) {
    switch (status) {
#define STATUS_NAME(name, number, text)                                                                                \
    case name: return #name;
        JR_STATUSES(STATUS_NAME)
#undef STATUS_NAME
    }
    return "JR_ERROR_UNKNOWN";
}

void jr_error_discard(jr_error_saved *saved) {
    free(saved);
}
