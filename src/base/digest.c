/* SHA-256 (libmd) over fields.
 *
 * A field is hashed as: tag length, tag, byte count, bytes; lengths are 64-bit little-endian. Lengths make the encoding
 * prefix-free: no two different lists of fields feed the same bytes to the hash, and every machine feeds the same. */
#include "digest.h"

#include <stdio.h>
#include <string.h>

static void length_add(jr_digest *digest, uint64_t length) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(length >> (8 * i));
    SHA256Update(&digest->state, bytes, sizeof bytes);
}

void jr_digest_begin(jr_digest *digest) {
    SHA256Init(&digest->state);
}

void jr_digest_field(jr_digest *digest, const char *tag, const void *bytes, size_t count) {
    size_t tag_length = strlen(tag);
    length_add(digest, tag_length);
    SHA256Update(&digest->state, (const uint8_t *)tag, tag_length);
    length_add(digest, count);
    if (count) SHA256Update(&digest->state, bytes, count);
}

void jr_digest_string(jr_digest *digest, const char *tag, const char *string) {
    jr_digest_field(digest, tag, string, string ? strlen(string) : 0);
}

void jr_digest_number(jr_digest *digest, const char *tag, uint64_t number) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(number >> (8 * i));
    jr_digest_field(digest, tag, bytes, sizeof bytes);
}

void jr_digest_end(jr_digest *digest, uint8_t out[JR_DIGEST_BYTES]) {
    SHA256Final(out, &digest->state);
}

void jr_digest_of(const void *bytes, size_t count, uint8_t out[JR_DIGEST_BYTES]) {
    SHA2_CTX state;
    SHA256Init(&state);
    if (count) SHA256Update(&state, bytes, count);
    SHA256Final(out, &state);
}

void jr_digest_hex(const uint8_t in[JR_DIGEST_BYTES], char out[JR_DIGEST_HEX_BYTES]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < JR_DIGEST_BYTES; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
    out[JR_DIGEST_HEX_BYTES - 1] = '\0';
}

/* ---- the seal ---- */

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
