/* The files of the command line: each opened and recognised, and read to memory unless it is read while it is reduced.
 */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "data.h"
#include "npy_array.h"
#include "options.h"

/* One file and what was read from it. */
typedef struct cli_part {
    cli_bytes bytes, member; /* the file's; those of an array in an .npz file */
    cli_format format;       /* as recognised: never AUTO */
    cli_data data;
    cli_source source;     /* of a text that cannot be opened again, and of what is streamed */
    bool streams;          /* a binary file that cannot be mapped, of which only the header has been looked at */
    cli_npy_header header; /* of what is streamed: a raw file has no type of its own, and elements to its end */
    char *path;            /* of the .npz file before the name of a member; NULL: there is none */
} cli_part;

/* The files that the command line names; none: standard input. */
char *const *cli_files_of(const cli_options *options);

/* Opens every file. streams: of what can be read part by part only the header is looked at. Writes as many parts as
 * were begun, on failure, too; the caller closes them. */
cli_exit cli_parts_open(const cli_options *options, bool streams, cli_part **parts, int *count, cli_error *error);

/* Whether all parts are arrays or raw, and one of them streams: then all of them can be read one after the other. */
bool cli_parts_stream(const cli_part *parts, int count);

/* The type that all of those have: *type where that is given, else that of the first one. */
cli_exit cli_parts_settle(const cli_part *parts, int count, jr_type *type, cli_error *error);

/* Reads what was to be streamed to memory. */
cli_exit cli_parts_read(const cli_options *options, cli_part *parts, int count, cli_error *error);

/* Closes and frees them. */
void cli_parts_close(cli_part *parts, int count);

#endif
