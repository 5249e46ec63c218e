/* Embedded sources: the files of kernels_src as texts in the library, named by room and file, written into a table at
 * build time. */
#ifndef JR_PROGRAM_SOURCES_H
#define JR_PROGRAM_SOURCES_H

#include <stddef.h>

#include "base/digest.h"
#include "jitreduce/kernel.h"

typedef struct jr_embedded_source {
    const char *name; /* "reduce/two_pass.cu" */
    const char *text; /* NUL-terminated */
    size_t bytes;
    uint8_t digest[JR_DIGEST_BYTES]; /* SHA-256 of the text */
} jr_embedded_source;

/* Generated; sorted by name. */
extern const jr_embedded_source jr_embedded_sources[];
extern const size_t jr_embedded_source_count;

/* Room for all headers: where there is too little, the generated table does not compile. */
enum { JR_SOURCE_HEADERS_MAX = 128 };

/* The text of the embedded file of this name; NULL when no file has it. */
const char *jr_sources_find(const char *name);

/* Returns the digest of an embedded text, NULL when `text` is not the address of one. */
const uint8_t *jr_sources_digest(const char *text);

/* Lists the embedded headers of our own programs (what is no .cu, and not for callers' programs) as virtual headers of
 * one; returns how many. */
size_t jr_sources_headers(jr_named_text headers[JR_SOURCE_HEADERS_MAX]);

#endif
