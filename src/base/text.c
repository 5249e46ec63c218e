/* A growing text buffer, and copies of strings and bytes. */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

/* Makes room for count more bytes and a NUL; false, and the buffer failed for good, when there is no memory. */
static bool reserve(jr_text *text, size_t count) {
    if (text->failed) return false;
    if (count < text->capacity - text->length) return true; /* capacity is 0 or above length */
    size_t capacity = text->capacity ? text->capacity : FIRST_CAPACITY;
    while (capacity - text->length <= count && capacity <= SIZE_MAX / 2) capacity *= 2;
    char *data = capacity - text->length > count ? realloc(text->data, capacity) : NULL;
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void jr_text_append(jr_text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const size_t room = text->capacity - text->length; /* what fits is formatted once */
    const int length = vsnprintf(room > 0 ? text->data + text->length : NULL, room, format, arguments);
    if (length < 0)
        text->failed = true;
    else if (reserve(text, (size_t)length)) {
        if ((size_t)length >= room) vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    } else if (room > 0) {
        text->data[text->length] = '\0';
    }
    va_end(again);
    va_end(arguments);
}

void jr_text_append_bytes(jr_text *text, const void *bytes, size_t count) {
    if (!reserve(text, count)) return;
    if (count) memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = '\0';
}

bool jr_text_failed(const jr_text *text) {
    return text->failed;
}

const char *jr_text_string(const jr_text *text) {
    return text->data ? text->data : "";
}

char *jr_text_take(jr_text *text) {
    jr_text_append_bytes(text, NULL, 0); /* an empty text is a string too */
    char *taken = text->failed ? NULL : text->data;
    if (taken)
        *text = (jr_text){0};
    else
        jr_text_free(text);
    return taken;
}

void jr_text_free(jr_text *text) {
    free(text->data);
    *text = (jr_text){0};
}

char *jr_string_copy(const char *string) {
    return string ? jr_bytes_copy(string, strlen(string)) : NULL;
}

void *jr_bytes_copy(const void *bytes, size_t count) {
    if (!bytes || count == SIZE_MAX) return NULL;
    char *copy = malloc(count + 1);
    if (!copy) return NULL;
    if (count) memcpy(copy, bytes, count);
    copy[count] = '\0';
    return copy;
}

void jr_text_append_caret(jr_text *out, const char *expression, size_t length, size_t column) {
    jr_text_append(out, "  ");
    for (size_t i = 0; i < length; i++) {
        const char byte = expression[i];
        jr_text_append_bytes(out, byte >= ' ' && byte <= '~' ? &byte : "?", 1);
    }
    jr_text_append(out, "\n  %*s\n", (int)column + 1, "^");
}
