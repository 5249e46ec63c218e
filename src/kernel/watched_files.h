/* The files of a watched program: its own, and every path at which a header of it was looked for.
 *
 * A change is seen by what stat says of them, and is taken up when two looks have found the same: an editor that writes
 * a file in pieces, or puts another one in its place, is left to finish. */
#ifndef JR_KERNEL_WATCHED_FILES_H
#define JR_KERNEL_WATCHED_FILES_H

#include "context.h"

typedef struct jr_watched_files {
    char *path;         /* the program's own file */
    jr_program program; /* `source` is the file's text, which belongs to this; the rest is the caller's */
    char *text;
    char **headers;
    size_t header_count;
    uint8_t seen[JR_DIGEST_BYTES], taken[JR_DIGEST_BYTES]; /* by the last look; when the text was read last */
    bool incomplete; /* the last try failed for a reason that may pass: it is repeated from time to time */
    unsigned looks;  /* since then */
} jr_watched_files;

/* program, path: must outlive it. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_watched_files_open(const jr_program *program, const char *path, jr_watched_files *files);
void jr_watched_files_close(jr_watched_files *files); /* one that was zeroed is fine */

/* Looks at all files: true if they have changed since they were read, and rest now. */
bool jr_watched_files_look(jr_watched_files *files);

/* Reads the program's text and finds its headers. If that fails, the text and the headers of before stay.
 * Errors: JR_ERROR_FILE, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY, those of jr_program_files_find. */
jr_status jr_watched_files_read(jr_watched_files *files, const jr_context *context);

#endif
