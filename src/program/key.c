/* Computes keys. */
#include "key.h"

#include <string.h>

#include "sources.h"

#define JR_STRING_OF(x)        #x
#define JR_VERSION_OF(a, b, c) JR_STRING_OF(a) "." JR_STRING_OF(b) "." JR_STRING_OF(c)

/* Raised when the compile itself changes: fixed options, the order of the text, the stored form. */
enum { KEY_FORMAT = 3 };

/* A header enters the key by the digest of its text. The digests of embedded headers are precomputed, since hashing all
 * of them took 0.8 ms per call.
 */
static void add_header(jr_digest *digest, const jr_named_text *header) {
    uint8_t made[JR_DIGEST_BYTES];
    const uint8_t *known = jr_sources_digest(header->text);
    if (known == NULL) jr_digest_of(header->text, strlen(header->text), made);
    jr_digest_string(digest, "header name", header->name);
    jr_digest_field(digest, "header digest", known != NULL ? known : made, JR_DIGEST_BYTES);
}

void jr_key_of_text(const jr_program_text *text, jr_key *key) {
    const jr_program *program = text->program;
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_number(&digest, "format", KEY_FORMAT);
    jr_digest_string(&digest, "library", JR_VERSION_OF(JR_VERSION_MAJOR, JR_VERSION_MINOR, JR_VERSION_PATCH));
    jr_digest_string(&digest, "name", program->name);
    jr_digest_string(&digest, "text", text->text);
    jr_digest_string(&digest, "entry", program->entry);
    jr_digest_number(&digest, "headers", program->header_count);
    for (size_t i = 0; i < program->header_count; i++) add_header(&digest, &program->headers[i]);
    jr_digest_number(&digest, "options", program->option_count);
    for (size_t i = 0; i < program->option_count; i++) jr_digest_string(&digest, "option", program->options[i]);
    if (text->relocatable) jr_digest_number(&digest, "relocatable", 1);
    if (text->debug != JR_DEBUG_NONE) {
        jr_digest_number(&digest, "debug", (uint64_t)text->debug);
        jr_digest_string(&digest, "debug root", text->debug_root);
    }
    jr_digest_end(&digest, key->bytes);
}

void jr_key_of(const jr_program_text *text, const jr_key *text_key, const jr_key_surroundings *surroundings,
               jr_key *key) {
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_field(&digest, "text key", text_key->bytes, JR_DIGEST_BYTES);
    jr_digest_string(&digest, "architecture", surroundings->architecture);
    jr_digest_number(&digest, "nvrtc major", (uint64_t)surroundings->nvrtc_major);
    jr_digest_number(&digest, "nvrtc minor", (uint64_t)surroundings->nvrtc_minor);
    jr_digest_string(&digest, "nvrtc build", surroundings->nvrtc_build);
    if (text->lines) jr_digest_number(&digest, "lines", 1);
    if (surroundings->headers != NULL) jr_digest_field(&digest, "files", surroundings->headers, JR_DIGEST_BYTES);
    jr_digest_end(&digest, key->bytes);
}
