/* Names of fields in .npy headers, as UTF-8. */
#ifndef CLI_NPY_NAME_H
#define CLI_NPY_NAME_H

#include "npy_cursor.h"

/* A name that a shell can give. */
typedef struct cli_npy_name {
    const char *text; /* in the header, or in room; not terminated */
    size_t length;
    char room[256];
} cli_npy_name;

/* Reads a name from the header. Formats 1 and 2 are Latin-1, format 3 is UTF-8. A name that room cannot hold stays as
 * it is in the header. */
void cli_npy_name_read(const cli_npy_cursor *in, const char *begin, const char *end, cli_npy_name *name);

/* Copies a name into buffer (at least 64 bytes) for a message; one with control characters, or a long one, as cli_quote
 * does. Returns buffer. */
const char *cli_npy_name_show(const cli_npy_name *name, char *buffer);

#endif
