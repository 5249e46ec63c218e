/* The parts that are linked: PTX, machine code, LTO-IR, object files and libraries. Their first bytes say which. */
#ifndef JR_LINK_LINK_PART_H
#define JR_LINK_LINK_PART_H

#include <stddef.h>

#include "jitreduce/status.h"

typedef enum jr_link_kind {
    JR_LINK_PTX,
    JR_LINK_CUBIN,
    JR_LINK_LTO,
    JR_LINK_FATBIN,
    JR_LINK_OBJECT,
    JR_LINK_LIBRARY
} jr_link_kind;

typedef struct jr_link_part {
    const char *name; /* in messages */
    jr_link_kind kind;
    const void *data;
    size_t bytes; /* of PTX without a NUL */
} jr_link_part;

const char *jr_link_kind_name(jr_link_kind kind); /* "PTX", "machine code (cubin)" */

/* Finds what data is. Errors: JR_ERROR_INVALID_ARGUMENT (empty, none of these). */
jr_status jr_link_part_read(const char *name, const void *data, size_t bytes, jr_link_part *part);

/* What linking gives; the caller frees cubin. */
typedef struct jr_linked {
    void *cubin;
    size_t bytes;
} jr_linked;

/* Fails with the linker's log: JR_ERROR_COMPILE. blamed: the part that does not link; NULL: the one that the log names
 * first. */
jr_status jr_link_fail(const jr_link_part *parts, size_t count, const jr_link_part *blamed, const char *log);

#endif
