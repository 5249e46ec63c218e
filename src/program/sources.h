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
    uint16_t first, count;           /* of the others that it includes, in jr_embedded_includes */
} jr_embedded_source;

/* Generated; sorted by name. */
extern const jr_embedded_source jr_embedded_sources[];
extern const size_t jr_embedded_source_count;

/* Generated; indices into the table, ascending for each of its rows: what a text includes itself or through others, in
 * any branch of an #if. */
extern const uint16_t jr_embedded_includes[];

/* Room for the headers of any text: where there is too little, the generated table does not compile. */
enum { JR_SOURCE_HEADERS_MAX = 128 };

/* The text of the embedded file of this name; NULL when no file has it. */
const char *jr_sources_find(const char *name);

/* Returns the digest of an embedded text, NULL when `text` is not the address of one. */
const uint8_t *jr_sources_digest(const char *text);

/* Lists the embedded headers that an embedded text includes, as virtual headers of its program; returns how many. NVRTC
 * and the key of a program get no others: to change a header changes the keys of the kernels that include it. */
size_t jr_sources_headers(const char *name, jr_named_text headers[JR_SOURCE_HEADERS_MAX]);

#endif
