/* The files of the command line: each opened and recognised, and read to memory unless it is read while it is reduced.
 */
#ifndef CLI_PARTS_H
#define CLI_PARTS_H

#include "io/data.h"
#include "npy/npy_type.h"
#include "options/cli_options.h"

/* One file and what was read from it. */
typedef struct cli_part {
    cli_bytes bytes, member; /* the file's; those of an array in an .npz file */
    cli_format format;       /* as recognised: never AUTO */
    cli_data data;
    cli_source source;     /* of a text that cannot be opened again, and of what is streamed */
    bool streams;          /* a binary file that does not lie in memory, of which only the header was looked at */
    cli_npy_header header; /* of what is streamed: a raw file has no type of its own, and elements to its end */
    char *path;            /* path of the .npz file, without the member's name; NULL: not a member */
} cli_part;

/* The files that the command line names; none: standard input. */
char *const *cli_files_of(const cli_options *options);

/* Opens every file, and reads only the beginning of texts and streams. Writes as many parts as were begun, on failure,
 * too; the caller closes them. */
cli_exit cli_parts_open(const cli_options *options, cli_part **parts, int *count, cli_error *error);

/* The bytes of an array or a raw file that does not stream. */
const cli_bytes *cli_part_bytes(const cli_part *part);

/* Whether all parts are arrays or raw; *any becomes true where one of them streams. in_order: elements must come in C
 * order. */
bool cli_parts_stream(const cli_part *parts, int count, bool in_order, bool *any);

/* The type that all of those have: *type where that is given, else that of the first one. */
cli_exit cli_parts_settle(const cli_options *options, const cli_part *parts, int count, jr_type *type,
                          cli_error *error);

/* Fails where --offset or --count asks for more elements than there are. */
cli_exit cli_input_check_count(const cli_options *options, uint64_t elements, cli_error *error);

/* Closes and frees them. */
void cli_parts_close(cli_part *parts, int count);

#endif
