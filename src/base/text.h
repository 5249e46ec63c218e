/* A growing text buffer. After a failed allocation later appends do nothing, and jr_text_failed returns true. */
#ifndef JR_BASE_TEXT_H
#define JR_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct jr_text {
    char *data; /* NUL-terminated once anything was appended; NULL before */
    size_t length, capacity;
    bool failed;
} jr_text;

void jr_text_append(jr_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void jr_text_append_bytes(jr_text *text, const void *bytes, size_t count);
bool jr_text_failed(const jr_text *text);
const char *jr_text_string(const jr_text *text); /* never NULL: "" when empty */
char *jr_text_take(jr_text *text); /* gives the malloc'd string away, NULL when failed; text is empty after */
void jr_text_free(jr_text *text);  /* leaves an empty, usable buffer */

/* A malloc'd copy of a string or of bytes (NUL added), NULL when out of memory or given NULL. */
char *jr_string_copy(const char *string);
void *jr_bytes_copy(const void *bytes, size_t count);

/* Appends the first length bytes of an expression as a line, and below it a line with a caret under the byte `column`
 * (from 0, at most length), both indented by two blanks. Bytes that are not printable ASCII are shown as '?', so that
 * columns stay columns and a terminal stays itself. */
void jr_text_append_caret(jr_text *out, const char *expression, size_t length, size_t column);

#endif
