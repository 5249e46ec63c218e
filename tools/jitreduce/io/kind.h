/* What a file is that is no text: by its first bytes. */
#ifndef CLI_KIND_H
#define CLI_KIND_H

#include <stddef.h>

/* The kind of a file that begins so, as a noun with its article: "a PNG image". NULL: none that is known. */
const char *cli_file_kind(const char *bytes, size_t count);

/* What helps with such a file: a way to turn it into one that is read; "": nothing is known. */
const char *cli_file_advice(const char *name);

#endif
