/* Seals texts. */
#include "seal.h"

#include <stdio.h>
#include <string.h>

#include "digest.h"

enum { LINE_BYTES = 7 + JR_DIGEST_HEX_BYTES }; /* "sha256 ", 64 digits, newline */

static void print_line(const char *bytes, size_t count, char line[LINE_BYTES + 1]) {
    char hex[JR_DIGEST_HEX_BYTES];
    SHA256Data((const uint8_t *)bytes, count, hex);
    snprintf(line, LINE_BYTES + 1, "sha256 %s\n", hex);
}

void jr_seal_append(jr_text *text) {
    char line[LINE_BYTES + 1];
    print_line(jr_text_string(text), text->length, line);
    jr_text_append_bytes(text, line, LINE_BYTES);
}

bool jr_seal_cut(char *text, size_t count) {
    char line[LINE_BYTES + 1];
    if (count < LINE_BYTES || strlen(text) != count) return false;
    char *found = text + count - LINE_BYTES;
    print_line(text, count - LINE_BYTES, line);
    if (strcmp(line, found) != 0) return false;
    *found = '\0';
    return true;
}
