/* The headers of a program: every file that its includes name in its folders, as texts for the compiler.
 *
 * NVRTC gets no folder: it gets each file as a text under a name, and each include is rewritten to name that text. So
 * NVRTC reads exactly what was found here, even if files change meanwhile. The search follows both branches of every
 * #if, so it need not know macros: it may find more files than needed, never fewer. */
#ifndef JR_HEADERS_HEADERS_H
#define JR_HEADERS_HEADERS_H

#include "header_files.h"
#include "header_search.h"
#include "program/program.h"

typedef struct jr_headers {
    uint8_t digest[JR_DIGEST_BYTES];       /* of all names and texts below: what the key needs to know */
    uint8_t texts_digest[JR_DIGEST_BYTES]; /* of them without the source; only where the texts were read */
    jr_probe *probes;                      /* where files were looked for */
    size_t probe_count;
    char *source;       /* the program's text with its includes renamed; NULL: the texts were not read */
    const char **names; /* virtual headers: the program's own and the files */
    const char **texts; /* as NVRTC takes them */
    uint8_t (*digests)[JR_DIGEST_BYTES]; /* of the texts */
    size_t count;
    char **owned; /* the texts again, to be freed, and the files' names */
    size_t owned_count;
    char *searched;     /* the folders, for messages; "" if the program has no folders */
    bool lacks_toolkit; /* the program asks for the toolkit's headers, and no toolkit was found */
} jr_headers;

/* Follows the includes of a program through folders.
 * Errors: JR_ERROR_FILE, naming header and folder; JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_headers_find(const jr_program_text *text, const jr_folders *folders, jr_headers **headers);

/* Makes both digests of what the headers have. */
void jr_headers_digest(jr_headers *headers);

/* Is everything as it was where files were looked for? *renewed becomes true as in jr_probe_holds. */
bool jr_headers_hold(jr_headers *headers, bool *renewed);

/* Frees headers; NULL is fine. */
void jr_headers_free(jr_headers *headers);

#endif
