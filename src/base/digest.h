/* SHA-256 over tagged, length-prefixed fields, so that no two different lists of fields have the same digest; and the
 * seal: a last line that holds the SHA-256 of all lines before it. */
#ifndef JR_BASE_DIGEST_H
#define JR_BASE_DIGEST_H

#include <sha2.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

enum { JR_DIGEST_BYTES = 32, JR_DIGEST_HEX_BYTES = 65 };

typedef struct jr_digest {
    SHA2_CTX state;
} jr_digest;

void jr_digest_begin(jr_digest *digest);
void jr_digest_field(jr_digest *digest, const char *tag, const void *bytes, size_t count);
void jr_digest_string(jr_digest *digest, const char *tag, const char *string); /* NULL counts as "" */
void jr_digest_number(jr_digest *digest, const char *tag, uint64_t number);
void jr_digest_end(jr_digest *digest, uint8_t out[JR_DIGEST_BYTES]);
void jr_digest_of(const void *bytes, size_t count, uint8_t out[JR_DIGEST_BYTES]); /* plain SHA-256 */
void jr_digest_hex(const uint8_t in[JR_DIGEST_BYTES], char out[JR_DIGEST_HEX_BYTES]);

/* Appends the seal to a text that ends with a newline. */
void jr_seal_append(jr_text *text);

/* Cuts the seal off a text of count bytes, which a NUL follows; false when it is not there or does not fit, or when
 * there is a NUL among the bytes. */
bool jr_seal_cut(char *text, size_t count);

#endif
