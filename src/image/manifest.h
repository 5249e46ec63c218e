/* Manifests: what was found in the include folders of a program, kept on disk, so that its headers need not be read
 * again to know its key.
 *
 * A manifest is found by its first-level key: the program's texts and the paths of its folders. It lists every path at
 * which a header was looked for, with what was there: the digest of a file, or nothing. It holds only while all of that
 * is so: a header that was changed, removed, or added where another one was found so far makes it worthless. Any
 * failure is a miss, and the error record of the calling thread stays as it was. */
#ifndef JR_IMAGE_MANIFEST_H
#define JR_IMAGE_MANIFEST_H

#include "headers/headers.h"

/* Reads the manifest of a program from a cache folder ("": none) and looks at all that it lists. On a hit *headers has
 * the digest alone, no texts; it is freed with jr_headers_free. */
bool jr_manifest_read(const char *folder, const jr_program_text *text, const jr_folders *folders, jr_headers **headers);

/* Writes a manifest; false when it could not be written. */
bool jr_manifest_write(const char *folder, const jr_program_text *text, const jr_folders *folders,
                       const jr_headers *headers);

#endif
