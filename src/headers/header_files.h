/* The files that includes of a program were looked for in: each path once, each file's bytes once. */
#ifndef JR_HEADERS_HEADER_FILES_H
#define JR_HEADERS_HEADER_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "jitreduce/status.h"

/* Bounds: of one header, of all of them, and how many paths are looked at for one program. */
enum { JR_HEADER_BYTES_MAX = 64 << 20, JR_HEADERS_BYTES_MAX = 512 << 20, JR_HEADER_PATHS_MAX = 1 << 20 };

/* A file's properties that show, without reading it, whether it has changed. */
typedef struct jr_file_stamp {
    uint64_t bytes, inode, device;
    int64_t modified_ns, changed_ns; /* of the content; of anything at all, which no one can set */
} jr_file_stamp;

/* What was found at a path. */
typedef struct jr_probe {
    char *path;
    bool there;   /* a file; else nothing, or a folder */
    bool settled; /* its last change is so old that the next one will have another time */
    jr_file_stamp stamp;
    uint8_t digest[JR_DIGEST_BYTES]; /* of its bytes */
} jr_probe;

/* A file, whatever paths lead to it. */
typedef struct jr_header_file {
    jr_probe *probe;             /* by which it was found first */
    char *text;                  /* its bytes and a NUL */
    char *name;                  /* what the compiler knows it by; NULL until it has been named */
    size_t folder;               /* whose search found it: an index */
    size_t path_at;              /* where in probe->path its path within the folder begins */
    bool searched, computes;     /* its text was walked through; it includes a macro */
    struct jr_header_file *next; /* of those with a name, in the order of naming */
} jr_header_file;

typedef struct jr_header_files jr_header_files;

/* Makes an empty set. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_header_files_create(jr_header_files **files);
void jr_header_files_destroy(jr_header_files *files); /* NULL is fine */

/* Looks for the file folder/name, once per path, and reads it. *file: NULL when no such file exists. Errors:
 * JR_ERROR_FILE, which names header and folder, when the file cannot be read, is not a regular file or is too large;
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_header_files_find(jr_header_files *files, const char *folder, const char *name, jr_header_file **file);

/* Gives the probes away, in no order; *probes is malloc'd, and freed by jr_probes_free. Errors:
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_header_files_probes(const jr_header_files *files, jr_probe **probes, size_t *count);
void jr_probes_free(jr_probe *probes, size_t count);

/* Is there still what a probe found? Looks at the time stamps, and reads the file when they differ; *renewed becomes
 * true when it did so and the probe now has new ones. */
bool jr_probe_holds(jr_probe *probe, bool *renewed);

#endif
